import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// Speaks to the admin API as `curl` would.
struct AdminClient: Sendable {
    let server: TestServer
    private let scope: String

    init(_ server: TestServer, scope: String = "default") {
        self.server = server
        self.scope = "/_shoal/v1/scopes/" + scope
    }

    /// `path` is whole, or relative to the scope: `/clock`.
    func send(
        _ method: String, _ path: String, _ body: String = "", headers: [WireRequest.Field] = []
    ) throws -> WireResponse {
        let target = path.hasPrefix("/_shoal/") ? path : scope + path
        var request = WireRequest(
            method: method, target: target, host: "127.0.0.1:\(server.adminPort)", headers: [], body: Array(body.utf8))
        for header in headers { request[header.name] = header.value }
        if let host = request["Host"] {
            request["Host"] = nil
            request.host = host
        }
        if !body.isEmpty { request["Content-Length"] = String(request.body.count) }
        let connection = server.adminConnection
        connection.send(request.bytes)
        return try #require(connection.receiveResponse(toHead: method == "HEAD"))
    }

    /// The document of a successful answer.
    @discardableResult
    func json(_ method: String, _ path: String, _ body: String = "") throws -> JSON {
        let answer = try send(method, path, body)
        #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
        return try JSONParser.parse(answer.body)
    }

    /// The bytes of a request whose answer may come later.
    func post(_ path: String, _ body: String) -> [UInt8] {
        WireRequest(
            method: "POST", target: scope + path, host: "127.0.0.1:\(server.adminPort)",
            headers: [("Content-Length", String(body.utf8.count))], body: Array(body.utf8)
        ).bytes
    }

    // MARK: Rules and time

    /// Puts a rule in force; its id.
    @discardableResult
    func arm(_ line: String) throws -> String {
        let answer = try json("POST", "/rules", line)
        return try #require(answer["rules"]?.first?["id"]?.string)
    }

    func firings(of id: String) throws -> Int64? { try json("GET", "/rules/\(id)")["fired"]?.integer }

    func freeze(at instant: Timestamp) throws {
        try json("PUT", "/clock", #"{"freeze":"\#(instant.iso8601)"}"#)
    }

    // MARK: The journal

    /// Events behind `since`, followed as they come until `isEnough`; fails after ten seconds without one.
    func journal(since: Int64 = 0, until isEnough: @escaping ([JSON]) -> Bool) throws -> [JSON] {
        let connection = server.adminConnection
        connection.send(
            "GET \(scope)/journal/stream?since=\(since) HTTP/1.1\r\nHost: 127.0.0.1:\(server.adminPort)\r\n\r\n")
        var events: [JSON] = []
        let (bytes, end) = connection.receive { bytes in
            events = Self.events(in: bytes)
            return isEnough(events)
        }
        try #require(isEnough(events), "\(end) after \(String(decoding: bytes, as: UTF8.self))")
        return events
    }

    /// The events of the first exchange that `isMeant`, once its connection has ended or its answer was sent.
    func exchange(since: Int64 = 0, where isMeant: @escaping (JSON) -> Bool) throws -> [JSON] {
        func chosen(_ events: [JSON]) -> [JSON] {
            guard let head = events.first(where: { $0.ev == "request.head" && isMeant($0) }) else { return [] }
            return events.filter { $0["conn"] == head["conn"] && $0["exchange"] == head["exchange"] }
        }
        let isOver = { (events: [JSON]) in
            chosen(events).contains { $0.ev == "response.end" || $0.ev == "conn.close" }
        }
        return chosen(try journal(since: since, until: isOver))
    }

    var lastEvent: Int64 {
        get throws { try json("GET", "/journal?limit=10000")["last"]?.integer ?? 0 }
    }

    private static func events(in bytes: [UInt8]) -> [JSON] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().filter { $0.hasPrefix("data: ") }
            .compactMap { try? JSONParser.parse(String($0.dropFirst(6))) }  // a line that is cut comes again, whole
    }
}

extension JSON {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    var first: JSON? { elements.first }
    /// An event's `ev`.
    var ev: String { self["ev"]?.string ?? "" }
}
