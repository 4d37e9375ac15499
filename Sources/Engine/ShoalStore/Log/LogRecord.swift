import ShoalCrypto
import ShoalS3

/// One record of the intent log.
///
/// ```
/// length: 4   of the payload
/// check:  4   CRC-32C of the payload
/// payload     sequence: 8, operation: 1, fields of the operation
/// ```
/// Whole numbers are little-endian. A typical put takes 100 bytes and its key.
struct LogRecord: Sendable {
    let sequence: UInt64
    let change: Change

    static let headerByteCount = 8
    /// The shortest payload: a sequence and an operation without fields.
    private static let payloadByteCountMin = 9
    /// A bucket's settings are the only field that could come near.
    static let payloadByteCountMax = 16 << 20

    /// Part of the format on disk.
    fileprivate enum Operation: UInt8 {
        case putObject = 1
        case deleteObject, putBucket, deleteBucket
    }

    /// Appends header and payload to `buffer`.
    func append(to buffer: inout [UInt8]) {
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.headerByteCount))
        buffer.append(fixed: sequence)
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
            buffer.append(Operation.putObject.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(object)
        case .deleteObject(let bucket, let key):
            buffer.append(Operation.deleteObject.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
            buffer.append(counted: key.bytes)
        case .putBucket(let bucket):
            buffer.append(Operation.putBucket.rawValue)
            buffer.append(bucket)
        case .deleteBucket(let bucket):
            buffer.append(Operation.deleteBucket.rawValue)
            buffer.append(varying: UInt64(bitPattern: bucket))
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
        guard let sequence = reader.fixed(), let change = reader.change(), reader.isAtEnd else { return nil }
        return (LogRecord(sequence: sequence, change: change), start + length)
    }
}

extension ByteReader {
    fileprivate mutating func change() -> Change? {
        switch byte().flatMap(LogRecord.Operation.init(rawValue:)) {
        case .putObject:
            guard let bucket = varying(), let object = storedObject() else { return nil }
            return .putObject(BucketID(bitPattern: bucket), object)
        case .deleteObject:
            guard let bucket = varying(), let key = counted() else { return nil }
            return .deleteObject(BucketID(bitPattern: bucket), ObjectKey(stored: key))
        case .putBucket: return storedBucket().map { .putBucket($0) }
        case .deleteBucket: return varying().map { .deleteBucket(BucketID(bitPattern: $0)) }
        case nil: return nil
        }
    }
}

// MARK: - Fields of an object

extension [UInt8] {
    fileprivate mutating func append(_ object: StoredObject) {
        let record = object.record
        append(counted: record.key.bytes)
        if let md5 = record.etag.md5 {
            append(0)
            append(contentsOf: md5)
        } else {
            append(1)
            append(counted: record.etag.text.utf8)
        }
        append(varying: record.size)
        append(varying: UInt64(bitPattern: record.lastModified.milliseconds))
        append(object.location)
        append(counted: record.attributes)
        append(counted: record.checksum?.stored ?? [])
    }

    private mutating func append(_ location: BodyLocation) {
        switch location {
        case .empty: append(0)
        case .segment(let number, let offset):
            append(1)
            append(varying: number)
            append(varying: offset)
        case .blob(let id):
            append(2)
            append(contentsOf: id.bytes)
        }
    }
}

extension ByteReader {
    fileprivate mutating func storedObject() -> StoredObject? {
        guard let key = counted(), let etag = etag(), let size = varying(), let modified = varying(),
            let location = location(), let attributes = counted(), let checksum = counted()
        else { return nil }
        let record = ObjectRecord(
            key: ObjectKey(stored: key), etag: etag, size: size,
            lastModified: Timestamp(milliseconds: Int64(bitPattern: modified)), attributes: attributes,
            checksum: checksum.withUnsafeBytes { Checksum(stored: $0) })
        return StoredObject(record: record, location: location)
    }

    private mutating func etag() -> ETag? {
        switch byte() {
        case 0: bytes(16).map { $0.withUnsafeBytes { ETag(storedMD5: $0) } }
        case 1: text().map(ETag.init(unquoted:))
        default: nil
        }
    }

    private mutating func location() -> BodyLocation? {
        switch byte() {
        case 0: return .empty
        case 1:
            guard let number = varying(), let offset = varying() else { return nil }
            return .segment(number: number, offset: offset)
        case 2: return bytes(16).flatMap { BlobID(bytes: $0) }.map { .blob($0) }
        default: return nil
        }
    }
}

// MARK: - Fields of a bucket

extension [UInt8] {
    fileprivate mutating func append(_ bucket: StoredBucket) {
        append(varying: UInt64(bitPattern: bucket.id))
        append(varying: UInt64(bitPattern: bucket.scope))
        append(counted: bucket.record.name.text.utf8)
        append(varying: UInt64(bitPattern: bucket.record.created.milliseconds))
        append(counted: bucket.record.region.utf8)
        append(counted: bucket.record.settings)
    }
}

extension ByteReader {
    fileprivate mutating func storedBucket() -> StoredBucket? {
        guard let id = varying(), let scope = varying(), let name = text().flatMap(BucketName.init),
            let created = varying(), let region = text(), let settings = counted()
        else { return nil }
        let record = BucketRecord(
            name: name, created: Timestamp(milliseconds: Int64(bitPattern: created)), region: region,
            settings: settings)
        return StoredBucket(id: BucketID(bitPattern: id), scope: Int64(bitPattern: scope), record: record)
    }
}
