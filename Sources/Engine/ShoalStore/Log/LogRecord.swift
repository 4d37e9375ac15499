import ShoalCrypto
import ShoalS3

/// One record of the intent log.
///
/// ```
/// length: 4   of the payload
/// check:  4   CRC-32C of the payload
/// payload     sequence: 8, messages of the outbox if there are any, operation: 1, fields of the operation
/// ```
/// Whole numbers are little-endian. A typical put takes 100 bytes and its key.
struct LogRecord: Sendable {
    let sequence: UInt64
    let change: Change
    /// For the outbox.
    var messages: [OutboxMessage] = []

    static let headerByteCount = 8
    /// The shortest payload: a sequence and an operation without fields.
    private static let payloadByteCountMin = 9
    /// A bucket's settings are the only field that could come near.
    static let payloadByteCountMax = 16 << 20

    /// Part of the format on disk.
    fileprivate enum Operation: UInt8 {
        case putObject = 1
        case deleteObject, putBucket, deleteBucket
        case createUpload, putPart, completeUpload, abortUpload
        case updateObject, putVersion, deleteVersion
        /// In front of another operation: messages that go to the outbox with it.
        case messages
    }

    /// Appends header and payload to `buffer`.
    func append(to buffer: inout [UInt8]) {
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.headerByteCount))
        buffer.append(fixed: sequence)
        if !messages.isEmpty {
            buffer.append(Operation.messages.rawValue)
            buffer.append(messages)
        }
        appendChange(to: &buffer)
        let length = buffer.count - start - Self.headerByteCount
        precondition(length <= Self.payloadByteCountMax, "a log record of \(length) bytes")
        buffer.withUnsafeMutableBytes { bytes in
            let payload = UnsafeRawBufferPointer(rebasing: bytes[(start + Self.headerByteCount)...])
            bytes.storeBytes(of: UInt32(length).littleEndian, toByteOffset: start, as: UInt32.self)
            bytes.storeBytes(of: Self.check(payload).littleEndian, toByteOffset: start + 4, as: UInt32.self)
        }
    }

    private func appendChange(to buffer: inout [UInt8]) {
        switch change {
        case .putObject(let bucket, let object):
            let isVersion = object.record.ordinal > 0
            buffer.append((isVersion ? Operation.putVersion : .putObject).rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            if isVersion { buffer.append(version: object) } else { buffer.append(object) }
        case .deleteObject(let bucket, let key):
            buffer.append(Operation.deleteObject.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(counted: key.bytes)
        case .deleteVersion(let bucket, let key, let ordinal):
            buffer.append(Operation.deleteVersion.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(counted: key.bytes)
            buffer.append(varying: ordinal)
        case .updateObject(let bucket, let key, let ordinal, let attributes):
            buffer.append(Operation.updateObject.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(counted: key.bytes)
            buffer.append(varying: ordinal)
            buffer.append(counted: attributes)
        case .putBucket(let bucket):
            buffer.append(Operation.putBucket.rawValue)
            buffer.append(bucket)
        case .deleteBucket(let bucket):
            buffer.append(Operation.deleteBucket.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
        case .createUpload, .putPart, .completeUpload, .abortUpload: appendUploadChange(to: &buffer)
        }
    }

    private func appendUploadChange(to buffer: inout [UInt8]) {
        switch change {
        case .createUpload(let upload):
            buffer.append(Operation.createUpload.rawValue)
            buffer.append(upload)
        case .putPart(let upload, let part):
            buffer.append(Operation.putPart.rawValue)
            buffer.append(varying: upload.value)
            buffer.append(part)
        case .completeUpload(let bucket, let object, let completion):
            buffer.append(Operation.completeUpload.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(version: object)
            buffer.append(completion)
        case .abortUpload(let upload):
            buffer.append(Operation.abortUpload.rawValue)
            buffer.append(varying: upload.value)
        case .putObject, .deleteObject, .updateObject, .deleteVersion, .putBucket, .deleteBucket:
            preconditionFailure("no change of an upload")
        }
    }

    fileprivate static func check(_ payload: UnsafeRawBufferPointer) -> UInt32 {
        var check = CyclicRedundancyCheck(.crc32c)
        check.update(payload)
        return UInt32(truncatingIfNeeded: check.value)
    }
}

// MARK: - Reading

extension LogRecord {
    /// The record at `offset` of a log file and where the next one begins; nil at the end, and at a torn or damaged
    /// record, which is the same: nothing behind it counts.
    static func read(_ file: UnsafeRawBufferPointer, at offset: Int) -> (record: LogRecord, next: Int)? {
        guard offset + headerByteCount <= file.count else { return nil }
        let length = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        let expected = UInt32(littleEndian: file.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
        let start = offset + headerByteCount
        guard (payloadByteCountMin...payloadByteCountMax).contains(length), start + length <= file.count else {
            return nil
        }
        let payload = UnsafeRawBufferPointer(rebasing: file[start..<(start + length)])
        guard check(payload) == expected else { return nil }
        var reader = ByteReader(payload)
        guard let sequence = reader.fixed(), let messages = reader.leadingMessages(), let change = reader.change(),
            reader.isAtEnd
        else { return nil }
        return (LogRecord(sequence: sequence, change: change, messages: messages), start + length)
    }
}

extension ByteReader {
    /// Those in front of the operation; nil if they are damaged.
    fileprivate mutating func leadingMessages() -> [OutboxMessage]? {
        guard next == LogRecord.Operation.messages.rawValue else { return [] }
        _ = byte()
        return messages()
    }

    fileprivate mutating func change() -> Change? {
        switch byte().flatMap(LogRecord.Operation.init(rawValue:)) {
        case .putObject:
            guard let bucket = varying(), let object = storedObject() else { return nil }
            return .putObject(BucketID(bitPattern: bucket), object)
        case .deleteObject:
            guard let bucket = varying(), let key = counted() else { return nil }
            return .deleteObject(BucketID(bitPattern: bucket), ObjectKey(stored: key))
        case .updateObject:
            guard let bucket = varying(), let key = counted(), let ordinal = varying(), let attributes = counted()
            else {
                return nil
            }
            return .updateObject(
                BucketID(bitPattern: bucket), ObjectKey(stored: key), ordinal: ordinal, attributes: attributes)
        case .putVersion:
            guard let bucket = varying(), let object = storedVersion() else { return nil }
            return .putObject(BucketID(bitPattern: bucket), object)
        case .deleteVersion:
            guard let bucket = varying(), let key = counted(), let ordinal = varying() else { return nil }
            return .deleteVersion(BucketID(bitPattern: bucket), ObjectKey(stored: key), ordinal: ordinal)
        case .putBucket: return storedBucket().map { .putBucket($0) }
        case .deleteBucket: return varying().map { .deleteBucket(BucketID(bitPattern: $0)) }
        case .createUpload: return storedUpload().map { .createUpload($0) }
        case .putPart:
            guard let upload = varying(), let part = storedPart() else { return nil }
            return .putPart(UploadNumber(upload), part)
        case .completeUpload:
            guard let bucket = varying(), let object = storedVersion(), let completion = completion() else {
                return nil
            }
            return .completeUpload(BucketID(bitPattern: bucket), object, completion)
        case .abortUpload: return varying().map { .abortUpload(UploadNumber($0)) }
        case .messages, nil: return nil
        }
    }
}
