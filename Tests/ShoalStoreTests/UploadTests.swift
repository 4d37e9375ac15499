import ShoalCrypto
import ShoalS3
import ShoalSeeded
import ShoalStore
import Testing

/// What every `ObjectStore` does with uploads in parts.
@Suite struct `An upload in parts` {
    private func store(_ kind: StoreKind, _ directory: TemporaryDirectory) throws -> any ObjectStore {
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        return store
    }

    private static let sizes = [300_000, 5, 0, 4_000]

    private func bytes(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: Self.sizes[number % Self.sizes.count])
    }

    @Test(arguments: StoreKind.all)
    func `becomes one object of the chosen parts in their order`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        var store = try store(kind, directory)
        let upload = try store.begin("film", attributes: [7])
        for number in [3, 1, 2, 4, 5] { try await store.putPart(bytes(number), number, of: upload) }
        #expect(try store.record(of: path("film")) == nil)
        #expect(try store.list(photos, ListQuery()).entries.isEmpty)
        let record = try store.complete(upload, "film", [1, 3, 4, 5], result: [9])
        let expected = bytes(1) + bytes(3) + bytes(4) + bytes(5)
        for _ in 0..<2 {
            #expect(try store.record(of: path("film")) == record)
            #expect(record.upload == upload.number)
            #expect(try store.contents(of: "film") == expected)
            #expect(try store.parts(of: upload.number, after: 0, limit: 10).map(\.number) == [1, 3, 4, 5])
            #expect(try store.parts(of: upload.number, after: 1, limit: 2).map(\.number) == [3, 4])
            #expect(store.upload(upload.number, in: photos) == nil)
            #expect(try store.completedUpload(upload.number, in: photos)?.result == [9])
            #expect(try store.completedUpload(upload.number, in: photos)?.upload == upload)
            store.close()
            #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
            store = try kind.open(directory)
        }
    }

    @Test(arguments: StoreKind.all)
    func `keeps the last body of a part that came twice`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let upload = try store.begin("film")
        try await store.putPart(bytes(4), 1, of: upload)
        let second = try await store.putPart([1, 2, 3], 1, of: upload)
        #expect(try store.parts(of: upload.number, after: 0, limit: 10) == [second])
        try store.complete(upload, "film", [1])
        #expect(try store.contents(of: "film") == [1, 2, 3])
    }

    @Test(arguments: StoreKind.all)
    func `is not completed with a part that was replaced or never came`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let upload = try store.begin("film")
        let first = try await store.putPart([1], 1, of: upload)
        try await store.putPart([2], 1, of: upload)
        let record = ObjectRecord(key: "film", etag: first.etag, size: 1, lastModified: upload.initiated)
        #expect(throws: StoreError.partChanged(number: 1)) {
            _ = try store.completeUpload(
                upload.number, as: record, in: photos, parts: [first], condition: nil, result: [])
        }
        #expect(store.upload(upload.number, in: photos) == upload)
        #expect(try store.record(of: path("film")) == nil)
    }

    @Test(arguments: StoreKind.all)
    func `takes nothing more once it was aborted or completed`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let (gone, done) = (try store.begin("a"), try store.begin("b"))
        try await store.putPart(bytes(4), 1, of: gone)
        try await store.putPart(bytes(4), 1, of: done)
        try store.abortUpload(gone.number, in: photos)
        try store.complete(done, "b", [1])
        for upload in [gone, done] {
            await #expect(throws: StoreError.noSuchUpload) { try await store.putPart([1], 2, of: upload) }
            #expect(throws: StoreError.noSuchUpload) { try store.complete(upload, "c", [1]) }
            #expect(throws: StoreError.noSuchUpload) { try store.abortUpload(upload.number, in: photos) }
        }
        #expect(try store.parts(of: gone.number, after: 0, limit: 10).isEmpty)
        #expect(try store.completedUpload(gone.number, in: photos) == nil)
        #expect([gone, done].map { store.endedUpload($0.number, in: photos)?.key } == ["a", "b"])
        #expect(store.endedUpload(try store.begin("a").number, in: photos) == nil)
        #expect(try store.contents(of: "b") == bytes(4))
    }

    @Test(arguments: StoreKind.all)
    func `leaves no file behind when it is aborted, replaced, deleted or lost with its bucket`(
        kind: StoreKind
    ) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.createBucket(.named(BucketName(good: "films")))
        for name in ["aborted", "replaced", "deleted"] {
            let upload = try store.begin(ObjectKey(stored: Array(name.utf8)))
            for number in [1, 4] { try await store.putPart([UInt8](repeating: 1, count: 300_000), number, of: upload) }
            if name == "aborted" {
                try store.abortUpload(upload.number, in: photos)
            } else {
                try store.complete(upload, ObjectKey(stored: Array(name.utf8)), [1])
            }
        }
        try await store.put([1], as: "replaced")
        try await store.delete("deleted")
        let lost = try store.createUpload(
            ObjectPath(bucket: BucketName(good: "films"), key: "x"), initiated: Timestamp(seconds: 1), attributes: [])
        try await store.putPart(
            [UInt8](repeating: 1, count: 300_000), 1, of: lost, in: BucketName(good: "films"))
        try store.deleteBucket(BucketName(good: "films"))
        store.close()
        let check = try StoreCheck(directory: directory.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    /// The third kind of store has nothing in its catalogue then.
    @Test(arguments: StoreKind.all)
    func `is whole after a crash, whatever had become of it`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let big = [UInt8](repeating: 1, count: 300_000)
        func upload(_ key: ObjectKey) async throws -> UploadRecord {
            let upload = try store.begin(key, attributes: [3])
            for number in [1, 2] { try await store.putPart(big, number, of: upload) }
            try await store.putPart([2], 2, of: upload)
            return upload
        }
        let open = try await upload("open")
        try store.abortUpload(try await upload("aborted").number, in: photos)
        try store.complete(try await upload("done"), "done", [1, 2], result: [8])
        try store.complete(try await upload("replaced"), "replaced", [1])
        try await store.put([4], as: "replaced")
        let late = try await upload("late")
        try await store.put([5], as: "late")
        let done = try store.complete(late, "late", [2])
        let copy = try TemporaryDirectory.copy(of: directory.path)
        #expect(try StoreCheck(directory: copy.path, verifyContent: true).missingCount == 0)
        let again = try kind.open(copy)
        #expect(again.upload(open.number, in: photos) == open)
        #expect(try again.parts(of: open.number, after: 0, limit: 10).map(\.size) == [300_000, 1])
        #expect(try again.listUploads(photos, UploadQuery()).entries == [.upload(open)])
        #expect(try again.contents(of: "done") == big + [2])
        #expect(try again.contents(of: "replaced") == [4])
        #expect(try again.contents(of: "late") == [2])
        #expect(try again.record(of: path("late")) == done)
        try again.complete(open, "open", [1, 2])
        #expect(try again.contents(of: "open") == big + [2])
        if let disk = again as? DiskStore { try disk.settle() }
        again.close()
        let check = try StoreCheck(directory: copy.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
    }

    /// A reader of an object in parts opens them as it reaches them.
    @Test(arguments: StoreKind.all)
    func `is read to its end after it was replaced`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let upload = try store.begin("film")
        let parts = (1...3).map { [UInt8](repeating: UInt8($0), count: 300_000) }
        for (index, part) in parts.enumerated() { try await store.putPart(part, index + 1, of: upload) }
        try store.complete(upload, "film", [1, 2, 3])
        do {
            let (_, reader) = try #require(try store.openObject(path("film")))
            var first = [UInt8](repeating: 0, count: 10)
            #expect(try first.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) } == 10)
            try await store.put([1], as: "film")
            _ = try store.list(photos, ListQuery())
            // Housekeeping finds three files that nothing names, and leaves them to the reader.
            if let disk = store as? DiskStore { try disk.settle() }
            #expect(try reader.contents() == parts.flatMap { $0 })
        }
        store.close()
        #expect(try StoreCheck(directory: directory.path).isClean)
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `is read to its end across a reset, and leaves no file`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let upload = try store.begin("film")
        let parts = (1...3).map { [UInt8](repeating: UInt8($0), count: 300_000) }
        for (index, part) in parts.enumerated() { try await store.putPart(part, index + 1, of: upload) }
        try store.complete(upload, "film", [1, 2, 3])
        do {
            let (_, reader) = try #require(try store.openObject(path("film")))
            try store.reset()
            // Housekeeping finds three files that nothing names any more, and leaves them to the reader.
            if let disk = store as? DiskStore { try disk.settle() }
            #expect(try reader.contents() == parts.flatMap { $0 })
        }
        store.close()
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `is completed only if its condition holds and nobody wrote the key meanwhile`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let before = try await store.put([1], as: "there")
        let upload = try store.begin("there")
        try await store.putPart([2], 1, of: upload)
        #expect(throws: StoreError.preconditionFailed) {
            try store.complete(upload, "there", [1], if: .ifNoneMatchAny)
        }
        try await store.delete("there")
        #expect(throws: StoreError.overtaken) { try store.complete(upload, "there", [1], if: .ifNoneMatchAny) }
        try await store.put([1], as: "there")
        #expect(throws: StoreError.overtaken) { try store.complete(upload, "there", [1], if: .ifMatch(before.etag)) }
        try store.complete(upload, "there", [1])
        let later = try store.begin("new")
        try await store.putPart([3], 1, of: later)
        try store.complete(later, "new", [1], if: .ifNoneMatchAny)
        #expect(try store.contents(of: "new") == [3])
    }

    @Test(arguments: StoreKind.all)
    func `is listed by key and age until it ends`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        var uploads: [UploadRecord] = []
        for key in ["b", "a/1", "a/2", "b", "c/1", "b"] as [ObjectKey] { uploads.append(try store.begin(key)) }
        let sorted = [1, 2, 0, 3, 5, 4].map { uploads[$0] }
        #expect(try store.listUploads(photos, UploadQuery()).entries == sorted.map { .upload($0) })
        let rolled = try store.listUploads(photos, UploadQuery(delimiter: Array("/".utf8)))
        #expect(
            rolled.entries == [
                .rollUp(Array("a/".utf8)), .upload(uploads[0]), .upload(uploads[3]), .upload(uploads[5]),
                .rollUp(Array("c/".utf8)),
            ])
        let page = try store.listUploads(photos, UploadQuery(afterKey: Array("a/2".utf8), limit: 2))
        #expect(page.entries == [.upload(uploads[0]), .upload(uploads[3])] && page.isTruncated)
        let next = try store.listUploads(
            photos, UploadQuery(afterKey: Array("b".utf8), afterUpload: uploads[3].number, limit: 2))
        #expect(next.entries == [.upload(uploads[5]), .upload(uploads[4])] && !next.isTruncated)
        #expect(try store.listUploads(photos, UploadQuery(prefix: Array("c".utf8))).entries == [.upload(uploads[4])])
        try store.abortUpload(uploads[4].number, in: photos)
        #expect(try store.listUploads(photos, UploadQuery(prefix: Array("c".utf8))).entries.isEmpty)
        #expect(throws: StoreError.noSuchBucket) {
            try store.listUploads(BucketName(good: "absent-bucket"), UploadQuery())
        }
    }

    @Test(arguments: StoreKind.all)
    func `keeps its small parts when segments are rewritten`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        guard let disk = store as? DiskStore else { return }
        let (open, done) = (try store.begin("open"), try store.begin("done"))
        for number in 1...20 {
            try await store.putPart([UInt8](repeating: UInt8(number), count: 1_000), number, of: open)
            try await store.putPart([UInt8](repeating: UInt8(number), count: 1_000), number, of: done)
            for filler in 0..<8 {
                try await store.put(
                    [UInt8](repeating: 0, count: 7_000), as: ObjectKey(stored: Array("filler \(filler)".utf8)))
            }
        }
        try store.complete(done, "done", Array(1...20))
        for filler in 0..<8 { try await store.delete(ObjectKey(stored: Array("filler \(filler)".utf8))) }
        try disk.settle()
        try store.complete(open, "open", Array(1...20))
        let expected = (1...20).flatMap { [UInt8](repeating: UInt8($0), count: 1_000) }
        #expect(try store.contents(of: "done") == expected)
        #expect(try store.contents(of: "open") == expected)
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
    }

    @Test(arguments: StoreKind.all)
    func `is gone after a reset`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let upload = try store.begin("film")
        try await store.putPart(bytes(4), 1, of: upload)
        let late = try store.stage([1])
        try store.reset()
        try store.createBucket(.named(photos))
        #expect(store.upload(upload.number, in: photos) == nil)
        #expect(try store.listUploads(photos, UploadQuery()).entries.isEmpty)
        let again = try store.begin("film")
        #expect(again.number != upload.number)
        let part = PartRecord(
            number: 1, etag: ETag(md5: Digest.of([1], .md5)), size: 1, lastModified: again.initiated, checksum: nil)
        await #expect(throws: StoreError.bodyDiscarded) { try await store.putPart(part, late, of: again) }
    }
}
