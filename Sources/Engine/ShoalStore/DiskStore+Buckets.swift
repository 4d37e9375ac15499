import ShoalS3
import ShoalSQLite

extension DiskStore {
    func storedBucket(_ name: BucketName) -> StoredBucket? { registry.find(name, in: scope) }

    /// Throws `noSuchBucket`.
    func bucketID(_ name: BucketName) throws(StoreError) -> BucketID {
        guard let bucket = storedBucket(name) else { throw .noSuchBucket }
        return bucket.id
    }

    package func bucket(_ name: BucketName) -> BucketRecord? { storedBucket(name)?.record }

    package func buckets() -> [BucketRecord] { registry.all(in: scope).map(\.record).sorted { $0.name < $1.name } }

    package func createBucket(_ bucket: BucketRecord) throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            guard storedBucket(bucket.name) == nil else { throw .bucketExists }
            let stored = StoredBucket(id: registry.nextID, scope: scope, record: bucket)
            try committer.log(.putBucket(stored), &state)
            registry.put(stored)
        }
    }

    package func updateBucket(
        _ name: BucketName, announcing messages: [OutboxMessage],
        _ change: @Sendable (inout BucketRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            guard let current = storedBucket(name) else { throw .noSuchBucket }
            var record = current.record
            try change(&record)
            let stored = StoredBucket(id: current.id, scope: current.scope, record: record)
            try committer.log(.putBucket(stored), announcing: messages, &state)
            registry.put(stored)
        }
    }

    package func deleteBucket(_ name: BucketName) throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            let id = try bucketID(name)
            // With the lock held nothing comes in, so the catalogue then knows every object there is.
            try applier.applyAll()
            let isEmpty = try readers.read { (reader) throws(SQLiteError) in try !reader.hasObjects(id) }
            guard isEmpty else { throw .bucketNotEmpty }
            try committer.log(.deleteBucket(id), &state)
            registry.remove(id)
            uploads.removeAll(of: id)
        }
    }

    package var scopes: Set<ScopeNumber> { Set(registry.all.map(\.scope)) }

    package func removeBuckets() throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            let count = state.resets.note(scope)
            // Last, as in `reset`.
            defer { epoch.set(count) }
            for bucket in registry.all(in: scope) {
                try committer.log(.deleteBucket(bucket.id), &state)
                registry.remove(bucket.id)
                uploads.removeAll(of: bucket.id)
            }
        }
    }

    package func reset() throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            state.lastSequence += 1
            try applier.clear(at: state.lastSequence)
            registry.removeAll()
            uploads.removeAll()
            // What is logged is void, and goes.
            state.log.rotate()
            // Last, so that every body of the old epoch and none of the new one was begun before the removal.
            defer { epoch.set(state.resets.noteAll()) }
            // The bodies go only when no power cut can bring their names back.
            if options.durability == .power { try upkeep.synchronizeCatalogue() }
            try segments.removeAll()
        }
        // Blobs without an object are what a sweep removes.
        work.sweep()
    }
}
