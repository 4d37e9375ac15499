import ShoalCrypto
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

extension CopySource {
    /// Throws what reading of that bucket by this caller throws, and 400 for a version in a bucket that has none.
    func check(for request: S3Request, in world: World) throws(S3Error) {
        _ = try world.bucket(path.bucket, for: request)
        guard let versionID, versionID != "null" else { return }
        throw .invalidArgument("Invalid version id specified", name: "versionId", value: versionID)
    }

    /// The object and its bytes. Throws 404 `NoSuchKey` and 412 `PreconditionFailed`. Blocking.
    func open(
        if conditions: CopyConditions, at now: Timestamp, in world: World
    ) throws -> (record: ObjectRecord, file: any BodyFile) {
        let opened: (ObjectRecord, any BodyFile)?
        do throws(StoreError) {
            opened = try world.store.openObject(path)
        } catch .noSuchBucket {
            throw S3Error.noSuchBucket(path.bucket)
        }
        guard let (record, file) = opened else { throw S3Error.noSuchKey(path.key) }
        try conditions.check(etag: record.etag, lastModified: record.lastModified, now: now)
        return (record, file)
    }
}
