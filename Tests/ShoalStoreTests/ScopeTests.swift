import ShoalS3
import ShoalStore
import Testing

/// What every `ObjectStore` keeps apart.
@Suite struct `The scopes of a store` {
    private let other = ScopeNumber(7)
    private let big = [UInt8](repeating: 1, count: 300_000)

    /// A store with a bucket of the same name in the main scope and in another.
    private func stores(
        _ kind: StoreKind, _ directory: TemporaryDirectory
    ) throws -> (main: any ObjectStore, other: any ObjectStore) {
        let main = try kind.open(directory)
        let stores = (main: main, other: main.scoped(to: other))
        try stores.main.createBucket(.named(photos))
        try stores.other.createBucket(.named(photos))
        return stores
    }

    /// One of everything that a bucket can hold.
    private func fill(_ store: any ObjectStore) async throws {
        try await store.put([1], as: "small")
        try await store.put(big, as: "big")
        let (done, open) = (try store.begin("film"), try store.begin("open"))
        try await store.putPart(big, 1, of: done)
        try await store.putPart([2], 2, of: done)
        try store.complete(done, "film", [1, 2])
        try await store.putPart(big, 1, of: open)
        try store.updateBucket(photos) { $0.versioning = .enabled }
        try await store.put([3], as: "small")
        try await store.put(big, as: "big")
        try await store.delete("small")
    }

    @Test(arguments: StoreKind.all)
    func `have buckets of one name that know nothing of each other`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        var (main, other) = try stores(kind, directory)
        try await main.put([1], as: "a")
        try await other.put([2, 2], as: "a")
        try await other.put([3], as: "b")
        for _ in 0..<2 {
            #expect(try main.bytes(of: "a") == [1])
            #expect(try other.bytes(of: "a") == [2, 2])
            #expect(try main.walk() == [Array("a".utf8)])
            #expect(try other.walk() == [Array("a".utf8), Array("b".utf8)])
            #expect(main.buckets().map(\.name) == [photos] && other.buckets().map(\.name) == [photos])
            #expect(main.scopes == [.main, self.other])
            main.close()
            main = try kind.open(directory)
            other = main.scoped(to: self.other)
        }
        try await main.delete("a")
        try main.deleteBucket(photos)
        #expect(main.bucket(photos) == nil)
        #expect(try other.bytes(of: "a") == [2, 2])
        await #expect(throws: StoreError.noSuchBucket) { try await main.put([1], as: "a") }
        let upload = try other.begin("film")
        try main.createBucket(.named(photos))
        #expect(main.upload(upload.number, in: photos) == nil)
        await #expect(throws: StoreError.noSuchUpload) { try await main.putPart([1], 1, of: upload) }
    }

    @Test(arguments: StoreKind.all)
    func `are emptied one at a time, of objects, versions, uploads and files`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let (main, other) = try stores(kind, directory)
        try await fill(main)
        try await fill(other)
        let kept = try main.listVersions(photos, VersionQuery()).entries
        try other.removeBuckets()
        #expect(other.buckets().isEmpty && main.scopes == [.main])
        try other.createBucket(.named(photos))
        #expect(try other.walk().isEmpty)
        #expect(try other.listVersions(photos, VersionQuery()).entries.isEmpty)
        #expect(try other.listUploads(photos, UploadQuery()).entries.isEmpty)
        #expect(try main.listVersions(photos, VersionQuery()).entries == kept)
        #expect(try main.contents(of: "film") == big + [2])
        if let disk = main as? DiskStore { try disk.settle() }
        main.close()
        let check = try StoreCheck(directory: directory.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
        // The object and its older version, one part of the film and one of the open upload.
        #expect(try directory.files(in: "blobs").count == 4)
    }

    @Test(arguments: StoreKind.all)
    func `are empty after a crash that followed at once`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let (main, other) = try stores(kind, directory)
        try await fill(other)
        try await main.put([1], as: "a")
        try other.removeBuckets()
        try await main.put([2], as: "b")
        let copy = try TemporaryDirectory.copy(of: directory.path)
        let again = try kind.open(copy)
        #expect(again.scopes == [.main])
        #expect(try again.walk() == [Array("a".utf8), Array("b".utf8)])
        if let disk = again as? DiskStore { try disk.settle() }
        again.close()
        let check = try StoreCheck(directory: copy.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
        #expect(try copy.files(in: "blobs").isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `discard what they received when they were emptied, and no other scope's`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let (main, other) = try stores(kind, directory)
        let record = ObjectRecord(key: "a", etag: ETag(unquoted: ""), size: 1, lastModified: Timestamp(seconds: 0))
        let (mine, theirs) = (try main.stage([1]), try other.stage([2]))
        try other.removeBuckets()
        try other.createBucket(.named(photos))
        #expect(await other.commit(record, theirs) == .failure(.bodyDiscarded))
        _ = try await main.commit(record, mine).get()
        _ = try await other.commit(record, try other.stage([3])).get()
        let late = try other.stage([4])
        try main.reset()
        try other.createBucket(.named(photos))
        #expect(await other.commit(record, late) == .failure(.bodyDiscarded))
    }
}
