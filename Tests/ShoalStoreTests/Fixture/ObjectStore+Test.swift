import ShoalCrypto
import ShoalS3
import ShoalStore
import Testing

extension BucketName {
    /// A name known to be good.
    init(good text: String) {
        guard let name = BucketName(text) else { preconditionFailure("a bad bucket name: \(text)") }
        self = name
    }
}

extension ObjectKey: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(stored: Array(text.utf8)) }
}

let photos = BucketName(good: "photos")

func path(_ key: ObjectKey, in bucket: BucketName = photos) -> ObjectPath { ObjectPath(bucket: bucket, key: key) }

extension BucketRecord {
    static func named(_ name: BucketName) -> BucketRecord {
        BucketRecord(name: name, created: Timestamp(seconds: 1_700_000_000), region: "us-east-1")
    }
}

/// The store's operations in the form tests want: one at a time, waiting for the end.
extension ObjectStore {
    func stage(_ bytes: [UInt8], lane: Int = 0) throws -> any StagedBody {
        let writer = try beginBody(size: UInt64(bytes.count), lane: lane)
        try bytes.withUnsafeBytes { try writer.write($0) }
        return try writer.finish()
    }

    @discardableResult
    func put(
        _ bytes: [UInt8], as key: ObjectKey, in bucket: BucketName = photos, if condition: CommitCondition? = nil,
        attributes: [UInt8] = [], checksum: Checksum? = nil, lane: Int = 0
    ) async throws -> ObjectRecord {
        let body = try stage(bytes, lane: lane)
        let record = ObjectRecord(
            key: key, etag: ETag(md5: Digest.of(bytes, .md5)), size: UInt64(bytes.count),
            lastModified: Timestamp(milliseconds: 1_700_000_000_123), attributes: attributes, checksum: checksum)
        return try await commit(record, body, in: bucket, if: condition).get()
    }

    func commit(
        _ record: ObjectRecord, _ body: any StagedBody, in bucket: BucketName = photos,
        if condition: CommitCondition? = nil
    ) async -> Result<ObjectRecord, StoreError> {
        await withCheckedContinuation { continuation in
            commitPut(record, in: bucket, body: body, condition: condition) { continuation.resume(returning: $0) }
            flush()
        }
    }

    @discardableResult
    func delete(
        _ key: ObjectKey, in bucket: BucketName = photos, if condition: CommitCondition? = nil
    ) async throws -> ObjectRecord? {
        let result = await withCheckedContinuation { continuation in
            commitDelete(
                ObjectPath(bucket: bucket, key: key), at: Timestamp(milliseconds: 1_700_000_001_000),
                condition: condition
            ) {
                continuation.resume(returning: $0)
            }
            flush()
        }
        return try result.get()
    }

    /// Nil if there is no such object.
    func bytes(of key: ObjectKey, in bucket: BucketName = photos) throws -> [UInt8]? {
        guard let (record, file) = try openObject(ObjectPath(bucket: bucket, key: key)) else { return nil }
        let bytes = try file.contents()
        #expect(record.size == UInt64(bytes.count))
        #expect(record.etag == ETag(md5: Digest.of(bytes, .md5)), "the bytes of \(key) are not those of its record")
        return bytes
    }

    /// Keys and roll-ups of all pages of at most `limit` entries.
    func walk(_ bucket: BucketName = photos, _ query: ListQuery = ListQuery()) throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var startAfter = query.startAfter
        while true {
            let page = try list(
                bucket,
                ListQuery(
                    prefix: query.prefix, delimiter: query.delimiter, startAfter: startAfter, limit: query.limit))
            #expect(page.entries.count <= query.limit)
            entries += page.entries.map(\.bytes)
            guard page.isTruncated, let last = page.last else { return entries }
            startAfter = last
        }
    }
}

// MARK: - Uploads

extension ObjectStore {
    func begin(_ key: ObjectKey, attributes: [UInt8] = []) throws -> UploadRecord {
        try createUpload(
            ObjectPath(bucket: photos, key: key), initiated: Timestamp(milliseconds: 1_700_000_000_456),
            attributes: attributes)
    }

    @discardableResult
    func putPart(
        _ bytes: [UInt8], _ number: Int, of upload: UploadRecord, in bucket: BucketName = photos
    ) async throws -> PartRecord {
        let part = PartRecord(
            number: number, etag: ETag(md5: Digest.of(bytes, .md5)), size: UInt64(bytes.count),
            lastModified: Timestamp(milliseconds: 1_700_000_000_789),
            checksum: Checksum(.crc32, digest: [0, 0, 0, UInt8(number)]))
        return try await putPart(part, try stage(bytes), of: upload, in: bucket)
    }

    @discardableResult
    func putPart(
        _ part: PartRecord, _ body: any StagedBody, of upload: UploadRecord, in bucket: BucketName = photos
    ) async throws -> PartRecord {
        let result = await withCheckedContinuation { continuation in
            commitPart(part, of: upload.number, in: bucket, body: body) { continuation.resume(returning: $0) }
            flush()
        }
        return try result.get()
    }

    /// Completes the upload with the parts of these numbers, as they are now.
    @discardableResult
    func complete(
        _ upload: UploadRecord, _ key: ObjectKey, _ numbers: [Int], if condition: CommitCondition? = nil,
        result: [UInt8] = []
    ) throws -> ObjectRecord {
        let parts = try parts(of: upload.number, after: 0, limit: 10_000).filter { numbers.contains($0.number) }
        let object = ObjectRecord(
            key: key, etag: ETag(unquoted: "00112233445566778899aabbccddeeff-\(numbers.count)"),
            size: parts.reduce(0) { $0 + $1.size }, lastModified: upload.initiated,
            attributes: upload.attributes, upload: upload.number)
        return try completeUpload(
            upload.number, as: object, in: photos, parts: parts, condition: condition, result: result)
    }

    /// The bytes of an object whose tag is not that of its bytes.
    func contents(of key: ObjectKey) throws -> [UInt8]? {
        guard let (record, file) = try openObject(ObjectPath(bucket: photos, key: key)) else { return nil }
        #expect(record.size == file.length)
        return try file.contents()
    }
}
