import ShoalCrypto
import ShoalSeeded
import ShoalWire
import Testing

/// A server, the model of it, and the dice.
struct ModelRun {
    private let seed: UInt64
    var generator: SeededGenerator
    let home: TestServer
    var server: TestServer
    var connection: WireClient
    var model = S3Model()
    private(set) var number = 0
    private(set) var failureCount = 0

    /// Some of them are prefixes of others, and some hold what is escaped in URLs.
    static let keys = [
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

    mutating func expect(_ isSo: Bool, _ what: @autoclosure () -> String) {
        guard !isSo else { return }
        failureCount += 1
        Issue.record("step \(number) of seed \(seed): \(what())")
    }

    mutating func pick() -> String { Self.keys[Int.random(in: 0..<Self.keys.count, using: &generator)] }

    mutating func send(_ call: S3Call) throws -> WireResponse {
        let s3 = S3Client(server)
        let answer = try s3.send(s3.request(call), on: connection)
        // A refusal before the body was taken ends the connection.
        if answer["Connection"]?.lowercased() == "close" { connection = server.connection }
        return answer
    }

    func call(
        _ method: String, _ key: String?, _ query: [WireRequest.Field] = [], headers: [WireRequest.Field] = [],
        body: [UInt8] = []
    ) -> S3Call { S3Call(method, "photos", key, query: query, headers: headers, body: body) }

    /// Mostly small; now and then too large for a segment.
    mutating func bytes() -> [UInt8] {
        let isLarge = Int.random(in: 0..<50, using: &generator) == 0
        let count = isLarge ? 300_000 : [0, 1, 7, 300, 5_000, 20_000].randomElement(using: &generator) ?? 0
        return [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: count)
    }

    func tag(of bytes: [UInt8]) -> String { "\"\(Hexadecimal.string(Digest.of(bytes, .md5)))\"" }

    /// The id a new version has: named by the answer where the bucket adds versions.
    mutating func newID(_ answer: WireResponse) -> String {
        let id = answer["x-amz-version-id"]
        switch model.state {
        case .never: expect(id == nil, "an id in a bucket without versions")
        case .enabled: expect(id != nil && id != "null", "no id of a new version")
        case .suspended: expect(id == nil || id == "null", "an id while suspended")
        }
        return id ?? "null"
    }
}
