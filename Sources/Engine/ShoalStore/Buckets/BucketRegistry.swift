import ShoalS3
import Synchronization

/// Every bucket, in memory. Changed under the commit lock only.
final class BucketRegistry: Sendable {
    private struct Place: Hashable {
        let scope: ScopeNumber
        let name: BucketName
    }

    private struct State {
        var buckets: [Place: StoredBucket] = [:]
        var nextID: BucketID = 1
    }

    private let state = Mutex(State())

    init(_ buckets: [StoredBucket]) {
        for bucket in buckets { put(bucket) }
    }

    func find(_ name: BucketName, in scope: ScopeNumber) -> StoredBucket? {
        state.withLock { $0.buckets[Place(scope: scope, name: name)] }
    }

    /// Of every scope.
    var all: [StoredBucket] { state.withLock { Array($0.buckets.values) } }

    func all(in scope: ScopeNumber) -> [StoredBucket] { all.filter { $0.scope == scope } }

    /// Above every id in use or used since the start.
    var nextID: BucketID { state.withLock { $0.nextID } }

    func put(_ bucket: StoredBucket) {
        state.withLock { state in
            state.buckets[Place(scope: bucket.scope, name: bucket.record.name)] = bucket
            state.nextID = max(state.nextID, bucket.id + 1)
        }
    }

    func remove(_ id: BucketID) {
        state.withLock { state in state.buckets = state.buckets.filter { $0.value.id != id } }
    }

    func removeAll() { state.withLock { $0.buckets = [:] } }
}
