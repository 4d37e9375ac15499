import Glibc
import ShoalHTTPClient
import Testing

@Suite struct `The HTTP client` {
    private static let empty = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    @Test func `sends path, query and headers as they are`() throws {
        let server = try LoopbackServer([Self.empty])
        let request = HTTPClient.Request(
            url: "http://127.0.0.1:\(server.port)/photos/a%2fb/../c?x=%7E&y", headers: [("X-Amz-Meta-A", "b c")])
        let response = try HTTPClient().send(request)
        #expect(response.status == 204)
        let text = try #require(server.requests().first)
        #expect(text.hasPrefix("GET /photos/a%2fb/../c?x=%7E&y HTTP/1.1\r\n"))
        #expect(text.contains("\r\nX-Amz-Meta-A: b c\r\n"))
    }

    @Test func `sends bytes with their length and without Expect`() throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
        let server = try LoopbackServer([Self.empty])
        _ = try HTTPClient().send(
            .init(method: "PUT", url: "http://127.0.0.1:\(server.port)/b/k", body: .bytes(body)))
        let text = try #require(server.requests().first)
        #expect(text.contains("\r\nContent-Length: 2097152\r\n"))
        #expect(!text.lowercased().contains("\r\nexpect:"))
        #expect(text.hasSuffix("\r\n\r\n" + String(decoding: body, as: UTF8.self)))
    }

    @Test func `sends an empty body as a body of length 0`() throws {
        let server = try LoopbackServer([Self.empty])
        _ = try HTTPClient().send(
            .init(method: "POST", url: "http://127.0.0.1:\(server.port)/", body: .bytes([])))
        let text = try #require(server.requests().first)
        #expect(text.hasPrefix("POST / HTTP/1.1\r\n"))
        #expect(text.contains("\r\nContent-Length: 0\r\n"))
    }

    @Test func `sends a file and tells how far it is`() throws {
        let path = try temporaryFile("a photo, or nearly")
        defer { unlink(path) }
        let server = try LoopbackServer([Self.empty])
        var last: (sent: Int64, total: Int64) = (0, 0)
        _ = try HTTPClient().send(
            .init(method: "PUT", url: "http://127.0.0.1:\(server.port)/b/k", body: .file(path)),
            onProgress: { last = ($0, $1) })
        #expect(try #require(server.requests().first).hasSuffix("\r\n\r\na photo, or nearly"))
        #expect(last == (18, 18))
    }

    @Test func `gives status, headers in order and body of the final answer`() throws {
        let server = try LoopbackServer([
            "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 403 Forbidden\r\nX-B: 1\r\nx-a:  two \r\nX-B: 3\r\n"
                + "Content-Length: 6\r\nConnection: close\r\n\r\n<Error"
        ])
        let response = try HTTPClient().send(.init(url: "http://127.0.0.1:\(server.port)/"))
        _ = server.requests()
        #expect(response.status == 403)
        #expect(String(decoding: response.body, as: UTF8.self) == "<Error")
        #expect(response.headers.map(\.name) == ["X-B", "x-a", "X-B", "Content-Length", "Connection"])
        #expect(response.header("X-A") == "two")
        #expect(response.header("x-b") == "1")
    }

    @Test func `hands data over as it arrives and lets the receiver stop`() throws {
        let server = try LoopbackServer([
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nfirst"
        ])
        var seen: [UInt8] = []
        let response = try HTTPClient().send(
            .init(url: "http://127.0.0.1:\(server.port)/"),
            onData: { status, bytes in
                seen += bytes
                return status != 200
            })
        _ = server.requests()
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(String(decoding: seen, as: UTF8.self) == "first")
    }

    @Test func `does not wait for a body behind HEAD`() throws {
        let server = try LoopbackServer(["HTTP/1.1 200 OK\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"])
        let response = try HTTPClient().send(.init(method: "HEAD", url: "http://127.0.0.1:\(server.port)/"))
        #expect(try #require(server.requests().first).hasPrefix("HEAD / HTTP/1.1\r\n"))
        #expect(response.status == 200)
        #expect(response.header("content-length") == "12")
    }

    @Test func `does not follow a redirect`() throws {
        let server = try LoopbackServer([
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ])
        #expect(try HTTPClient().send(.init(url: "http://127.0.0.1:\(server.port)/")).status == 307)
        _ = server.requests()
    }

    @Test func `calls an answer that ends early a broken transfer`() throws {
        let server = try LoopbackServer(["HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf"])
        let client = try HTTPClient()
        let error = #expect(throws: HTTPClientError.self) {
            try client.send(.init(url: "http://127.0.0.1:\(server.port)/"))
        }
        _ = server.requests()
        guard case .transfer? = error else {
            Issue.record("should be a broken transfer, not \(String(describing: error))")
            return
        }
    }

    @Test func `calls a port where nobody listens unreachable`() throws {
        let absent = try RefusingPort()
        defer { withExtendedLifetime(absent) {} }
        let client = try HTTPClient()
        let error = #expect(throws: HTTPClientError.self) {
            try client.send(.init(url: "http://127.0.0.1:\(absent.port)/"))
        }
        guard case .unreachable? = error else {
            Issue.record("should be unreachable, not \(String(describing: error))")
            return
        }
    }

    /// Without a timeout: nothing else would end it.
    @Test func `breaks off a request that nobody wants the answer of any more`() throws {
        let silent = try RefusingPort()
        silent.fallSilent()
        let client = try HTTPClient()
        let error = #expect(throws: HTTPClientError.self) {
            try client.send(.init(url: "http://127.0.0.1:\(silent.port)/"), isCancelled: { true })
        }
        guard case .transfer? = error else {
            Issue.record("should be a broken transfer, not \(String(describing: error))")
            return
        }
    }

    @Test func `says which file could not be opened`() throws {
        let request = HTTPClient.Request(method: "PUT", url: "http://127.0.0.1:1/", body: .file("/no/such/file"))
        let client = try HTTPClient()
        #expect(throws: HTTPClientError.file(path: "/no/such/file", errno: ENOENT)) { try client.send(request) }
    }

    private func temporaryFile(_ text: String) throws -> String {
        var template = Array("/tmp/shoal-client-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SocketFailure(errno: errno) }
        defer { close(descriptor) }
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
