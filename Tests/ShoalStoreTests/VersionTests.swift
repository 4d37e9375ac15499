import ShoalS3
import ShoalSeeded
import ShoalStore
import Testing

/// What every `ObjectStore` does in a bucket that keeps versions.
@Suite struct `A bucket with versions` {
    private func store(_ kind: StoreKind, _ directory: TemporaryDirectory) throws -> any ObjectStore {
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        return store
    }

    @Test(arguments: StoreKind.all)
    func `keeps what is overwritten and deleted, and uncovers it again`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        let old = try await store.put([0], as: "a")
        #expect(old.version == .null && old.ordinal == 0)
        try store.set(.enabled)
        let big = [UInt8](repeating: 1, count: 300_000)
        let first = try await store.put(big, as: "a")
        let second = try await store.put([2], as: "a")
        let marker = try #require(try await store.delete("a"))
        #expect(marker.isDeleteMarker && marker.ordinal > second.ordinal && second.ordinal > first.ordinal)
        #expect(try store.record(of: path("a")) == nil && store.current(path("a")) == marker)
        #expect(try store.list(photos, ListQuery()).entries.isEmpty)
        #expect(try store.versions() == ["a*-", "a", "a", "a0"])
        #expect(try store.bytes("a", first.version) == big)
        #expect(try store.bytes("a", .null) == [0])
        #expect(try store.bytes("a", marker.version) == nil)
        #expect(throws: StoreError.bucketNotEmpty) { try store.deleteBucket(photos) }
        #expect(try store.remove("a", marker.version) == marker)
        #expect(try store.bytes(of: "a") == [2])
        #expect(try store.remove("a", first.version) == first)
        #expect(try store.versions() == ["a*", "a0"])
        #expect(try store.remove("a", second.version) == second)
        #expect(try store.bytes(of: "a") == [0])
        #expect(try store.remove("a", second.version) == nil)
        #expect(try store.remove("a", .null) == old)
        #expect(try store.versions().isEmpty)
        try store.deleteBucket(photos)
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `replaces the version called null, and only it, while suspended`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try await store.put([0], as: "a")
        try store.set(.enabled)
        let first = try await store.put([1], as: "a")
        try store.set(.suspended)
        let second = try await store.put([2], as: "a")
        #expect(second.isNull)
        #expect(try store.versions() == ["a*0", "a"])
        try await store.put([3], as: "a")
        #expect(try store.versions() == ["a*0", "a"])
        #expect(try store.bytes("a", .null) == [3])
        let marker = try #require(try await store.delete("a"))
        #expect(marker.isNull && marker.isDeleteMarker)
        #expect(try store.versions() == ["a*0-", "a"])
        #expect(try store.bytes("a", first.version) == [1])
        try store.set(.enabled)
        try await store.put([4], as: "a")
        #expect(try store.versions() == ["a*", "a0-", "a"])
    }

    @Test(arguments: StoreKind.all)
    func `is listed page by page, whatever the page`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.set(.enabled)
        for key in ["a", "b/1", "b/2", "c", "b/1", "a", "a", "d"] as [ObjectKey] {
            try await store.put([1], as: key)
        }
        try await store.delete("c")
        let all = try store.versions()
        #expect(all == ["a*", "a", "a", "b/1*", "b/1", "b/2*", "c*-", "c", "d*"])
        for limit in 1...9 { #expect(try store.versions(limit: limit) == all) }
        #expect(
            try store.versions(VersionQuery(delimiter: Array("/".utf8))) == ["a*", "a", "a", "b/", "c*-", "c", "d*"])
        #expect(try store.versions(VersionQuery(prefix: Array("b".utf8))) == ["b/1*", "b/1", "b/2*"])
        #expect(try store.versions(VersionQuery(afterKey: Array("b/1".utf8), limit: 2)) == ["b/2*", "c*-"])
        #expect(try store.listVersions(photos, VersionQuery(limit: 9)).isTruncated == false)
        #expect(try store.listVersions(photos, VersionQuery(limit: 8)).isTruncated)
        #expect(try store.listVersions(photos, VersionQuery(limit: 0)).entries.isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `judges conditions by the object that readers see`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.set(.enabled)
        let record = try await store.put([1], as: "a")
        try await store.put([2], as: "a", if: .ifMatch(record.etag))
        await #expect(throws: StoreError.preconditionFailed) {
            try await store.put([3], as: "a", if: .ifNoneMatchAny)
        }
        try await store.delete("a")
        await #expect(throws: StoreError.noSuchObject) { try await store.put([3], as: "a", if: .ifMatch(record.etag)) }
        try await store.put([3], as: "a", if: .ifNoneMatchAny)
        #expect(try store.bytes(of: "a") == [3])
    }

    @Test(arguments: StoreKind.all)
    func `keeps an upload in parts as one version, and gives its parts back with it`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.set(.enabled)
        let big = [UInt8](repeating: 1, count: 300_000)
        let upload = try store.begin("a")
        for number in [1, 2] { try await store.putPart(big, number, of: upload) }
        let assembled = try store.complete(upload, "a", [1, 2])
        #expect(!assembled.isNull)
        try await store.put([2], as: "a")
        #expect(try store.bytes("a", assembled.version, checksTag: false) == big + big)
        #expect(try store.remove("a", assembled.version) == assembled)
        #expect(try store.versions() == ["a*"])
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    @Test(arguments: StoreKind.all)
    func `has its older versions after rewriting of segments and after a crash`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.set(.enabled)
        var records: [ObjectRecord] = []
        for index in 0..<20 {
            records.append(try await store.put([UInt8](repeating: UInt8(index), count: 1_000), as: "a"))
            for filler in 0..<8 {
                let record = try await store.put(
                    [UInt8](repeating: 0, count: 7_000), as: ObjectKey(stored: Array("filler \(filler)".utf8)))
                _ = try store.remove(ObjectKey(stored: Array("filler \(filler)".utf8)), record.version)
            }
        }
        let updated = try #require(try store.updateAttributes(of: path("a"), version: records[3].version) { _ in [9] })
        #expect(updated.attributes == [9])
        let copy = try TemporaryDirectory.copy(of: directory.path)
        #expect(try StoreCheck(directory: copy.path, verifyContent: true).missingCount == 0)
        for store in [store, try kind.open(copy)] {
            if let disk = store as? DiskStore { try disk.settle() }
            for (index, record) in records.enumerated() {
                #expect(try store.bytes("a", record.version) == [UInt8](repeating: UInt8(index), count: 1_000))
            }
            #expect(try store.record(of: path("a"), version: records[3].version) == updated)
            store.close()
        }
        #expect(try StoreCheck(directory: copy.path, verifyContent: true).isClean)
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
    }

    @Test(arguments: StoreKind.all)
    func `are removed by who knows whether they are current`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try store(kind, directory)
        try store.set(.enabled)
        let key = ObjectKey(stored: Array("a".utf8))
        let old = try await store.put([1], as: key)
        let new = try await store.put([2], as: key)
        func remove(_ record: ObjectRecord, ifLatest wanted: Bool) throws -> ObjectRecord? {
            try store.deleteVersion(path(key), record.version) { (_, isLatest) throws(StoreError) in
                guard isLatest == wanted else { throw .preconditionFailed }
            }
        }
        #expect(throws: StoreError.preconditionFailed) { try remove(old, ifLatest: true) }
        #expect(try remove(new, ifLatest: true) == new)
        #expect(throws: StoreError.preconditionFailed) { try remove(old, ifLatest: false) }
        #expect(try remove(old, ifLatest: true) == old)
        store.close()
    }

    /// A key's versions as a list, latest first, against what the store says, over random writes and deletions.
    @Test(arguments: StoreKind.all, [1, 2] as [UInt64])
    func `agrees with a model, across restarts`(kind: StoreKind, seed: UInt64) async throws {
        let directory = TemporaryDirectory()
        var generator = SeededGenerator(seed: seed)
        var store = try store(kind, directory)
        var state = Versioning.never
        var model: [ObjectKey: [(record: ObjectRecord, bytes: [UInt8])]] = [:]
        func add(_ key: ObjectKey, _ record: ObjectRecord, _ bytes: [UInt8]) {
            if record.isNull { model[key]?.removeAll { $0.record.isNull } }
            model[key, default: []].insert((record, bytes), at: 0)
        }
        for step in 0..<400 {
            let key = ObjectKey(stored: Array("key \(Int.random(in: 0..<6, using: &generator))".utf8))
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<45:
                let size = [0, 1, 3_000, 9_000, 300_000].randomElement(using: &generator) ?? 0
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: size)
                add(key, try await store.put(bytes, as: key), bytes)
            case 45..<65:
                let deleted = try await store.delete(key)
                if state == .never { model[key] = nil } else { add(key, try #require(deleted), []) }
            case 65..<85:
                guard let victim = model[key]?.randomElement(using: &generator)?.record else { continue }
                #expect(try store.remove(key, victim.version) == victim, "step \(step)")
                model[key]?.removeAll { $0.record == victim }
            case 85..<90:
                state =
                    state == .never && step < 100 ? .never : [.enabled, .suspended].randomElement(using: &generator)!
                if state != .never { try store.set(state) }
            case 90..<93:
                store.close()
                store = try kind.open(directory)
            default: try compare(store, model, step)
            }
        }
        try compare(store, model, -1)
        store.close()
        let check = try StoreCheck(directory: directory.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
    }

    private func compare(
        _ store: any ObjectStore, _ model: [ObjectKey: [(record: ObjectRecord, bytes: [UInt8])]], _ step: Int
    ) throws {
        let expected = model.keys.sorted().flatMap { key in
            (model[key] ?? []).enumerated().map {
                VersionPage.Entry.version($0.element.record, isLatest: $0.offset == 0)
            }
        }
        #expect(try store.listVersions(photos, VersionQuery(limit: 10_000)).entries == expected, "step \(step)")
        let current = model.keys.sorted().filter { model[$0]?.first.map { !$0.record.isDeleteMarker } ?? false }
        #expect(try store.walk(photos, ListQuery(limit: 2)) == current.map(\.bytes), "step \(step)")
        for (key, versions) in model {
            for (record, bytes) in versions where !record.isDeleteMarker {
                #expect(try store.bytes(key, record.version) == bytes, "step \(step)")
            }
            if current.contains(key) { #expect(try store.bytes(of: key) == versions.first?.bytes) }
        }
    }
}

extension ObjectStore {
    fileprivate func set(_ versioning: Versioning) throws {
        try updateBucket(photos) { $0.versioning = versioning }
    }

    fileprivate func remove(_ key: ObjectKey, _ version: ObjectVersion) throws -> ObjectRecord? {
        try deleteVersion(path(key), version) { _, _ in }
    }

    fileprivate func bytes(_ key: ObjectKey, _ version: ObjectVersion, checksTag: Bool = true) throws -> [UInt8]? {
        guard let (record, file) = try openObject(path(key), version: version) else { return nil }
        #expect(record.version == version)
        return try file.contents()
    }

    /// Each as its key, with `*` for the latest, `0` for the one called null and `-` for a delete marker.
    fileprivate func versions(_ query: VersionQuery = VersionQuery(), limit: Int? = nil) throws -> [String] {
        var texts: [String] = []
        var next = query
        if let limit { next = VersionQuery(limit: limit) }
        while true {
            let page = try listVersions(photos, next)
            for entry in page.entries {
                switch entry {
                case .rollUp(let prefix): texts.append(String(decoding: prefix, as: UTF8.self))
                case .version(let record, let isLatest):
                    texts.append(
                        "\(record.key)" + (isLatest ? "*" : "") + (record.isNull ? "0" : "")
                            + (record.isDeleteMarker ? "-" : ""))
                }
            }
            guard page.isTruncated, let limit, case .version(let last, _)? = page.entries.last else { return texts }
            next = VersionQuery(afterKey: last.key.bytes, afterVersion: last.version, limit: limit)
        }
    }
}
