import ShoalS3
import ShoalStore
import Synchronization

/// Commits for threads that have nothing else to do meanwhile; never for an event loop.
extension ObjectStore {
    /// `commitPut`, waiting for its end.
    func put(
        _ record: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: CommitCondition? = nil,
        announcing announcement: Announcement? = nil
    ) throws(StoreError) -> ObjectRecord {
        try waiting {
            commitPut(
                record, in: bucket, body: body, condition: condition, announcing: announcement, completion: $0)
        }
    }

    /// `commitPart`, waiting for its end.
    func put(
        _ part: PartRecord, of upload: UploadNumber, in bucket: BucketName, body: any StagedBody
    ) throws(StoreError) -> PartRecord {
        try waiting { commitPart(part, of: upload, in: bucket, body: body, completion: $0) }
    }

    /// `commitDelete`, waiting for its end.
    func delete(
        _ path: ObjectPath, at time: Timestamp, condition: CommitCondition? = nil,
        announcing announcement: Announcement? = nil
    ) -> Result<ObjectRecord?, StoreError> {
        Result { () throws(StoreError) in
            try waiting {
                commitDelete(path, at: time, condition: condition, announcing: announcement, completion: $0)
            }
        }
    }

    /// Deletes each object that is still as it was, waiting for the last one; how many there were.
    func deleteUnchanged(
        _ records: [ObjectRecord], in bucket: BucketName, at time: Timestamp,
        announcing announcement: (ObjectKey) -> Announcement?
    ) throws(StoreError) -> Int {
        let outcomes = records.map { record in
            let outcome = Outcome<ObjectRecord?>()
            commitDelete(
                ObjectPath(bucket: bucket, key: record.key), at: time, condition: .ifStill(record),
                announcing: announcement(record.key), completion: outcome.set)
            return outcome
        }
        flush()
        var count = 0
        for outcome in outcomes {
            switch outcome.wait() {
            case .success: count += 1
            case .failure(.preconditionFailed), .failure(.noSuchObject): continue
            case .failure(let error): throw error
            }
        }
        return count
    }

    private func waiting<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
    ) throws(StoreError) -> Value {
        let outcome = Outcome<Value>()
        start { outcome.set($0) }
        flush()
        return try outcome.wait().get()
    }
}

/// What another thread will say.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreError>?>(nil)
    private let done = Semaphore()

    func set(_ value: Result<Value, StoreError>) {
        result.withLock { $0 = value }
        done.signal()
    }

    func wait() -> Result<Value, StoreError> {
        done.wait()
        return result.withLock { $0 } ?? .failure(.closed)
    }
}
