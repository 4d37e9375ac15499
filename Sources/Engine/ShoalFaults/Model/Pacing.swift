/// How slowly the bytes of an exchange go, from the point on.
package enum Pacing: Hashable, Sendable {
    /// At most so many bytes a second of the request body and of the answer, after a burst; nil for no limit.
    case throttle(in: UInt64?, out: UInt64?, burst: UInt64?)
    /// The answer, or what is left of it, in so many pieces of one size, over so long.
    case dribble(chunks: UInt64, over: Duration)
    /// In turns: both directions as usual, and silence.
    case stallBursts(on: Duration, off: Duration)

    /// 64 GiB a second: no limit at all.
    package static let rateMax: UInt64 = 1 << 36
    package static let chunkCountMax: UInt64 = 10_000

    package var name: FaultAction.Name {
        switch self {
        case .throttle: .throttle
        case .dribble: .dribble
        case .stallBursts: .stallBursts
        }
    }

    /// Why it makes no sense, in words; nil if it does.
    var flaw: String? {
        switch self {
        case .throttle(let input, let output, let burst):
            if [input, output, burst].contains(where: { $0.map { !(1...Self.rateMax).contains($0) } ?? false }) {
                return "'throttle' takes 1 to \(Self.rateMax) bytes"
            }
            return input == nil && output == nil ? "'throttle' needs 'in' or 'out', as in throttle(out=20000)" : nil
        case .dribble(let chunks, let time):
            if !(2...Self.chunkCountMax).contains(chunks) {
                return "'dribble' sends 2 to \(Self.chunkCountMax) pieces, not \(chunks)"
            }
            return Self.isWait(time) ? nil : "'dribble' lasts from 1 ms to 7 days"
        case .stallBursts(let on, let off):
            return Self.isWait(on) && Self.isWait(off) ? nil : "the turns of 'stallBursts' last from 1 ms to 7 days"
        }
    }

    private static func isWait(_ time: Duration) -> Bool { time > .zero && time <= FaultRule.waitMax }
}
