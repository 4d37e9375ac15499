import Glibc
import ShoalCrypto
import ShoalS3
import ShoalSeeded
import ShoalServer
import ShoalWire
import Testing

/// Ten thousand random requests over a socket, each answer held against a page of rules. A failure names the seed;
/// `SHOAL_MODEL_SEED` repeats it.
@Suite struct `A server driven at random` {
    @Test func `does what S3 does, across restarts`() throws {
        let given = getenv("SHOAL_MODEL_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("the model's seed is \(seed)")
        var run = try ModelRun(seed: seed)
        for step in 0..<10_000 { try run.step(step) }
        try run.compareAll()
    }
}

/// A server, the model of it, and the dice.
private struct ModelRun {
    private let seed: UInt64
    private var generator: SeededGenerator
    private let home: TestServer
    private var server: TestServer
    private var connection: WireClient
    private var model = S3Model()
    private var number = 0
    private var failureCount = 0

    /// Some of them are prefixes of others, and some hold what is escaped in URLs.
    private static let keys = [
        "a", "a/", "a/b", "a/b/c", "a//b", "a+b", "a b", "b/ü", "b/ä", "c/d/e", "c/d/f", "c/g", "d~e", "d.e", "e/1",
        "e/2", "e/3", "z",
    ]

    init(seed: UInt64) throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        home = try TestServer()
        server = home
        connection = server.connection
    }

    // MARK: One step

    mutating func step(_ number: Int) throws {
        self.number = number
        switch Int.random(in: 0..<1_000, using: &generator) {
        case 0..<380: try put()
        case 380..<480: try delete()
        case 480..<560: try deleteVersion()
        case 560..<640: try copy()
        case 640..<700: try uploadInParts()
        case 700..<830: try read()
        case 830..<860: try tag()
        case 860..<880: try deleteSeveral()
        case 880..<890: try changeVersioning()
        case 890..<960: try list()
        case 960..<997: try listVersions(of: pick())
        default: try restart()
        }
        try #require(failureCount == 0, "step \(number) of seed \(seed)")
    }

    private mutating func expect(_ isSo: Bool, _ what: @autoclosure () -> String) {
        guard !isSo else { return }
        failureCount += 1
        Issue.record("step \(number) of seed \(seed): \(what())")
    }

    private mutating func pick() -> String { Self.keys[Int.random(in: 0..<Self.keys.count, using: &generator)] }

    private mutating func send(_ call: S3Call) throws -> WireResponse {
        let s3 = S3Client(server)
        let answer = try s3.send(s3.request(call), on: connection)
        // A refusal before the body was taken ends the connection.
        if answer["Connection"]?.lowercased() == "close" { connection = server.connection }
        return answer
    }

    private func call(
        _ method: String, _ key: String?, _ query: [WireRequest.Field] = [], headers: [WireRequest.Field] = [],
        body: [UInt8] = []
    ) -> S3Call { S3Call(method, "photos", key, query: query, headers: headers, body: body) }

    /// Mostly small; now and then too large for a segment.
    private mutating func bytes() -> [UInt8] {
        let isLarge = Int.random(in: 0..<50, using: &generator) == 0
        let count = isLarge ? 300_000 : [0, 1, 7, 300, 5_000, 20_000].randomElement(using: &generator) ?? 0
        return [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: count)
    }

    private func tag(of bytes: [UInt8]) -> String { "\"\(Hexadecimal.string(Digest.of(bytes, .md5)))\"" }

    /// The id a new version has: named by the answer where the bucket adds versions.
    private mutating func newID(_ answer: WireResponse) -> String {
        let id = answer["x-amz-version-id"]
        switch model.state {
        case .never: expect(id == nil, "an id in a bucket without versions")
        case .enabled: expect(id != nil && id != "null", "no id of a new version")
        case .suspended: expect(id == nil || id == "null", "an id while suspended")
        }
        return id ?? "null"
    }
}

// MARK: - Writing

extension ModelRun {
    private mutating func put() throws {
        let (key, bytes) = (pick(), bytes())
        let current = model.current(key)
        let (condition, expected): ([WireRequest.Field], Int) =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: ([("If-None-Match", "*")], current == nil ? 200 : 412)
            case 1: ([("If-Match", current?.etag ?? tag(of: [1]))], current == nil ? 404 : 200)
            case 2: ([("If-Match", tag(of: [9, 9, 9]))], current == nil ? 404 : 412)
            default: ([], 200)
            }
        let answer = try send(call("PUT", key, headers: condition, body: bytes))
        expect(answer.status == expected, "PUT \(key) \(condition): \(answer.status) \(answer.text)")
        guard answer.status == 200 else { return }
        expect(answer["ETag"] == tag(of: bytes), "the tag of PUT \(key)")
        model.put(key, .init(id: newID(answer), bytes: bytes, etag: tag(of: bytes)))
    }

    private mutating func copy() throws {
        let (source, target) = (pick(), pick())
        guard source != target else { return }
        var path = Array("/photos/".utf8)
        URLEncoding.append(Array(source.utf8), to: &path)
        let header = ("x-amz-copy-source", String(decoding: path, as: UTF8.self))
        let answer = try send(call("PUT", target, headers: [header]))
        guard let original = model.current(source), let bytes = original.bytes else {
            return expect(answer.status == 404, "a copy of \(source), which is not there: \(answer.status)")
        }
        expect(answer.status == 200, "a copy of \(source): \(answer.status) \(answer.text)")
        let id = model.state == .suspended ? "null" : newID(answer)
        model.put(target, .init(id: id, bytes: bytes, etag: tag(of: bytes), tags: original.tags))
    }

    private mutating func uploadInParts() throws {
        let (key, bytes) = (pick(), bytes())
        let begun = try send(call("POST", key, [("uploads", "")]))
        let upload = begun.element("UploadId") ?? ""
        let part = try send(call("PUT", key, [("partNumber", "3"), ("uploadId", upload)], body: bytes))
        if Int.random(in: 0..<3, using: &generator) == 0 {
            expect(try send(call("DELETE", key, [("uploadId", upload)])).status == 204, "an abort")
            return
        }
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>3</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let completed = try send(call("POST", key, [("uploadId", upload)], body: Array(list.utf8)))
        let etag = "\"\(Hexadecimal.string(Digest.of(Digest.of(bytes, .md5), .md5)))-1\""
        expect(completed.status == 200, "a completion of \(key): \(completed.text)")
        expect(completed.element("ETag")?.contains(etag.dropFirst().dropLast()) == true, "the tag of \(key) in parts")
        model.put(key, .init(id: newID(completed), bytes: bytes, etag: etag))
    }

    private mutating func tag() throws {
        let key = pick()
        let value = "v\(Int.random(in: 0..<9, using: &generator))"
        let body = "<Tagging><TagSet><Tag><Key>k</Key><Value>\(value)</Value></Tag></TagSet></Tagging>"
        let answer = try send(call("PUT", key, [("tagging", "")], body: Array(body.utf8)))
        guard model.current(key) != nil else {
            return expect(answer.status == 404 || answer.status == 405, "tags of nothing: \(answer.status)")
        }
        expect(answer.status == 200, "tags of \(key): \(answer.text)")
        model.setTags([value], of: key)
    }

    private mutating func changeVersioning() throws {
        // Without versions for a good while first.
        guard number > 2_000 else { return }
        let state: S3Model.State = Bool.random(using: &generator) ? .enabled : .suspended
        let status = state == .enabled ? "Enabled" : "Suspended"
        let body = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
        let answer = try send(call("PUT", nil, [("versioning", "")], body: Array(body.utf8)))
        expect(answer.status == 200, "versioning: \(answer.text)")
        model.state = state
    }
}

// MARK: - Deleting

extension ModelRun {
    private mutating func delete() throws {
        let key = pick()
        let answer = try send(call("DELETE", key))
        expect(answer.status == 204, "DELETE \(key): \(answer.status)")
        guard model.state != .never else { return model.put(key, .init(id: "null")) }
        expect(answer["x-amz-delete-marker"] == "true", "no marker of \(key)")
        model.put(key, .init(id: answer["x-amz-version-id"] ?? "?"))
    }

    private mutating func deleteVersion() throws {
        let key = pick()
        guard let victim = model.versions[key]?.randomElement(using: &generator) else { return }
        let answer = try send(call("DELETE", key, [("versionId", victim.id)]))
        expect(answer.status == 204, "DELETE \(key) \(victim.id): \(answer.status) \(answer.text)")
        expect((answer["x-amz-delete-marker"] == "true") == (victim.bytes == nil), "what \(victim.id) was")
        model.delete(key, id: victim.id)
    }

    private mutating func deleteSeveral() throws {
        let keys = Set((0..<3).map { _ in pick() }).sorted()
        let body = "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + "</Delete>"
        let digest = ("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))
        let answer = try send(call("POST", nil, [("delete", "")], headers: [digest], body: Array(body.utf8)))
        expect(answer.status == 200 && !answer.text.contains("<Error>"), "DeleteObjects: \(answer.text)")
        let markers = answer.values(of: "DeleteMarkerVersionId")
        expect(markers.count == (model.state == .never ? 0 : keys.count), "the markers of DeleteObjects")
        for (index, key) in answer.values(of: "Key").enumerated() {
            model.put(key, .init(id: model.state == .never ? "null" : markers[index]))
        }
    }
}

// MARK: - Reading

extension ModelRun {
    private mutating func read() throws {
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

    private mutating func list() throws {
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
            keys += page.values(of: "Key")
            prefixes += page.text.split(separator: "<CommonPrefixes><Prefix>").dropFirst()
                .map { String($0.prefix { $0 != "<" }) }
            token = page.element("NextContinuationToken")
            if token == nil { break }
        }
        let expected = model.listing(prefix: prefix, delimiter: delimiter)
        expect(keys == expected.keys, "keys of \(prefix)|\(delimiter)|\(size): \(keys), not \(expected.keys)")
        expect(prefixes == expected.prefixes, "prefixes of \(prefix)|\(delimiter)|\(size): \(prefixes)")
    }

    private mutating func listVersions(of prefix: String) throws {
        let size = Int.random(in: 20...200, using: &generator)
        var found: [String] = []
        var marker: [WireRequest.Field] = []
        for _ in 0..<5_000 {
            let page = try send(
                call("GET", nil, [("versions", ""), ("prefix", prefix), ("max-keys", "\(size)")] + marker))
            found += zip(page.values(of: "Key"), page.values(of: "VersionId")).map { "\($0) \($1)" }
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

    private mutating func restart() throws {
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

extension WireResponse {
    /// What stands between each pair of tags of that name.
    fileprivate func values(of name: String) -> [String] {
        text.split(separator: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }
}
