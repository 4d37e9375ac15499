import ShoalCrypto
import ShoalS3
import ShoalSeeded
import ShoalStore
import Testing

@Suite struct `A listing` {
    /// What S3 says a listing is, done the slow way.
    private struct Model {
        let keys: [[UInt8]]

        func page(_ query: ListQuery) -> (entries: [[UInt8]], isTruncated: Bool) {
            var entries: [[UInt8]] = []
            for key in keys where key.starts(with: query.prefix) {
                let entry = rollUp(key, query) ?? key
                if entries.last != entry { entries.append(entry) }
            }
            let rest = entries.filter { entry in
                // A roll-up that `startAfter` lies in counts as shown.
                query.startAfter.lexicographicallyPrecedes(entry)
                    && !(rollUp(query.startAfter, query).map { $0 == entry } ?? false)
            }
            return (Array(rest.prefix(query.limit)), query.limit > 0 && rest.count > query.limit)
        }

        private func rollUp(_ key: [UInt8], _ query: ListQuery) -> [UInt8]? {
            guard !query.delimiter.isEmpty, key.starts(with: query.prefix) else { return nil }
            var index = query.prefix.count
            while index + query.delimiter.count <= key.count {
                if key[index...].starts(with: query.delimiter) { return Array(key[..<(index + query.delimiter.count)]) }
                index += 1
            }
            return nil
        }
    }

    private func store(_ kind: StoreKind, _ directory: TemporaryDirectory, keys: some Sequence<[UInt8]>) async throws
        -> any ObjectStore
    {
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        for bucket in ["before", "photos2"] {
            try store.createBucket(.named(BucketName(good: bucket)))
            try await store.put([1], as: "elsewhere/a", in: BucketName(good: bucket))
        }
        for key in keys {
            let record = ObjectRecord(
                key: ObjectKey(stored: key), etag: ETag(md5: Digest.of([], .md5)), size: 0,
                lastModified: Timestamp(seconds: 0))
            store.commitPut(record, in: photos, body: try store.stage([]), condition: nil) { _ in }
        }
        store.flush()
        // The last one waits for those before it.
        try await store.put([], as: ObjectKey(stored: Array("~".utf8)))
        try await store.delete(ObjectKey(stored: Array("~".utf8)))
        return store
    }

    @Test(
        arguments: [
            ("", "", "", 1_000, ["a", "a/1", "a/2", "a/b/3", "b", "c//d", "c/e"], false),
            ("", "/", "", 1_000, ["a", "a/", "b", "c/"], false),
            ("", "/", "", 2, ["a", "a/"], true),
            ("", "/", "", 3, ["a", "a/", "b"], true),
            ("", "/", "", 4, ["a", "a/", "b", "c/"], false),
            ("", "/", "a/", 1_000, ["b", "c/"], false),
            ("", "/", "a/1", 1_000, ["b", "c/"], false),
            ("", "", "a/1", 1_000, ["a/2", "a/b/3", "b", "c//d", "c/e"], false),
            ("a/", "/", "", 1_000, ["a/1", "a/2", "a/b/"], false),
            ("a/", "/", "a/b/", 1_000, [], false),
            ("c/", "/", "", 1_000, ["c//", "c/e"], false),
            ("a", "", "", 2, ["a", "a/1"], true),
            ("b", "", "", 1, ["b"], false),
            ("x", "", "", 1_000, [], false),
            ("", "b/", "", 1_000, ["a", "a/1", "a/2", "a/b/", "b", "c//d", "c/e"], false),
            ("", "", "", 0, [], false),
            ("", "", "c/e", 1_000, [], false),
            ("b", "", "a", 1_000, ["b"], false),
        ] as [(String, String, String, Int, [String], Bool)])
    func `shows what S3 shows`(
        prefix: String, delimiter: String, startAfter: String, limit: Int, expected: [String], isTruncated: Bool
    ) async throws {
        let directory = TemporaryDirectory()
        let keys = ["a", "a/1", "a/2", "a/b/3", "b", "c//d", "c/e"].map { Array($0.utf8) }
        let store = try await store(StoreKind.all[0], directory, keys: keys)
        let query = ListQuery(
            prefix: Array(prefix.utf8), delimiter: Array(delimiter.utf8), startAfter: Array(startAfter.utf8),
            limit: limit)
        let page = try store.list(photos, query)
        #expect(page.entries.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        #expect(page.isTruncated == isTruncated)
        #expect(Model(keys: keys).page(query) == (expected.map { Array($0.utf8) }, isTruncated))
    }

    /// Keys that share prefixes, questions about them, and the model's answers, made once for every store.
    private struct Scenario: Sendable {
        var keys: [[UInt8]] = []
        var pages: [(query: ListQuery, entries: [[UInt8]], isTruncated: Bool)] = []
        var rollUps: [[UInt8]] = []

        init(keyCount: Int, queryCount: Int) {
            var generator = SeededGenerator(seed: 42)
            var keys: Set<[UInt8]> = []
            while keys.count < keyCount { keys.insert(Self.key(&generator)) }
            self.keys = keys.sorted { $0.lexicographicallyPrecedes($1) }
            let model = Model(keys: self.keys)
            for _ in 0..<queryCount {
                let query = query(&generator)
                let (entries, isTruncated) = model.page(query)
                pages.append((query, entries, isTruncated))
            }
            rollUps = model.page(ListQuery(delimiter: Array("/".utf8), limit: .max)).entries
        }

        private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
            let names = ["a", "b", "photos", "2024", "é", "x y", "z", "0"]
            var key: [UInt8] = []
            for level in 0..<Int.random(in: 1...4, using: &generator) {
                if level > 0 { key += Array((Bool.random(using: &generator) ? "/" : "--").utf8) }
                key += Array(names[Int.random(in: 0..<names.count, using: &generator)].utf8)
            }
            return key + Array(String(Int.random(in: 0..<3_000, using: &generator)).utf8)
        }

        private func query(_ generator: inout SeededGenerator) -> ListQuery {
            func start(_ generator: inout SeededGenerator) -> [UInt8] {
                guard Bool.random(using: &generator) else { return [] }
                let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
                return Array(key.prefix(Int.random(in: 0...key.count, using: &generator)))
            }
            let delimiters = [[], Array("/".utf8), Array("--".utf8), Array("0".utf8)]
            return ListQuery(
                prefix: start(&generator), delimiter: delimiters[Int.random(in: 0..<4, using: &generator)],
                startAfter: start(&generator), limit: [1, 7, 100, 1_000][Int.random(in: 0..<4, using: &generator)])
        }
    }

    private static let scenario = Scenario(keyCount: 20_000, queryCount: 100)

    @Test(arguments: StoreKind.all)
    func `of 20,000 keys agrees with a model, page by page`(kind: StoreKind) async throws {
        let scenario = Self.scenario
        var generator = SeededGenerator(seed: 43)
        let directory = TemporaryDirectory()
        let store = try await store(kind, directory, keys: scenario.keys.shuffled(using: &generator))
        #expect(try store.walk() == scenario.keys)
        for (query, entries, isTruncated) in scenario.pages {
            let page = try store.list(photos, query)
            #expect(page.entries.map(\.bytes) == entries, "\(query)")
            #expect(page.isTruncated == isTruncated, "\(query)")
        }
        #expect(try store.walk(photos, ListQuery(delimiter: Array("/".utf8), limit: 13)) == scenario.rollUps)
    }
}
