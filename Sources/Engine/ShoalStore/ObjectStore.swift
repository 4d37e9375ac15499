import ShoalS3

/// Buckets and objects, each object replaced as a whole: a reader sees the old one or the new one.
///
/// Everything may be called from any thread. What is marked *blocking* may wait for the disk and belongs on a pool; the
/// rest costs microseconds and may run on an event loop. The store knows no clock: times come with the records.
package protocol ObjectStore: Sendable {
    /// Blocking. Throws `bucketExists`.
    func createBucket(_ bucket: BucketRecord) throws(StoreError)

    /// Gives a bucket other settings or another state of versioning than it has, and puts `messages` in the outbox; changes
    /// of several threads come one after the other. Blocking. Throws `noSuchBucket` and what `change` throws.
    func updateBucket(
        _ name: BucketName, announcing messages: [OutboxMessage],
        _ change: @Sendable (inout BucketRecord) throws(StoreError) -> Void
    ) throws(StoreError)

    func bucket(_ name: BucketName) -> BucketRecord?

    /// Blocking. Throws `noSuchBucket`, and `bucketNotEmpty` if a single object is left.
    func deleteBucket(_ name: BucketName) throws(StoreError)

    /// Sorted by name.
    func buckets() -> [BucketRecord]

    /// A place for a body of exactly `size` bytes. `lane` is the number of the calling event loop: bodies of one lane
    /// never wait for those of another.
    func beginBody(size: UInt64, lane: Int) throws(StoreError) -> any BodyWriter

    /// Makes `body` the object `object.key` of `bucket` if `condition` holds when its turn comes. The completion is called
    /// once, on whatever thread, after a `flush` of any thread, and when the object is as durable as configured. It gets
    /// `noSuchBucket`, `preconditionFailed` or `noSuchObject` if the condition does not hold, or a failure of the disk.
    /// What the announcement says is in the outbox once the object is visible, here and in the changes below.
    func commitPut(
        _ object: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: CommitCondition?,
        announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord, StoreError>) -> Void)

    /// Removes the object; the completion gets what was removed, nil if there was none. In a bucket with versions it
    /// leaves a delete marker of that time instead, and the completion gets that. Otherwise as `commitPut`; nothing is
    /// announced if there was nothing to remove.
    func commitDelete(
        _ path: ObjectPath, at time: Timestamp, condition: CommitCondition?, announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord?, StoreError>) -> Void)

    /// Gives the object, or one version of it, other attributes than it has; everything else stays. Nil if the bucket has
    /// no such object or version; a delete marker is given back as it is. Blocking. Throws `noSuchBucket` and what `change`
    /// throws.
    func updateAttributes(
        of path: ObjectPath, version: ObjectVersion?, announcing announcement: Announcement?,
        _ change: @Sendable (ObjectRecord) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> ObjectRecord?

    /// Removes one version for good; if it was the current one, the one before it becomes current. Gives what was removed,
    /// nil if there was none. Blocking. Throws `noSuchBucket`, and what `approve` throws to the version that is to go.
    func deleteVersion(
        _ path: ObjectPath, _ version: ObjectVersion, announcing announcement: Announcement?,
        approve: @Sendable (ObjectRecord, _ isLatest: Bool) throws(StoreError) -> Void
    ) throws(StoreError) -> ObjectRecord?

    /// Commits what was enqueued by anybody; called at the end of an event loop's turn.
    func flush()

    /// The current object; nil if the bucket has none of that key, be it deleted. Throws `noSuchBucket`.
    func record(of path: ObjectPath) throws(StoreError) -> ObjectRecord?

    /// The current version, delete marker or not. Throws `noSuchBucket`.
    func current(_ path: ObjectPath) throws(StoreError) -> ObjectRecord?

    /// That version, delete marker or not. Blocking. Throws `noSuchBucket`.
    func record(of path: ObjectPath, version: ObjectVersion) throws(StoreError) -> ObjectRecord?

    /// As `openObject`, but not blocking: an object that was put together from parts is not opened.
    func openIfWhole(_ path: ObjectPath) throws(StoreError) -> ObjectOpening?

    /// The object with its bytes held open: overwriting or deleting it later does not disturb the reader.
    /// Nil if the bucket has no such object. Blocking. Throws `noSuchBucket`.
    func openObject(_ path: ObjectPath) throws(StoreError) -> (ObjectRecord, any BodyFile)?

    /// The same for one version; nil also for a delete marker. Blocking. Throws `noSuchBucket`.
    func openObject(
        _ path: ObjectPath, version: ObjectVersion
    ) throws(StoreError) -> (ObjectRecord, any BodyFile)?

    /// One page in key order; it holds every commit completed before the call. Blocking. Throws `noSuchBucket`.
    func list(_ bucket: BucketName, _ query: ListQuery) throws(StoreError) -> ListPage

    /// The same page shown to a sink, which is made when the reading begins: for a page of a thousand entries that become
    /// something else at once. True if there is at least one entry behind the last.
    func list<Sink: ListingSink>(
        _ bucket: BucketName, _ query: ListQuery, into makeSink: @Sendable () -> Sink
    ) throws(StoreError) -> (sink: Sink, isTruncated: Bool)

    /// One page of all versions, by key and from the latest to the first. Blocking. Throws `noSuchBucket`.
    func listVersions(_ bucket: BucketName, _ query: VersionQuery) throws(StoreError) -> VersionPage

    // MARK: Multipart uploads

    /// Begins an upload. Blocking. Throws `noSuchBucket`.
    func createUpload(
        _ path: ObjectPath, initiated: Timestamp, attributes: [UInt8]
    ) throws(StoreError) -> UploadRecord

    /// Nil unless the upload is open and belongs to the bucket.
    func upload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord?

    /// Makes `body` a part of an open upload, in place of an earlier one of its number. Otherwise as `commitPut`; throws
    /// `noSuchUpload`.
    func commitPart(
        _ part: PartRecord, of upload: UploadNumber, in bucket: BucketName, body: any StagedBody,
        completion: @escaping @Sendable (Result<PartRecord, StoreError>) -> Void)

    /// At most `limit` parts with numbers above `marker`, ascending, of an upload or of the object it became. Blocking.
    func parts(of upload: UploadNumber, after marker: Int, limit: Int) throws(StoreError) -> [PartRecord]

    /// Turns an open upload into `object`, whose body is that of `parts`, in their order; other parts go. No byte is
    /// copied. Blocking. `result` is kept for a while and comes back from `completedUpload`.
    ///
    /// Throws `noSuchBucket`, `noSuchUpload`, `partChanged` if a part is not what `parts` says, and what the condition
    /// gives; `overtaken` if it holds, but the key was written since the upload began.
    func completeUpload(
        _ upload: UploadNumber, as object: ObjectRecord, in bucket: BucketName, parts: [PartRecord],
        condition: CommitCondition?, result: [UInt8], announcing announcement: Announcement?
    ) throws(StoreError) -> ObjectRecord

    /// One of some thousand uploads that were completed or aborted last; a restart forgets them. It has no attributes.
    func endedUpload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord?

    /// One of the last thousand completed uploads. Blocking.
    func completedUpload(_ number: UploadNumber, in bucket: BucketName) throws(StoreError) -> CompletedUpload?

    /// Drops an open upload with its parts. Blocking. Throws `noSuchUpload`.
    func abortUpload(_ number: UploadNumber, in bucket: BucketName) throws(StoreError)

    /// One page of a bucket's open uploads by key and age. Blocking. Throws `noSuchBucket`.
    func listUploads(_ bucket: BucketName, _ query: UploadQuery) throws(StoreError) -> UploadPage

    // MARK: The outbox

    /// At most `limit` messages for a destination behind `position`, from the first if it is nil, in the order of commits;
    /// they hold those of every commit completed before the call. Blocking.
    func outbox(
        of destination: String, after position: OutboxEntry.Position?, limit: Int
    ) throws(StoreError) -> [OutboxEntry]

    /// A message that was read before; nil if it was removed. Blocking.
    func outboxEntry(at position: OutboxEntry.Position, of destination: String) throws(StoreError) -> OutboxEntry?

    /// Removes a message that was read, because it was delivered or given up. Blocking.
    func removeFromOutbox(_ position: OutboxEntry.Position, of destination: String) throws(StoreError)

    /// How many messages wait, by destination; it counts them one by one. Blocking.
    func outboxCounts() throws(StoreError) -> [OutboxCount]

    // MARK: The whole store

    /// The same store as another scope sees it, with buckets of its own. It is closed with the value it was made from.
    func scoped(to scope: ScopeNumber) -> any ObjectStore

    /// The scopes that have a bucket.
    var scopes: Set<ScopeNumber> { get }

    /// Removes every bucket of the scope with all that is in it, and no other scope's. Bodies that the scope receives are
    /// discarded: their commit fails. Blocking.
    func removeBuckets() throws(StoreError)

    /// Removes every bucket, object and message, of every scope. Bodies being received are discarded: their commit fails. Blocking.
    func reset() throws(StoreError)

    /// Commits what is enqueued, then refuses everything with `closed`. Blocking; a second call does nothing.
    func close()
}

/// What `openIfWhole` found.
package enum ObjectOpening: Sendable {
    case open(ObjectRecord, any BodyFile)
    case assembled(ObjectRecord)
    /// The current version is a delete marker.
    case deleted(ObjectRecord)
}
