import ShoalS3
import ShoalStore

/// What goes on as it is.
extension FaultyStore {
    func createBucket(_ bucket: BucketRecord) throws(StoreError) { try base.createBucket(bucket) }

    func updateBucket(
        _ name: BucketName, announcing messages: [OutboxMessage],
        _ change: @Sendable (inout BucketRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        try base.updateBucket(name, announcing: messages, change)
    }

    func bucket(_ name: BucketName) -> BucketRecord? { base.bucket(name) }

    func deleteBucket(_ name: BucketName) throws(StoreError) { try base.deleteBucket(name) }

    func buckets() -> [BucketRecord] { base.buckets() }

    func updateAttributes(
        of path: ObjectPath, version: ObjectVersion?, announcing announcement: Announcement?,
        _ change: @Sendable (ObjectRecord) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> ObjectRecord? {
        try base.updateAttributes(of: path, version: version, announcing: announcement, change)
    }

    func deleteVersion(
        _ path: ObjectPath, _ version: ObjectVersion, announcing announcement: Announcement?,
        approve: @Sendable (ObjectRecord, _ isLatest: Bool) throws(StoreError) -> Void
    ) throws(StoreError) -> ObjectRecord? {
        try base.deleteVersion(path, version, announcing: announcement, approve: approve)
    }

    func flush() { base.flush() }

    /// What conditions of writes are judged by, which know no faults of reads.
    func record(of path: ObjectPath) throws(StoreError) -> ObjectRecord? { try base.record(of: path) }

    func record(of path: ObjectPath, version: ObjectVersion) throws(StoreError) -> ObjectRecord? {
        try base.record(of: path, version: version)
    }

    func listVersions(_ bucket: BucketName, _ query: VersionQuery) throws(StoreError) -> VersionPage {
        try base.listVersions(bucket, query)
    }

    // MARK: Multipart uploads

    func createUpload(
        _ path: ObjectPath, initiated: Timestamp, attributes: [UInt8]
    ) throws(StoreError) -> UploadRecord {
        try base.createUpload(path, initiated: initiated, attributes: attributes)
    }

    func upload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord? { base.upload(number, in: bucket) }

    func parts(of upload: UploadNumber, after marker: Int, limit: Int) throws(StoreError) -> [PartRecord] {
        try base.parts(of: upload, after: marker, limit: limit)
    }

    func endedUpload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord? {
        base.endedUpload(number, in: bucket)
    }

    func completedUpload(_ number: UploadNumber, in bucket: BucketName) throws(StoreError) -> CompletedUpload? {
        try base.completedUpload(number, in: bucket)
    }

    func abortUpload(_ number: UploadNumber, in bucket: BucketName) throws(StoreError) {
        try base.abortUpload(number, in: bucket)
    }

    func listUploads(_ bucket: BucketName, _ query: UploadQuery) throws(StoreError) -> UploadPage {
        try base.listUploads(bucket, query)
    }

    // MARK: The outbox

    func outbox(
        of destination: String, after position: OutboxEntry.Position?, limit: Int
    ) throws(StoreError) -> [OutboxEntry] {
        try base.outbox(of: destination, after: position, limit: limit)
    }

    func outboxEntry(at position: OutboxEntry.Position, of destination: String) throws(StoreError) -> OutboxEntry? {
        try base.outboxEntry(at: position, of: destination)
    }

    func removeFromOutbox(_ position: OutboxEntry.Position, of destination: String) throws(StoreError) {
        try base.removeFromOutbox(position, of: destination)
    }

    func outboxCounts() throws(StoreError) -> [OutboxCount] { try base.outboxCounts() }

    // MARK: The whole store

    func scoped(to scope: ScopeNumber) -> any ObjectStore { base.scoped(to: scope) }

    var scopes: Set<ScopeNumber> { base.scopes }

    func removeBuckets() throws(StoreError) { try base.removeBuckets() }

    func reset() throws(StoreError) { try base.reset() }

    func close() { base.close() }
}
