import Glibc
import ShoalFaults
import ShoalJSON
import ShoalNet
import ShoalS3
import ShoalWire
import Testing

@Suite struct `An upload that breaks` {
    /// The events of the one upload of `a`, when its connection has ended.
    static func events(_ server: TestServer) throws -> [JSON] {
        try AdminClient(server).exchange { $0["key"]?.string == "a" }
    }

    /// No object, no file that waits, and the server goes on.
    static func expectNothingLeft(_ server: TestServer) throws {
        let s3 = S3Client(server)
        #expect(try AdminClient(server).json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        #expect(server.files(below: "staging").isEmpty)
        #expect(server.files(below: "blobs").isEmpty)
        #expect(try s3.put("after", "x").status == 200)
        #expect(try s3.get("after").text == "x")
    }

    /// Sizes that go to a segment and to a file of their own.
    @Test(arguments: [1_000, 2_000_000])
    func `off when the client half-closes is a 400 IncompleteBody (versitygw#2414)`(size: Int) throws {
        let server = try TestServer()
        let request = try S3Client(server).request(S3Call("PUT", "photos", "a", body: pattern(size)))
        let connection = server.connection
        connection.send(Array(request.bytes.dropLast(1)))
        connection.finishSending()
        let (bytes, end) = connection.receive()
        let answer = try #require(WireResponse(parsing: bytes, isHead: false))
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>IncompleteBody</Code><Message>You did not provide the number of bytes specified by the "
                + "Content-Length HTTP header</Message>")
        #expect(end == .fin)
        let events = try Self.events(server)
        #expect(events.first { $0.ev == "body" }?["bytes"]?.integer == Int64(size - 1))
        #expect(events.first { $0.ev == "store" }?["change"]?.string == "discarded")
        #expect(events.first { $0.ev == "response.head" }?["code"]?.string == "IncompleteBody")
        try Self.expectNothingLeft(server)
    }

    @Test(arguments: [0, 1, 700, 1_500_000])
    func `off with a RST after some bytes leaves nothing (s3ninja#81)`(sent: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(2_000_000)))
        try sendAndReset(server, request, bodyCount: sent)
        let events = try Self.events(server)
        let closing = events.first { $0.ev == "conn.close" }
        #expect(closing?["by"]?.string == "peer")
        #expect(closing?["how"]?.string == "rst")
        #expect(events.contains { $0.ev == "store" && $0["change"]?.string == "discarded" })
        #expect(!events.contains { $0.ev == "response.head" })
        try Self.expectNothingLeft(server)
    }

    @Test func `off keeps the version that was there, and may be sent again (localstack#9851)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "old")
        let admin = AdminClient(server)
        let since = try admin.lastEvent
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(300_000)))
        try sendAndReset(server, request, bodyCount: 299_999)
        _ = try admin.exchange(since: since) { $0["key"]?.string == "a" }
        #expect(try s3.get("a").text == "old")
        let again = try s3.send(request)
        #expect(again["ETag"] == etag(of: pattern(300_000)))
        #expect(try s3.get("a").body == pattern(300_000))
    }

    @Test
    func `off into silence is a 400 RequestTimeout after the bound (aws-sdk-java-v2#5415, flysystem-aws-s3-v3#118)`()
        throws
    {
        var bounds = ConnectionBounds()
        bounds.bodyProgress = .milliseconds(200)
        let server = try TestServer(bounds: bounds)
        let request = try S3Client(server).request(S3Call("PUT", "photos", "a", body: pattern(1_000)))
        let connection = server.connection
        let start = ContinuousClock.now
        connection.send(Array(request.bytes.dropLast(1)))
        let (bytes, end) = connection.receive()
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        let answer = try #require(WireResponse(parsing: bytes, isHead: false))
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>RequestTimeout</Code><Message>Your socket connection to the server was not read from or written to "
                + "within the timeout period. Idle connections will be closed.</Message>")
        #expect(end == .fin)
        let events = try Self.events(server)
        #expect(events.first { $0.ev == "body" }?["bytes"]?.integer == 999)
        #expect(events.contains { $0.ev == "store" && $0["change"]?.string == "discarded" })
        try Self.expectNothingLeft(server)
    }

    @Test func `the promise by sending more stores what was promised and treats the rest as another request`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try s3.request(S3Call("PUT", "photos", "a", body: "hello"), .presigned(seconds: 60))
        request.body += Array("GET / nonsense\r\n\r\n".utf8)
        let connection = server.connection
        connection.send(request.bytes)
        let (bytes, end) = connection.receive()
        #expect(statuses(in: bytes) == [200, 400])
        #expect(end == .fin)
        #expect(try s3.get("a").text == "hello")
    }

    @Test func `off between two requests leaves the server in peace`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for _ in 0..<20 {
            let connection = server.connection
            _ = try s3.send(try s3.request(S3Call("GET", "photos", "a")), on: connection)
            connection.reset()
        }
        #expect(try s3.put("a", "x").status == 200)
    }

    /// Sends what `count` bytes of the body belong to and resets the connection once the server has taken them all.
    private func sendAndReset(_ server: TestServer, _ request: WireRequest, bodyCount count: Int) throws {
        let admin = AdminClient(server)
        let rule = try admin.arm("PutObject a @body.at(\(count)) 1*delay(1ms)")
        let connection = server.connection
        connection.send(request.head + request.body.prefix(count))
        // A reset throws away what the peer has not read yet, so that it has to come later.
        _ = try admin.journal { $0.contains { $0.ev == "fault" && $0["rule"]?.string == rule } }
        connection.reset()
    }
}
