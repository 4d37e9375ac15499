import ShoalS3

/// What few objects have, as it is kept among their attributes.
///
/// ```
/// their number: 1, then for each: what it is: 1, its length: 2 (big-endian), and its bytes
///   1 retention       its mode: 1 (1 for GOVERNANCE, 2 for COMPLIANCE), then its end in milliseconds: 8 (big-endian)
///   2 legal hold      1 for ON, 0 for OFF
/// ```
struct ObjectDetails {
    var lock = ObjectLock.none

    private enum Kind: UInt8 {
        case retention = 1
        case legalHold = 2
    }

    init(lock: ObjectLock = .none) { self.lock = lock }

    /// Reads what `encoded` wrote. What a newer Shoal wrote besides is passed over.
    init(takingFrom bytes: inout ArraySlice<UInt8>) {
        var retention: ObjectRetention?
        var legalHold: LegalHold?
        for _ in 0..<(bytes.popFirst() ?? 0) {
            let kind = bytes.popFirst().flatMap(Kind.init)
            let count = Int(bytes.popFirst() ?? 0) << 8 | Int(bytes.popFirst() ?? 0)
            let value = Array(bytes.prefix(count))
            bytes = bytes.dropFirst(count)
            switch kind {
            case .retention: retention = ObjectRetention(stored: value)
            case .legalHold: legalHold = value == [1] ? .on : .off
            case nil: continue
            }
        }
        lock = ObjectLock(retention: retention, legalHold: legalHold)
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = [0]
        func append(_ kind: Kind, _ value: [UInt8]) {
            bytes[0] += 1
            bytes += [kind.rawValue, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
        }
        if let retention = lock.retention { append(.retention, retention.stored) }
        if let legalHold = lock.legalHold { append(.legalHold, [legalHold == .on ? 1 : 0]) }
        return bytes
    }
}

extension ObjectRetention {
    fileprivate var stored: [UInt8] {
        [mode == .governance ? 1 : 2] + withUnsafeBytes(of: until.milliseconds.bigEndian) { Array($0) }
    }

    /// Whatever its mode was, a damaged one still protects.
    fileprivate init(stored bytes: [UInt8]) {
        let milliseconds = bytes.dropFirst().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        self.init(mode: bytes.first == 1 ? .governance : .compliance, until: Timestamp(milliseconds: milliseconds))
    }
}
