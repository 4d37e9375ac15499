import ShoalS3
import ShoalSeeded
import ShoalStore
import Testing

@Suite struct `A store driven at random` {
    /// What is in the store, as a dictionary.
    private struct Model {
        var buckets: [BucketName: [ObjectKey: [UInt8]]] = [:]
    }

    @Test(arguments: StoreKind.all, [1, 2] as [UInt64])
    func `holds what a dictionary holds, across restarts`(kind: StoreKind, seed: UInt64) async throws {
        let directory = TemporaryDirectory()
        var generator = SeededGenerator(seed: seed)
        var store = try kind.open(directory)
        var model = Model()
        let names = ["one-bucket", "two-bucket"].map { BucketName(good: $0) }
        for step in 0..<300 {
            let bucket = names[Int.random(in: 0..<2, using: &generator)]
            let key = ObjectKey(stored: Array("key \(Int.random(in: 0..<20, using: &generator))".utf8))
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<50: try await put(key, bucket, store, &model, &generator)
            case 50..<75:
                let isThere = model.buckets[bucket]?[key] != nil
                guard model.buckets[bucket] != nil else { continue }
                #expect((try await store.delete(key, in: bucket) != nil) == isThere, "step \(step)")
                model.buckets[bucket]?[key] = nil
            case 75..<85: try changeBucket(bucket, store, &model)
            case 85..<95: try compare(store, model, step)
            case 95..<98:
                store.close()
                store = try kind.open(directory)
                try compare(store, model, step)
            default: break
            }
        }
        try compare(store, model, -1)
        store.close()
        if store is DiskStore {
            let check = try StoreCheck(directory: directory.path, verifyContent: true)
            #expect(check.isClean, "\(check.findings)")
            #expect(check.objectCount == model.buckets.values.reduce(0) { $0 + $1.count })
        }
    }

    private func put(
        _ key: ObjectKey, _ bucket: BucketName, _ store: any ObjectStore, _ model: inout Model,
        _ generator: inout SeededGenerator
    ) async throws {
        let size = [0, 1, 100, 5_000, 20_000, 300_000].randomElement(using: &generator) ?? 0
        let bytes = [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: size)
        if model.buckets[bucket] == nil {
            await #expect(throws: StoreError.noSuchBucket) { try await store.put(bytes, as: key, in: bucket) }
        } else {
            try await store.put(bytes, as: key, in: bucket, lane: Int.random(in: 0..<5, using: &generator))
            model.buckets[bucket]?[key] = bytes
        }
    }

    private func changeBucket(_ bucket: BucketName, _ store: any ObjectStore, _ model: inout Model) throws {
        switch model.buckets[bucket]?.isEmpty {
        case nil:
            try store.createBucket(.named(bucket))
            model.buckets[bucket] = [:]
        case true?:
            try store.deleteBucket(bucket)
            model.buckets[bucket] = nil
        case false?:
            #expect(throws: StoreError.bucketNotEmpty) { try store.deleteBucket(bucket) }
        }
    }

    private func compare(_ store: any ObjectStore, _ model: Model, _ step: Int) throws {
        #expect(store.buckets().map(\.name) == model.buckets.keys.sorted(), "step \(step)")
        for (bucket, objects) in model.buckets {
            #expect(
                try store.walk(bucket, ListQuery(limit: 3))
                    == objects.keys.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
            for (key, bytes) in objects { #expect(try store.bytes(of: key, in: bucket) == bytes, "step \(step)") }
        }
    }
}
