import ShoalS3

/// Buckets and objects, each object replaced as a whole: a reader sees the old one or the new one.
///
/// Everything may be called from any thread. What is marked *blocking* may wait for the disk and belongs on a pool; the
/// rest costs microseconds and may run on an event loop. The store knows no clock: times come with the records.
package protocol ObjectStore: Sendable {
    /// Blocking. Throws `bucketExists`.
    func createBucket(_ bucket: BucketRecord) throws(StoreError)

    /// Replaces region, time and settings of an existing bucket. Blocking. Throws `noSuchBucket`.
    func updateBucket(_ bucket: BucketRecord) throws(StoreError)

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
    func commitPut(
        _ object: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: WriteCondition?,
        completion: @escaping @Sendable (Result<ObjectRecord, StoreError>) -> Void)

    /// Removes the object; the completion gets what was removed, nil if there was none. Otherwise as `commitPut`.
    func commitDelete(
        _ path: ObjectPath, condition: WriteCondition?,
        completion: @escaping @Sendable (Result<ObjectRecord?, StoreError>) -> Void)

    /// Commits what was enqueued by anybody; called at the end of an event loop's turn.
    func flush()

    /// Nil if the bucket has no such object. Throws `noSuchBucket`.
    func record(of path: ObjectPath) throws(StoreError) -> ObjectRecord?

    /// The object with its bytes held open: overwriting or deleting it later does not disturb the reader.
    /// Nil if the bucket has no such object. Throws `noSuchBucket`.
    func openObject(_ path: ObjectPath) throws(StoreError) -> (ObjectRecord, any BodyFile)?

    /// One page in key order; it holds every commit completed before the call. Blocking. Throws `noSuchBucket`.
    func list(_ bucket: BucketName, _ query: ListQuery) throws(StoreError) -> ListPage

    /// Removes every bucket and object. Bodies being received are discarded: their commit fails. Blocking.
    func reset() throws(StoreError)

    /// Commits what is enqueued, then refuses everything with `closed`. Blocking; a second call does nothing.
    func close()
}
