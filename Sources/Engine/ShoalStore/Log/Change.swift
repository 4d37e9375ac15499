import ShoalS3

/// One step of the store's history: what the log records and the catalogue applies, in order.
enum Change: Sendable {
    case putObject(BucketID, StoredObject)
    case deleteObject(BucketID, ObjectKey)
    /// New attributes for the version that was written at that place in history.
    case updateObject(BucketID, ObjectKey, ordinal: UInt64, attributes: [UInt8])
    /// Removes that version for good.
    case deleteVersion(BucketID, ObjectKey, ordinal: UInt64)
    /// Creates the bucket or replaces its record.
    case putBucket(StoredBucket)
    /// Removes the bucket with everything in it.
    case deleteBucket(BucketID)
    case createUpload(StoredUpload)
    case putPart(UploadNumber, StoredPart)
    /// The upload becomes the object.
    case completeUpload(BucketID, StoredObject, Completion)
    case abortUpload(UploadNumber)

    var removesBucket: Bool { if case .deleteBucket = self { true } else { false } }

    /// The body that is named for the first time: its size and where it is.
    var newBody: (location: BodyLocation, size: UInt64)? {
        switch self {
        case .putObject(_, let object): (object.location, object.record.size)
        case .putPart(_, let part): (part.location, part.record.size)
        case .deleteObject, .updateObject, .deleteVersion, .putBucket, .deleteBucket, .createUpload, .completeUpload,
            .abortUpload:
            nil
        }
    }

    /// The object whose row it changes; nil for a change of anything else.
    var rowKey: OverlayKey? {
        switch self {
        case .putObject(let bucket, let object), .completeUpload(let bucket, let object, _):
            OverlayKey(bucket: bucket, key: object.record.key.bytes)
        case .deleteObject(let bucket, let key), .updateObject(let bucket, let key, _, _),
            .deleteVersion(let bucket, let key, _):
            OverlayKey(bucket: bucket, key: key.bytes)
        case .putBucket, .deleteBucket, .createUpload, .putPart, .abortUpload: nil
        }
    }
}
