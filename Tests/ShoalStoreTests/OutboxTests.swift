import ShoalCrypto
import ShoalS3
import ShoalStore
import Testing

/// What every `ObjectStore` does with the messages about its changes.
@Suite struct `An outbox` {
    private func store(_ kind: StoreKind, _ directory: TemporaryDirectory) throws -> any ObjectStore {
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        return store
    }

    @Test(arguments: StoreKind.all)
    func `holds what is announced with each kind of change, in the order of commits`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.updateBucket(photos, announcing: [message("bucket"), message("bucket again")]) { _ in }
        try await store.put([1], as: "a", telling: "put")
        try await store.put([1], as: "silent")
        _ = try store.updateAttributes(of: path("a"), version: nil, announcing: announcement("update")) { _ in [7] }
        let upload = try store.begin("b")
        try await store.putPart([1, 2], 1, of: upload)
        let parts = try store.parts(of: upload.number, after: 0, limit: 10)
        let object = ObjectRecord(
            key: "b", etag: ETag(unquoted: "x-1"), size: 2, lastModified: upload.initiated, upload: upload.number)
        _ = try store.completeUpload(
            upload.number, as: object, in: photos, parts: parts, condition: nil, result: [],
            announcing: announcement("complete"))
        try await store.remove("a", telling: "delete")
        _ = try store.deleteVersion(path("b"), .null, announcing: announcement("version")) { _, _ in }
        let told = ["bucket", "bucket again", "put a", "update a", "complete b", "delete a", "version b"]
        #expect(try store.texts == told)
        store.close()
        #expect(try kind.open(directory).texts == told)
    }

    @Test(arguments: StoreKind.all)
    func `is told the version and the place in history that the change got`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.updateBucket(photos) { $0.versioning = .enabled }
        let telling: Announcement = { change in
            [message("\(change.sequence) \(change.record.ordinal) \(change.record.isDeleteMarker)")]
        }
        let record = try await store.put([1], as: "a", announcing: telling)
        #expect(record.ordinal > 0)
        let marker = try #require(try await store.remove("a", announcing: telling))
        #expect(
            try store.texts == [
                "\(record.ordinal) \(record.ordinal) false", "\(marker.ordinal) \(marker.ordinal) true",
            ])
    }

    @Test(arguments: StoreKind.all)
    func `tells attributes that were changed from what they were`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([1], as: "a", attributes: [1])
        let telling: Announcement = { [message("\($0.previous?.attributes ?? []) \($0.record.attributes)")] }
        _ = try store.updateAttributes(of: path("a"), version: nil, announcing: telling) { _ in [2] }
        #expect(try store.texts == ["[1] [2]"])
    }

    @Test(arguments: StoreKind.all)
    func `holds nothing of a change that did not happen`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([1], as: "a")
        await #expect(throws: StoreError.preconditionFailed) {
            try await store.put([2], as: "a", if: .ifNoneMatchAny, telling: "refused")
        }
        #expect(try await store.remove("absent", telling: "nothing there") == nil)
        #expect(
            try store.updateAttributes(of: path("absent"), version: nil, announcing: announcement("absent")) { _ in [] }
                == nil)
        #expect(try store.deleteVersion(path("absent"), .null, announcing: announcement("absent")) { _, _ in } == nil)
        #expect(throws: StoreError.preconditionFailed) {
            try store.deleteVersion(path("a"), .null, announcing: announcement("kept")) { _, _ throws(StoreError) in
                throw .preconditionFailed
            }
        }
        #expect(try store.texts.isEmpty)
    }

    /// A write that is overwritten soon may never reach the catalogue; what was told of it must.
    @Test(arguments: StoreKind.all)
    func `keeps the messages of what was overwritten and deleted at once`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        for number in 1...5 { try await store.put([UInt8(number)], as: "a", telling: "put \(number)") }
        try await store.remove("a", telling: "delete")
        #expect(try store.texts == (1...5).map { "put \($0) a" } + ["delete a"])
    }

    @Test(arguments: StoreKind.all)
    func `is read page by page, each destination by itself, and forgets what is removed`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        for number in 0..<10 { try await store.put([1], as: "a", telling: "\(number)", to: "d\(number % 2)") }
        #expect(try store.outboxCounts() == ["d0", "d1"].map { OutboxCount(destination: $0, count: 5) })
        let first = try store.outbox(of: "d1", after: nil, limit: 2)
        #expect(first.map(\.text) == ["1 a", "3 a"])
        let second = try store.outbox(of: "d1", after: first[1].position, limit: 2)
        #expect(second.map(\.text) == ["5 a", "7 a"])
        try store.removeFromOutbox(first[1].position, of: "d1")
        try store.removeFromOutbox(first[1].position, of: "d1")
        #expect(try store.outbox(of: "d1", after: nil, limit: 2).map(\.text) == ["1 a", "5 a"])
        #expect(try store.outboxEntry(at: first[0].position, of: "d1") == first[0])
        #expect(try store.outboxEntry(at: first[1].position, of: "d1") == nil)
        #expect(try store.outboxEntry(at: first[0].position, of: "d0") == nil)
        store.close()
        let again = try kind.open(directory)
        #expect(try again.outboxCounts().map(\.count) == [5, 4])
    }

    @Test(arguments: StoreKind.all)
    func `outlives the bucket, and is emptied by a reset`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([1], as: "a", telling: "put")
        try await store.remove("a", telling: "delete")
        try store.deleteBucket(photos)
        #expect(try store.texts == ["put a", "delete a"])
        try store.reset()
        #expect(try store.texts.isEmpty)
        try store.createBucket(.named(photos))
        try await store.put([1], as: "a", telling: "after")
        #expect(try store.texts == ["after a"])
    }
}

@Suite struct `An outbox after a crash` {
    private var lagging: DiskStoreOptions {
        var options = DiskStoreOptions()
        options.applyDelayMilliseconds = 3_600_000
        return options
    }

    @Test func `has the messages of everything that was acknowledged, once each`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: lagging)
        try store.createBucket(.named(photos))
        for number in 1...3 { try await store.put([UInt8(number)], as: "a", telling: "put \(number)") }
        try await store.put([1], as: "b", telling: "put")
        #expect(store.statistics.pendingChangeCount > 0)
        let crashed = try TemporaryDirectory.copy(of: directory.path)
        // Part of them in the catalogue, with the log still there.
        let entry = try #require(try store.outbox(of: "d", after: nil, limit: 1).first)
        try store.removeFromOutbox(entry.position, of: "d")
        try await store.remove("b", telling: "delete")
        let later = try TemporaryDirectory.copy(of: directory.path)
        let again = try DiskStore(directory: crashed.path, options: lagging)
        #expect(try again.texts == ["put 1 a", "put 2 a", "put 3 a", "put b"])
        #expect(try DiskStore(directory: later.path).texts == ["put 2 a", "put 3 a", "put b", "delete b"])
    }

    /// Cuts the log all over the record of a write with a message: both are there, or none.
    @Test func `has no message without its change`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: lagging)
        try store.createBucket(.named(photos))
        let log = directory.path + "/log/1"
        let start = try TemporaryDirectory.read(log).count
        try await store.put([1], as: "a", telling: "put")
        let whole = try TemporaryDirectory.read(log)
        let copy = try TemporaryDirectory.copy(of: directory.path)
        for cut in Set(stride(from: start, to: whole.count, by: 7)).union([whole.count - 1, whole.count]) {
            try TemporaryDirectory.write(Array(whole[..<cut]), to: copy.path + "/log/1")
            let trial = try TemporaryDirectory.copy(of: copy.path)
            let again = try DiskStore(directory: trial.path)
            #expect(try again.texts == (cut == whole.count ? ["put a"] : []), "cut to \(cut) of \(whole.count) bytes")
            #expect(try again.bytes(of: "a") == (cut == whole.count ? [1] : nil))
        }
    }

    @Test func `costs a write without a message no byte of the log`() async throws {
        var ends: [Int] = []
        for announcement in [nil, { _ in [] }, announcement("told")] as [Announcement?] {
            let directory = TemporaryDirectory()
            let store = try DiskStore(directory: directory.path, options: lagging)
            try store.createBucket(.named(photos))
            try await store.put([1], as: "a", announcing: announcement)
            ends.append(try TemporaryDirectory.read(directory.path + "/log/1").count)
        }
        #expect(ends[0] == ends[1])
        // The operation, the count, destination, subject and body with their lengths, and six bytes of a time.
        #expect(ends[2] == ends[0] + 1 + 1 + 2 + 2 + 7 + 6)
    }
}

private func message(_ text: String, to destination: String = "d") -> OutboxMessage {
    OutboxMessage(
        destination: destination, subject: [1], body: Array(text.utf8),
        created: Timestamp(milliseconds: 1_700_000_000_000))
}

/// One message: the text and the key of the change.
private func announcement(_ text: String, to destination: String = "d") -> Announcement {
    { change in [message("\(text) \(change.record.key)", to: destination)] }
}

extension OutboxEntry {
    fileprivate var text: String { String(decoding: message.body, as: UTF8.self) }
}

extension ObjectStore {
    /// Of everything for the destination `d`.
    fileprivate var texts: [String] {
        get throws { try outbox(of: "d", after: nil, limit: 1_000).map(\.text) }
    }

    @discardableResult
    fileprivate func put(
        _ bytes: [UInt8], as key: ObjectKey, if condition: CommitCondition? = nil, telling text: String,
        to destination: String = "d"
    ) async throws -> ObjectRecord {
        try await put(bytes, as: key, if: condition, announcing: announcement(text, to: destination))
    }

    @discardableResult
    fileprivate func put(
        _ bytes: [UInt8], as key: ObjectKey, if condition: CommitCondition? = nil, announcing: Announcement?
    ) async throws -> ObjectRecord {
        let body = try stage(bytes)
        let record = ObjectRecord(
            key: key, etag: ETag(md5: Digest.of(bytes, .md5)), size: UInt64(bytes.count),
            lastModified: Timestamp(milliseconds: 1_700_000_000_123))
        return try await withCheckedContinuation { continuation in
            commitPut(record, in: photos, body: body, condition: condition, announcing: announcing) {
                continuation.resume(returning: $0)
            }
            flush()
        }.get()
    }

    @discardableResult
    fileprivate func remove(_ key: ObjectKey, telling text: String) async throws -> ObjectRecord? {
        try await remove(key, announcing: announcement(text))
    }

    @discardableResult
    fileprivate func remove(_ key: ObjectKey, announcing: @escaping Announcement) async throws -> ObjectRecord? {
        try await withCheckedContinuation { continuation in
            commitDelete(
                path(key), at: Timestamp(milliseconds: 1_700_000_001_000), condition: nil, announcing: announcing
            ) { continuation.resume(returning: $0) }
            flush()
        }.get()
    }
}
