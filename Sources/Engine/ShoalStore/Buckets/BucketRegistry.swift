import ShoalS3
import Synchronization

/// Every bucket, in memory. Changed under the commit lock only.
final class BucketRegistry: Sendable {
    private struct State {
        var buckets: [BucketName: StoredBucket] = [:]
        var nextID: BucketID = 1
    }

    private let state = Mutex(State())

    init(_ buckets: [StoredBucket]) {
        for bucket in buckets { put(bucket) }
    }

    func find(_ name: BucketName) -> StoredBucket? { state.withLock { $0.buckets[name] } }

    /// Throws `noSuchBucket`.
    func id(of name: BucketName) throws(StoreError) -> BucketID {
        guard let bucket = find(name) else { throw .noSuchBucket }
        return bucket.id
    }

    var all: [StoredBucket] { state.withLock { Array($0.buckets.values) } }

    /// Above every id in use or used since the start.
    var nextID: BucketID { state.withLock { $0.nextID } }

    func put(_ bucket: StoredBucket) {
        state.withLock { state in
            state.buckets[bucket.record.name] = bucket
            state.nextID = max(state.nextID, bucket.id + 1)
        }
    }

    func remove(_ id: BucketID) {
        state.withLock { state in state.buckets = state.buckets.filter { $0.value.id != id } }
    }

    func removeAll() { state.withLock { $0.buckets = [:] } }
}
