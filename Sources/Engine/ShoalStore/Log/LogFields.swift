import ShoalS3

// MARK: - Fields of an object

extension [UInt8] {
    mutating func append(_ object: StoredObject) {
        let record = object.record
        append(counted: record.key.bytes)
        append(record.etag)
        append(varying: record.size)
        append(varying: UInt64(bitPattern: record.lastModified.milliseconds))
        append(object.location)
        append(counted: record.attributes)
        append(counted: record.checksum?.stored ?? [])
    }

    /// With what tells it from other versions: its place in history, and 1 for `null`, 2 for a delete marker, 3 for both.
    mutating func append(version object: StoredObject) {
        append(object)
        append(varying: object.record.ordinal)
        append((object.record.isNull ? 1 : 0) | (object.record.isDeleteMarker ? 2 : 0))
    }

    private mutating func append(_ etag: ETag) {
        if let md5 = etag.md5 {
            append(0)
            append(contentsOf: md5)
        } else {
            append(1)
            append(counted: etag.text.utf8)
        }
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
        case .assembly(let upload):
            append(3)
            append(varying: upload.value)
        }
    }
}

extension ByteReader {
    mutating func storedObject() -> StoredObject? {
        guard let key = counted(), let etag = etag(), let size = varying(), let modified = varying(),
            let location = location(), let attributes = counted(), let checksum = counted()
        else { return nil }
        let record = ObjectRecord(
            key: ObjectKey(stored: key), etag: etag, size: size,
            lastModified: Timestamp(milliseconds: Int64(bitPattern: modified)), attributes: attributes,
            checksum: checksum.withUnsafeBytes { Checksum(stored: $0) }, upload: location.upload)
        return StoredObject(record: record, location: location)
    }

    mutating func storedVersion() -> StoredObject? {
        guard let object = storedObject(), let ordinal = varying(), let kind = byte() else { return nil }
        let record = object.record
        return StoredObject(
            record: ObjectRecord(
                key: record.key, etag: record.etag, size: record.size, lastModified: record.lastModified,
                attributes: record.attributes, checksum: record.checksum, upload: record.upload, ordinal: ordinal,
                isNull: kind & 1 != 0, isDeleteMarker: kind & 2 != 0),
            location: object.location)
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
        case 3: return varying().map { .assembly(UploadNumber($0)) }
        default: return nil
        }
    }
}

// MARK: - Fields of an upload

extension [UInt8] {
    mutating func append(_ upload: StoredUpload) {
        append(varying: UInt64(bitPattern: upload.bucket))
        append(varying: upload.record.number.value)
        append(counted: upload.record.key.bytes)
        append(varying: UInt64(bitPattern: upload.record.initiated.milliseconds))
        append(counted: upload.record.attributes)
    }

    mutating func append(_ part: StoredPart) {
        append(varying: UInt64(part.record.number))
        append(part.record.etag)
        append(varying: part.record.size)
        append(varying: UInt64(bitPattern: part.record.lastModified.milliseconds))
        append(part.location)
        append(counted: part.record.checksum?.stored ?? [])
    }

    mutating func append(_ completion: Completion) {
        append(varying: completion.upload.value)
        append(varying: UInt64(completion.parts.count))
        for part in completion.parts { append(varying: UInt64(part)) }
        append(counted: completion.result)
    }
}

extension ByteReader {
    mutating func storedUpload() -> StoredUpload? {
        guard let bucket = varying(), let number = varying(), let key = counted(), let initiated = varying(),
            let attributes = counted()
        else { return nil }
        let record = UploadRecord(
            number: UploadNumber(number), key: ObjectKey(stored: key),
            initiated: Timestamp(milliseconds: Int64(bitPattern: initiated)), attributes: attributes)
        return StoredUpload(record: record, bucket: BucketID(bitPattern: bucket))
    }

    mutating func storedPart() -> StoredPart? {
        guard let number = varying(), number <= UInt64(PartNumber.valueMax), let etag = etag(), let size = varying(),
            let modified = varying(), let location = location(), let checksum = counted()
        else { return nil }
        let record = PartRecord(
            number: Int(number), etag: etag, size: size,
            lastModified: Timestamp(milliseconds: Int64(bitPattern: modified)),
            checksum: checksum.withUnsafeBytes { Checksum(stored: $0) })
        return StoredPart(record: record, location: location)
    }

    mutating func completion() -> Completion? {
        guard let upload = varying(), let count = varying(), count <= UInt64(PartNumber.valueMax) else { return nil }
        var parts: [Int] = []
        for _ in 0..<count {
            guard let part = varying(), part <= UInt64(PartNumber.valueMax) else { return nil }
            parts.append(Int(part))
        }
        guard let result = counted() else { return nil }
        return Completion(upload: UploadNumber(upload), parts: parts, result: result)
    }
}

// MARK: - Fields of a bucket

extension [UInt8] {
    mutating func append(_ bucket: StoredBucket) {
        append(varying: UInt64(bitPattern: bucket.id))
        append(varying: UInt64(bitPattern: bucket.scope.value))
        append(counted: bucket.record.name.text.utf8)
        append(varying: UInt64(bitPattern: bucket.record.created.milliseconds))
        append(counted: bucket.record.region.utf8)
        append(counted: bucket.record.settings)
        if bucket.record.versioning != .never { append(bucket.record.versioning.rawValue) }
    }
}

extension ByteReader {
    mutating func storedBucket() -> StoredBucket? {
        guard let id = varying(), let scope = varying(), let name = text().flatMap(BucketName.init),
            let created = varying(), let region = text(), let settings = counted()
        else { return nil }
        // The last byte is missing in records of an older Shoal and of buckets without versions.
        let versioning = isAtEnd ? Versioning.never : byte().flatMap(Versioning.init(rawValue:))
        guard let versioning else { return nil }
        let record = BucketRecord(
            name: name, created: Timestamp(milliseconds: Int64(bitPattern: created)), region: region,
            settings: settings, versioning: versioning)
        return StoredBucket(id: BucketID(bitPattern: id), scope: ScopeNumber(Int64(bitPattern: scope)), record: record)
    }
}

// MARK: - Messages of the outbox

extension [UInt8] {
    mutating func append(_ messages: [OutboxMessage]) {
        append(varying: UInt64(messages.count))
        for message in messages {
            append(counted: message.destination.utf8)
            append(counted: message.subject)
            append(counted: message.body)
            append(varying: UInt64(bitPattern: message.created.milliseconds))
        }
    }
}

extension ByteReader {
    mutating func messages() -> [OutboxMessage]? {
        guard let count = varying(), count <= UInt64(LogRecord.payloadByteCountMax) else { return nil }
        var messages: [OutboxMessage] = []
        for _ in 0..<count {
            guard let destination = text(), let subject = counted(), let body = counted(), let created = varying()
            else { return nil }
            messages.append(
                OutboxMessage(
                    destination: destination, subject: subject, body: body,
                    created: Timestamp(milliseconds: Int64(bitPattern: created))))
        }
        return messages
    }
}
