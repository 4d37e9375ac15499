import ShoalCrypto
import ShoalS3
import ShoalSeeded
import ShoalStore
import Testing

/// What every `ObjectStore` does.
@Suite struct `An object store` {
    private func store(_ kind: StoreKind, _ directory: TemporaryDirectory) throws -> any ObjectStore {
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        return store
    }

    // MARK: Buckets

    @Test(arguments: StoreKind.all)
    func `lists buckets by name with what they were created with`(kind: StoreKind) throws {
        let directory = TemporaryDirectory()
        let store = try kind.open(directory)
        #expect(store.buckets().isEmpty)
        for name in ["zebra", "apple", "mango"] { try store.createBucket(.named(BucketName(good: name))) }
        #expect(store.buckets().map(\.name.text) == ["apple", "mango", "zebra"])
        let apple = BucketName(good: "apple")
        let before = try #require(store.bucket(apple))
        try store.updateBucket(apple) { $0.settings += [1, 2, 3] }
        let record = BucketRecord(
            name: apple, created: before.created, region: before.region, settings: before.settings + [1, 2, 3])
        #expect(store.bucket(apple) == record)
        store.close()
        let again = try kind.open(directory)
        #expect(again.buckets().map(\.name.text) == ["apple", "mango", "zebra"])
        #expect(again.bucket(record.name) == record)
    }

    @Test(arguments: StoreKind.all)
    func `refuses a bucket that exists and one that does not`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let absent = BucketName(good: "absent")
        #expect(throws: StoreError.bucketExists) { try store.createBucket(.named(photos)) }
        #expect(throws: StoreError.noSuchBucket) { try store.updateBucket(absent) { _ in } }
        #expect(throws: StoreError.noSuchBucket) { try store.deleteBucket(absent) }
        #expect(throws: StoreError.noSuchBucket) { try store.record(of: path("a", in: absent)) }
        #expect(throws: StoreError.noSuchBucket) { try store.openObject(path("a", in: absent)) }
        #expect(throws: StoreError.noSuchBucket) { try store.list(absent, ListQuery()) }
        await #expect(throws: StoreError.noSuchBucket) { try await store.put([1], as: "a", in: absent) }
        await #expect(throws: StoreError.noSuchBucket) { try await store.delete("a", in: absent) }
        #expect(store.bucket(absent) == nil)
    }

    @Test(arguments: StoreKind.all)
    func `deletes a bucket only when its last object is gone`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([1], as: "a")
        #expect(throws: StoreError.bucketNotEmpty) { try store.deleteBucket(photos) }
        try await store.delete("a")
        try store.deleteBucket(photos)
        #expect(store.bucket(photos) == nil)
        try store.createBucket(.named(photos))
        #expect(try store.list(photos, ListQuery()).entries.isEmpty)
        #expect(try store.bytes(of: "a") == nil)
    }

    // MARK: Objects

    @Test(arguments: StoreKind.all, [0, 1, 4_096, 8_192, 8_193, 262_144, 262_145, 1_000_000])
    func `gives back the bytes it was given, whatever their number`(kind: StoreKind, count: Int) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = generator.bytes(count)
        try await store.put(bytes, as: "a")
        #expect(try store.bytes(of: "a") == bytes)
        store.close()
        #expect(try kind.open(directory).bytes(of: "a") == bytes)
    }

    @Test(arguments: StoreKind.all)
    func `keeps everything of a record`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let checksums: [Checksum?] =
            [
                nil, Checksum(.crc32, kind: .composite, text: "AAAAAA==-3"),
                Checksum(.sha1, kind: .fullObject, text: "no base 64"),
            ]
            + ChecksumAlgorithm.allCases.map { Checksum($0, digest: [UInt8](repeating: 7, count: $0.byteCount)) }
        let etags = [
            "d41d8cd98f00b204e9800998ecf8427e", "D41D8CD98F00B204E9800998ECF8427E",
            "d41d8cd98f00b204e9800998ecf8427e-12", "",
        ]
        var records: [ObjectRecord] = []
        for (index, checksum) in checksums.enumerated() {
            for (other, etag) in etags.enumerated() {
                let record = ObjectRecord(
                    key: ObjectKey(stored: Array("k\(index)-\(other)".utf8)), etag: ETag(unquoted: etag), size: 0,
                    lastModified: Timestamp(milliseconds: Int64(index) * 1_000 - 1),
                    attributes: [UInt8](repeating: 1, count: other), checksum: checksum)
                records.append(record)
                #expect(await store.commit(record, try store.stage([])) == .success(record))
            }
        }
        for record in records { #expect(try store.record(of: path(record.key)) == record) }
        let listed = try store.list(photos, ListQuery()).entries
        #expect(listed == records.sorted { $0.key < $1.key }.map { .object($0) })
        for record in records { #expect(try store.record(of: path(record.key)) == record) }
        store.close()
        let again = try kind.open(directory)
        for record in records { #expect(try again.record(of: path(record.key)) == record) }
    }

    @Test(arguments: StoreKind.all)
    func `keeps keys apart that only their bytes tell apart`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let keys = ["\u{e9}", "e\u{301}", "a", "A", "a/", "/a", "a\u{0}", "\u{10FFFF}", " "].map { Array($0.utf8) }
        for (index, key) in keys.enumerated() { try await store.put([UInt8(index)], as: ObjectKey(stored: key)) }
        for (index, key) in keys.enumerated() {
            #expect(try store.bytes(of: ObjectKey(stored: key)) == [UInt8(index)])
        }
        #expect(try store.walk(photos, ListQuery(limit: 2)) == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test(arguments: StoreKind.all)
    func `replaces an object as a whole and lets a reader finish the old one`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        for size in [100, 300_000] {
            let old = [UInt8](repeating: 1, count: size)
            try await store.put(old, as: "a")
            let (_, reader) = try #require(try store.openObject(path("a")))
            try await store.put([2, 2], as: "a")
            #expect(try store.bytes(of: "a") == [2, 2])
            _ = try store.list(photos, ListQuery())
            #expect(try reader.contents() == old)
            #expect(try store.bytes(of: "a") == [2, 2])
        }
    }

    @Test(arguments: StoreKind.all)
    func `says what a delete removed`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        #expect(try await store.delete("a") == nil)
        let record = try await store.put([1, 2, 3], as: "a")
        #expect(try await store.delete("a") == record)
        #expect(try await store.delete("a") == nil)
        #expect(try store.record(of: path("a")) == nil)
        #expect(try store.openObject(path("a")) == nil)
        try await store.put([1, 2, 3], as: "a")
        _ = try store.list(photos, ListQuery())
        #expect(try await store.delete("a") == record)
        #expect(try store.list(photos, ListQuery()).entries.isEmpty)
    }

    // MARK: Bodies

    @Test(arguments: StoreKind.all, [10, 10_000, 300_000])
    func `takes exactly the announced number of bytes`(kind: StoreKind, size: Int) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let bytes = [UInt8](repeating: 5, count: size + 1)
        let writer = try store.beginBody(size: UInt64(size), lane: 3)
        #expect(throws: StoreError.bodyTooShort) { try writer.finish() }
        try bytes[..<(size - 1)].withUnsafeBytes { try writer.write($0) }
        #expect(throws: StoreError.bodyTooShort) { try writer.finish() }
        #expect(throws: StoreError.bodyTooLong) { try bytes[..<2].withUnsafeBytes { try writer.write($0) } }
        try bytes[..<1].withUnsafeBytes { try writer.write($0) }
        let body = try writer.finish()
        let record = ObjectRecord(
            key: "a", etag: ETag(md5: Digest.of(Array(bytes[..<size]), .md5)), size: UInt64(size),
            lastModified: Timestamp(seconds: 0))
        #expect(await store.commit(record, body) == .success(record))
        #expect(try store.bytes(of: "a") == Array(bytes[..<size]))
    }

    @Test(arguments: StoreKind.all, [10, 300_000])
    func `may be finished before the announced number of bytes, and keeps what came`(
        kind: StoreKind, announced: Int
    ) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        for (index, size) in [0, 3, announced - 1, announced].enumerated() {
            let bytes = [UInt8](repeating: UInt8(index), count: size)
            let writer = try store.beginBody(size: UInt64(announced), lane: 3)
            try bytes.withUnsafeBytes { try writer.write($0) }
            let record = ObjectRecord(
                key: "a", etag: ETag(md5: Digest.of(bytes, .md5)), size: UInt64(size),
                lastModified: Timestamp(seconds: 0))
            #expect(await store.commit(record, writer.finishShort()) == .success(record))
            try await store.put([9], as: "b", lane: 3)
            #expect(try store.bytes(of: "a") == bytes && store.bytes(of: "b") == [9])
        }
        let unused = try store.beginBody(size: UInt64(announced), lane: 3)
        _ = unused.finishShort()
        try await store.put([8], as: "b", lane: 3)
        #expect(try store.bytes(of: "b") == [8])
    }

    @Test(arguments: StoreKind.all)
    func `discards what was being received when it was reset`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([UInt8](repeating: 1, count: 300_000), as: "big")
        try await store.put([1], as: "small")
        let record = ObjectRecord(key: "b", etag: ETag(unquoted: ""), size: 3, lastModified: Timestamp(seconds: 0))
        let body = try store.stage([1, 2, 3])
        try store.reset()
        #expect(store.buckets().isEmpty)
        try store.createBucket(.named(photos))
        #expect(await store.commit(record, body) == .failure(.bodyDiscarded))
        #expect(try store.list(photos, ListQuery()).entries.isEmpty)
        try await store.put([9], as: "small")
        #expect(try store.bytes(of: "small") == [9])
        store.close()
        let again = try kind.open(directory)
        #expect(try again.walk(photos, ListQuery()) == [Array("small".utf8)])
        #expect(try again.bytes(of: "small") == [9])
    }

    @Test(arguments: StoreKind.all)
    func `refuses commits after it was closed`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let body = try store.stage([1])
        store.close()
        store.close()
        let record = ObjectRecord(key: "b", etag: ETag(unquoted: ""), size: 1, lastModified: Timestamp(seconds: 0))
        #expect(await store.commit(record, body) == .failure(.closed))
        #expect(throws: StoreError.closed) { try store.createBucket(.named(BucketName(good: "late"))) }
    }
}
