import ShoalHTTP
import ShoalS3
import ShoalStore

/// The version of an object that a copy reads.
struct CopyOriginal: Sendable {
    private let source: CopySource
    private let bucket: BucketRecord
    private let version: ObjectVersion?
    private let customerKey: CustomerKey?

    /// Throws what reading of that bucket by this caller throws, and 400 for an id and a customer's key that are none.
    init(_ source: CopySource, for request: S3Request, in world: World) throws(S3Error) {
        self.source = source
        customerKey = try CustomerKey.named(in: request.fields, .copySource)
        let versionID = source.versionID.map { Array($0.utf8)[...] }
        bucket = try world.bucket(
            source.path.bucket, for: request,
            target: AccessTarget(.getObject, source.path, versionID: versionID))
        try ExpectedBucketOwner.check(request.fields, owner: Accounts.accountNumber, ofCopySource: true)
        if let versionID {
            version = try VersionID.version(versionID, at: source.path, in: bucket)
        } else {
            version = nil
        }
    }

    /// The object and its bytes. Throws 404 `NoSuchKey` or `NoSuchVersion`, 412 `PreconditionFailed`, 400 for a delete
    /// marker that is named, 403 for an archived object, and what the customer's key of the source gets. Blocking.
    func open(
        if conditions: CopyConditions, at now: Timestamp, in world: World
    ) throws -> (record: ObjectRecord, file: any BodyFile) {
        do {
            guard let (record, file) = try find(in: world) else { throw try absence(in: world) }
            let attributes = ObjectAttributes(record)
            try attributes.encryption.checkReading(with: customerKey)
            try attributes.archive.checkCopying(at: now)
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

    /// What is said of an object that was not found.
    private func absence(in world: World) throws(StoreError) -> S3Error {
        guard let version else { return .noSuchKey(source.path.key) }
        guard try world.store.record(of: source.path, version: version) == nil else { return CopySource.isDeleteMarker }
        return .noSuchVersion(source.versionID ?? "", of: source.path.key)
    }

    /// Adds `x-amz-copy-source-version-id`, unless the source is the version called `null`.
    func addVersion(of record: ObjectRecord, to response: inout HTTPResponse) {
        guard !record.isNull else { return }
        response.add("x-amz-copy-source-version-id", VersionID.text(of: record.version, at: source.path))
    }
}
