import ShoalS3

/// What chance goes by for one request; nothing in it differs from run to run.
struct ChanceSubject: Sendable {
    /// A hash of S3 operation, bucket, key and part number.
    let object: UInt64
    /// Which operation of the app on that object it belongs to, from 1.
    let operation: UInt64
    /// Which attempt of that operation it is, from 1.
    let attempt: UInt64
    /// Which request of the scope it is, from 1.
    let arrival: UInt64

    /// Numbers in parts of 2^64, one for each rule and each thing to be decided: alike, and none tells another.
    ///
    /// There is no stream of random numbers that requests would share, so their order does not matter.
    func draw(_ purpose: ChancePurpose, for rule: ArmedRule) -> UInt64 {
        var hash = SipHash(key: rule.seed)
        hash.append(field: rule.id.utf8)
        switch rule.rule.count.stableKey {
        case .request:
            hash.append(object)
            hash.append(operation)
            hash.append(attempt)
        case .arrival: hash.append(arrival)
        }
        hash.append(field: purpose.label.utf8)
        hash.append(UInt64(purpose.index))
        return hash.finish()
    }
}

/// What a number is drawn for.
enum ChancePurpose {
    case firing
    case position
    /// Of the action at this place of its list.
    case delay(Int)

    fileprivate var label: String {
        switch self {
        case .firing: "firing"
        case .position: "position"
        case .delay: "delay"
        }
    }

    fileprivate var index: Int { if case .delay(let index) = self { index } else { 0 } }
}

extension DecimalFraction {
    /// Whether a draw lies below this share.
    ///
    /// Judged by the nine digits that the journal shows of a draw, so that whoever reads it can judge again.
    func covers(_ u: UInt64) -> Bool { DecimalFraction(draw: u) < self }

    /// A draw, cut to nine digits.
    package init(draw u: UInt64) { self.init(billionths: u.multipliedFullWidth(by: Self.one.billionths).high) }
}

/// Counts requests for `ChanceSubject`. Bounded: of more operations than it may hold, those not met for the longest time
/// begin anew.
struct Arrivals {
    static let operationCountMax = 65_536

    private var count: UInt64 = 0
    private var connectionCount: UInt64 = 0
    /// How many operations were met, for each object.
    private var operations = RecentTable<UInt64, UInt64>(halfCountMax: operationCountMax / 2)
    private var attempts = RecentTable<UInt64, Attempts>(halfCountMax: operationCountMax / 2)

    private struct Attempts {
        var operation: UInt64 = 0
        var count: UInt64 = 0
    }

    /// `arrival` is set for a request that was met before, when less was known of it.
    mutating func meet(_ subject: some FaultSubject, arrival: UInt64?) -> ChanceSubject {
        if arrival == nil { count += 1 }
        let object = Self.object(of: subject)
        // One name may cover many S3 operations: those of a multipart upload.
        var identity = SipHash(key: object)
        identity.append(subject.operationIdentity.hash)
        let attempts = attempts.update(identity.finish(), from: Attempts()) { attempts in
            attempts.count += 1
            if attempts.operation == 0 {
                attempts.operation = operations.update(object, from: 0) { count in
                    count += 1
                    return count
                }
            }
            return attempts
        }
        return ChanceSubject(
            object: object, operation: attempts.operation, attempt: attempts.count, arrival: arrival ?? count)
    }

    /// Of a connection nothing is known but that it came.
    mutating func meetConnection() -> ChanceSubject {
        connectionCount += 1
        return ChanceSubject(object: 0, operation: 0, attempt: connectionCount, arrival: connectionCount)
    }

    /// Never of what is made up anew for each run: upload and invocation IDs, signatures, the scope's own name.
    private static func object(of subject: some FaultSubject) -> UInt64 {
        var hash = SipHash()
        hash.append(field: subject.operation.rawValue.utf8)
        hash.append(field: subject.bucket ?? [])
        hash.append(field: subject.key ?? [])
        hash.append(subject.partNumber ?? 0)
        return hash.finish()
    }
}
