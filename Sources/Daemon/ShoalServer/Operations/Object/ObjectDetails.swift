import ShoalS3

/// What few objects have, as it is kept among their attributes.
///
/// ```
/// their number: 1, then for each: what it is: 1, its length: 2 (big-endian), and its bytes
///   1 retention       its mode: 1 (1 for GOVERNANCE, 2 for COMPLIANCE), then its end in milliseconds: 8 (big-endian)
///   2 legal hold      1 for ON, 0 for OFF
///   3 KMS             1, 2 more for double layer, 4 more with a bucket key: 1, then the name of the key
///   4 customer's key  its digest
///   7 restored        the end of the copy in milliseconds: 8 (big-endian)
///   8 parts           nothing; the completion listed the checksums of its parts, though they are not the object's
///   9 completed       when the upload in parts was completed that it came by, in milliseconds: 8 (big-endian)
/// ```
struct ObjectDetails: Equatable {
    var lock = ObjectLock.none
    var encryption = ObjectEncryption.s3
    /// The end of the copy that a restore made of an archived object; nil if there was none.
    var restoredUntil: Timestamp?
    /// Of an object that came in parts and has a checksum over all bytes: its completion listed those of the parts.
    var listsPartChecksums = false
    /// Of an object that came in parts: when it was there. Its `Last-Modified` is the time at which its upload began.
    var completed: Timestamp?

    private enum Kind: UInt8 {
        case retention = 1
        case legalHold = 2
        case kms = 3
        case customerKey = 4
        case restored = 7
        case partChecksums = 8
        case completed = 9
    }

    init(lock: ObjectLock = .none, encryption: ObjectEncryption = .s3) {
        self.lock = lock
        self.encryption = encryption
    }

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
            case .kms: encryption = .kms(KMSEncryption(stored: value))
            case .customerKey: encryption = .customerKey(CustomerKeyDigest(stored: value))
            case .restored: restoredUntil = Timestamp(stored: value[...])
            case .partChecksums: listsPartChecksums = true
            case .completed: completed = Timestamp(stored: value[...])
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
        switch encryption {
        case .s3: break
        case .kms(let kms): append(.kms, kms.stored)
        case .customerKey(let digest): append(.customerKey, digest.bytes)
        }
        if let restoredUntil { append(.restored, restoredUntil.stored) }
        if listsPartChecksums { append(.partChecksums, []) }
        if let completed { append(.completed, completed.stored) }
        return bytes
    }
}

extension KMSEncryption {
    fileprivate var stored: [UInt8] { [1 | (isDoubleLayer ? 2 : 0) | (bucketKeyEnabled ? 4 : 0)] + Array(keyID.utf8) }

    fileprivate init(stored bytes: [UInt8]) {
        let flags = bytes.first ?? 0
        self.init(
            keyID: String(decoding: bytes.dropFirst(), as: UTF8.self), isDoubleLayer: flags & 2 != 0,
            bucketKeyEnabled: flags & 4 != 0)
    }
}

extension ObjectRetention {
    fileprivate var stored: [UInt8] {
        [mode == .governance ? 1 : 2] + until.stored
    }

    /// Whatever its mode was, a damaged one still protects.
    fileprivate init(stored bytes: [UInt8]) {
        self.init(mode: bytes.first == 1 ? .governance : .compliance, until: Timestamp(stored: bytes.dropFirst()))
    }
}

extension Timestamp {
    fileprivate var stored: [UInt8] { withUnsafeBytes(of: milliseconds.bigEndian) { Array($0) } }

    fileprivate init(stored bytes: ArraySlice<UInt8>) {
        self.init(milliseconds: bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) })
    }
}
