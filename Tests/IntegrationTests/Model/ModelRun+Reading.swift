import ShoalSeeded
import ShoalServer
import ShoalWire
import Testing

// MARK: - Reading

extension ModelRun {
    mutating func read() throws {
        let key = pick()
        if let version = model.versions[key]?.randomElement(using: &generator), Bool.random(using: &generator) {
            return try read(key, version, [("versionId", version.id)])
        }
        guard let current = model.current(key) else {
            return expect(try send(call("GET", key)).status == 404, "GET \(key), which is not there")
        }
        try read(key, current, [])
    }

    private mutating func read(_ key: String, _ version: S3Model.Version, _ query: [WireRequest.Field]) throws {
        let answer = try send(call("GET", key, query))
        guard let bytes = version.bytes else {
            return expect(answer.status == 405, "GET of a marker of \(key): \(answer.status)")
        }
        expect(answer.status == 200 && answer.body == bytes, "the bytes of \(key) \(query): \(answer.status)")
        expect(answer["ETag"] == version.etag, "the tag of \(key) \(query)")
        expect(answer["x-amz-tagging-count"] == (version.tags.isEmpty ? nil : "1"), "the tags of \(key)")
        expect(answer["x-amz-version-id"] == (model.state == .never ? nil : version.id), "the id of \(key)")
    }

    mutating func list() throws {
        let prefix = ["", "a", "a/", "b/", "c/d", "e/", "x"].randomElement(using: &generator) ?? ""
        let delimiter = ["", "/", "/", "b", "//"].randomElement(using: &generator) ?? ""
        let size = Int.random(in: 1...7, using: &generator)
        var (keys, prefixes): ([String], [String]) = ([], [])
        var token: String?
        for _ in 0...Self.keys.count {
            let query =
                [("list-type", "2"), ("prefix", prefix), ("delimiter", delimiter), ("max-keys", "\(size)")]
                + (token.map { [("continuation-token", $0)] } ?? [])
            let page = try send(call("GET", nil, query))
            expect(page.status == 200, "a listing: \(page.text)")
            keys += page.text.components("Key")
            prefixes += page.text.split(separator: "<CommonPrefixes><Prefix>").dropFirst()
                .map { String($0.prefix { $0 != "<" }) }
            token = page.element("NextContinuationToken")
            if token == nil { break }
        }
        let expected = model.listing(prefix: prefix, delimiter: delimiter)
        expect(keys == expected.keys, "keys of \(prefix)|\(delimiter)|\(size): \(keys), not \(expected.keys)")
        expect(prefixes == expected.prefixes, "prefixes of \(prefix)|\(delimiter)|\(size): \(prefixes)")
    }

    mutating func listVersions(of prefix: String) throws {
        let size = Int.random(in: 20...200, using: &generator)
        var found: [String] = []
        var marker: [WireRequest.Field] = []
        for _ in 0..<5_000 {
            let page = try send(
                call("GET", nil, [("versions", ""), ("prefix", prefix), ("max-keys", "\(size)")] + marker))
            found += zip(page.text.components("Key"), page.text.components("VersionId")).map { "\($0) \($1)" }
            guard page.element("IsTruncated") == "true" else { break }
            marker = [
                ("key-marker", page.element("NextKeyMarker") ?? ""),
                ("version-id-marker", page.element("NextVersionIdMarker") ?? ""),
            ]
        }
        let expected = model.keys.filter { $0.utf8.starts(with: prefix.utf8) }.flatMap { key in
            (model.versions[key] ?? []).map { "\(key) \($0.id)" }
        }
        expect(found == expected, "versions of \(prefix) by \(size): \(found.count), not \(expected.count)")
    }

    mutating func restart() throws {
        server.stop()
        server = try TestServer { $0.storage = .directory(home.data) }
        connection = server.connection
    }

    /// Every version of every key.
    mutating func compareAll() throws {
        try restart()
        try listVersions(of: "")
        for key in model.keys {
            for version in model.versions[key] ?? [] { try read(key, version, [("versionId", version.id)]) }
        }
        #expect(failureCount == 0)
    }
}
