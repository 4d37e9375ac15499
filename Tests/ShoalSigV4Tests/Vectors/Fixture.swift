import FoundationEssentials
import ShoalHTTP
import ShoalS3
import ShoalSigV4

/// Files of `fixtures/sigv4`, whose origin stands in `fixtures/README.md`.
enum Fixture {
    /// The `vectors` of a file.
    static func vectors<Vector: Decodable>(_ name: String, of type: Vector.Type) -> [Vector] {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try! Data(contentsOf: root.appending(path: "fixtures/sigv4/\(name)"))
        return try! JSONDecoder().decode(VectorFile<Vector>.self, from: data).vectors
    }
}

private struct VectorFile<Vector: Decodable>: Decodable {
    let vectors: [Vector]
}

/// A request as text, before it is a head.
struct WireRequest {
    var method: String
    var target: String
    var headers: [(name: String, value: String)]

    init(_ method: String, _ target: String, _ headers: [(name: String, value: String)] = [("Host", "localhost:9000")])
    {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// `pairs` of name and value as they stand in a vector.
    init(_ method: String, _ target: String, pairs: [[String]]) {
        self.init(method, target, pairs.map { ($0[0], $0[1]) })
    }

    var bytes: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    func parsed() throws -> RequestHead {
        var parser = HeadParser()
        let bytes = bytes
        guard let (head, byteCount) = try parser.parse(bytes.span), byteCount == bytes.count else {
            throw IncompleteHead()
        }
        return head
    }

    struct IncompleteHead: Error {}
}

extension Timestamp {
    /// `2026-03-14T15:09:26Z`
    init(iso text: String) {
        self.init(seconds: Int64(try! Date(text, strategy: .iso8601).timeIntervalSince1970))
    }
}

extension Verdict {
    var authentication: Authentication? {
        if case .accepted(let authentication) = self { authentication } else { nil }
    }

    var error: S3Error? {
        if case .rejected(let error) = self { error } else { nil }
    }
}

extension S3Error {
    func element(_ name: String) -> String? { elements.first { $0.name == name }?.value }
}

/// A server that knows one key, which is temporary if it has a token.
func knowing(_ accessKey: String, _ secret: String, token: String? = nil, tokenExpiry: Timestamp? = nil)
    -> @Sendable (ArraySlice<UInt8>) -> Credential?
{
    { wanted in
        guard wanted.elementsEqual(accessKey.utf8) else { return nil }
        return Credential(
            secret: secret.utf8, session: token.map { Credential.Session(token: $0.utf8, expiry: tokenExpiry) })
    }
}

func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
