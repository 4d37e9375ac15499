import ShoalS3

/// A write that waits for its turn.
struct CommitRequest: Sendable {
    enum Write: Sendable {
        case put(ObjectRecord, DiskBody, @Sendable (Result<ObjectRecord, StoreError>) -> Void)
        case delete(ObjectKey, Timestamp, @Sendable (Result<ObjectRecord?, StoreError>) -> Void)
        case part(UploadNumber, PartRecord, DiskBody, @Sendable (Result<PartRecord, StoreError>) -> Void)
    }

    let scope: ScopeNumber
    let bucket: BucketName
    let write: Write
    let condition: CommitCondition?
    /// What already went wrong with the body; the commit then only tells it.
    let failure: StoreError?
    /// What goes to the outbox with it.
    let announcement: Announcement?
}

/// The answer to one request, to be told outside of the lock.
struct CommitOutcome: Sendable {
    let write: CommitRequest.Write
    /// The object put, or the one deleted if there was one.
    var result: Result<ObjectRecord?, StoreError>

    func tell() {
        switch write {
        case .put(let object, _, let completion): completion(result.map { $0 ?? object })
        case .delete(_, _, let completion): completion(result)
        case .part(_, let part, _, let completion): completion(result.map { _ in part })
        }
    }
}
