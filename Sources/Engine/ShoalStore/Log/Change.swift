import ShoalS3

/// One step of the store's history: what the log records and the catalogue applies, in order.
enum Change: Sendable {
    case putObject(BucketID, StoredObject)
    case deleteObject(BucketID, ObjectKey)
    /// Creates the bucket or replaces its record.
    case putBucket(StoredBucket)
    case deleteBucket(BucketID)
}
