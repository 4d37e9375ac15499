import ShoalS3

/// The changes of which nobody is told.
extension ObjectStore {
    package func updateBucket(
        _ name: BucketName, _ change: @Sendable (inout BucketRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        try updateBucket(name, announcing: [], change)
    }

    package func commitPut(
        _ object: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: CommitCondition?,
        completion: @escaping @Sendable (Result<ObjectRecord, StoreError>) -> Void
    ) {
        commitPut(
            object, in: bucket, body: body, condition: condition, announcing: nil, completion: completion)
    }

    package func commitDelete(
        _ path: ObjectPath, at time: Timestamp, condition: CommitCondition?,
        completion: @escaping @Sendable (Result<ObjectRecord?, StoreError>) -> Void
    ) {
        commitDelete(path, at: time, condition: condition, announcing: nil, completion: completion)
    }

    package func updateAttributes(
        of path: ObjectPath, version: ObjectVersion?,
        _ change: @Sendable (ObjectRecord) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> ObjectRecord? {
        try updateAttributes(of: path, version: version, announcing: nil, change)
    }

    package func deleteVersion(
        _ path: ObjectPath, _ version: ObjectVersion,
        approve: @Sendable (ObjectRecord, _ isLatest: Bool) throws(StoreError) -> Void
    ) throws(StoreError) -> ObjectRecord? {
        try deleteVersion(path, version, announcing: nil, approve: approve)
    }

    package func completeUpload(
        _ upload: UploadNumber, as object: ObjectRecord, in bucket: BucketName, parts: [PartRecord],
        condition: CommitCondition?, result: [UInt8]
    ) throws(StoreError) -> ObjectRecord {
        try completeUpload(
            upload, as: object, in: bucket, parts: parts, condition: condition, result: result, announcing: nil)
    }
}
