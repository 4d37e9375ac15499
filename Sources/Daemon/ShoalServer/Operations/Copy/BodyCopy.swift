import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalStore

/// A new body with bytes of a stored one.
struct BodyCopy {
    let body: any StagedBody
    let etag: ETag
    let checksum: Checksum

    private static let blockByteCount = 256 * 1_024

    /// Copies and digests. Blocking, for as long as the bytes take.
    init(of source: any BodyFile, _ range: Range<UInt64>, checksum algorithm: ChecksumAlgorithm, in world: World) throws
    {
        let writer = try world.store.beginBody(size: UInt64(range.count), lane: world.seedLane)
        let md5 = Digest(.md5)
        let running = RunningChecksum(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockByteCount, alignment: 64)
        defer { buffer.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let wanted = Int(min(UInt64(buffer.count), range.upperBound - position))
            let count = try source.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
            md5.update(bytes)
            running.update(bytes)
            try writer.write(bytes)
            position += UInt64(count)
        }
        body = try writer.finish()
        etag = ETag(md5: md5.finish())
        checksum = Checksum(algorithm, digest: running.finish())
    }
}

/// The version of an object that a copy reads.
struct CopyOriginal: Sendable {
    private let source: CopySource
    private let bucket: BucketRecord
    private let version: ObjectVersion?

    /// Throws what reading of that bucket by this caller throws, and 400 for an id that is none.
    init(_ source: CopySource, for request: S3Request, in world: World) throws(S3Error) {
        self.source = source
        bucket = try world.bucket(source.path.bucket, for: request, as: .getObject, at: source.path)
        if let id = source.versionID {
            version = try VersionID.version(Array(id.utf8)[...], at: source.path, in: bucket)
        } else {
            version = nil
        }
    }

    /// The object and its bytes. Throws 404 `NoSuchKey` or `NoSuchVersion`, 412 `PreconditionFailed`, and 400 for a delete
    /// marker that is named. Blocking.
    func open(
        if conditions: CopyConditions, at now: Timestamp, in world: World
    ) throws -> (record: ObjectRecord, file: any BodyFile) {
        do {
            if let version { try check(version, in: world) }
            guard let (record, file) = try find(in: world) else { throw S3Error.noSuchKey(source.path.key) }
            try conditions.check(etag: record.etag, lastModified: record.lastModified, now: now)
            return (record, file)
        } catch StoreError.noSuchBucket {
            throw S3Error.noSuchBucket(source.path.bucket)
        }
    }

    private func find(in world: World) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        guard let version else { return try world.store.openObject(source.path) }
        return try world.store.openObject(source.path, version: version)
    }

    private func check(_ version: ObjectVersion, in world: World) throws {
        guard let record = try world.store.record(of: source.path, version: version) else {
            throw S3Error(
                .noSuchVersion,
                elements: [
                    .init("Key", source.path.key.description), .init("VersionId", source.versionID ?? ""),
                ])
        }
        guard !record.isDeleteMarker else { throw CopySource.isDeleteMarker }
    }

    /// Adds `x-amz-copy-source-version-id` where the source's bucket has versions.
    func addVersion(of record: ObjectRecord, to response: inout HTTPResponse) {
        guard bucket.versioning != .never else { return }
        response.add("x-amz-copy-source-version-id", VersionID.text(of: record.version, at: source.path))
    }
}
