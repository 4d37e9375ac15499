/// Lets bytes of one direction go at a pace: it is asked how many may go now, and told how many went. Times are
/// nanoseconds of any clock that does not go back.
package struct Pacer: Sendable {
    package enum Rhythm: Sendable, Equatable {
        /// So many bytes a second on average, and so many at once after a rest. Both at least 1.
        case rate(bytesPerSecond: UInt64, burst: UInt64)
        /// All that is left when it begins, in so many pieces of one size, the last one after `over`. At least 2.
        case pieces(UInt64, over: Duration)
        /// In turns: as many as one likes, and none.
        case turns(on: Duration, off: Duration)
    }

    package enum Allowance: Sendable, Equatable {
        /// At least 1.
        case bytes(UInt64)
        /// None before this time.
        case wait(until: UInt64)
    }

    private let rhythm: Rhythm
    private let start: UInt64
    /// Bytes that may go, as they stood at `creditTime`; a fraction of a byte counts.
    private var credit: Double
    private var creditTime: UInt64
    /// Of `.pieces`: the size of one, known once it begins; and what is left of the present one.
    private var pieceByteCount: UInt64?
    private var pieceLeft: UInt64 = 0
    private var nextPiece: UInt64

    /// How often a slow rate lets bytes go: often enough to be smooth, seldom enough to cost nothing.
    private static let wakeCountPerSecond = 20.0

    package init(_ rhythm: Rhythm, at now: UInt64) {
        self.rhythm = rhythm
        (start, creditTime, nextPiece) = (now, now, now)
        if case .rate(_, let burst) = rhythm { credit = Double(burst) } else { credit = 0 }
    }

    /// What may go at `now` of `remaining` bytes, which are at least 1.
    package mutating func allowance(at now: UInt64, remaining: UInt64) -> Allowance {
        switch rhythm {
        case .rate(let rate, let burst): return allowance(at: now, Double(rate), burst: Double(burst))
        case .pieces(let count, let time): return piece(at: now, of: remaining, count, time)
        case .turns(let on, let off):
            let period = on.nanoseconds + off.nanoseconds
            let passed = (now - start) % period
            return passed < on.nanoseconds ? .bytes(.max) : .wait(until: now + period - passed)
        }
    }

    package mutating func went(_ byteCount: UInt64) {
        switch rhythm {
        case .rate: credit -= Double(byteCount)
        case .pieces: pieceLeft -= min(pieceLeft, byteCount)
        case .turns: break
        }
    }

    private mutating func allowance(at now: UInt64, _ rate: Double, burst: Double) -> Allowance {
        credit = min(burst, credit + Double(now - creditTime) * rate / 1e9)
        creditTime = now
        guard credit < 1 else { return .bytes(UInt64(credit)) }
        let wanted = min(burst, max(1, rate / Self.wakeCountPerSecond))
        return .wait(until: now + UInt64((wanted - credit) * 1e9 / rate) + 1)
    }

    private mutating func piece(at now: UInt64, of remaining: UInt64, _ count: UInt64, _ time: Duration) -> Allowance {
        if pieceLeft > 0 { return .bytes(pieceLeft) }
        guard now >= nextPiece else { return .wait(until: nextPiece) }
        let size = pieceByteCount ?? max(1, (remaining + count - 1) / count)
        (pieceByteCount, pieceLeft) = (size, size)
        // Rounded up: a dribble is never faster than it was asked to be.
        nextPiece = now + (time.nanoseconds + count - 2) / (count - 1)
        return .bytes(size)
    }
}
