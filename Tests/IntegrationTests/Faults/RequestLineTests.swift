import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

/// What is particular to `request.line`; each of its actions is proven where those of other points are.
@Suite struct `A rule at request.line` {
    @Test func `strikes before any header line has come, at every request of a connection`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("PutObject b @request.line reset per=rule")
        let connection = server.connection
        #expect(try s3.send(s3.request(S3Call("PUT", "photos", "a", body: "x")), on: connection).status == 200)
        connection.send("PUT /photos/a HT")
        connection.send("TP/1.1\r\n")
        #expect(connection.receive(milliseconds: 100).end == .silence)
        let other = server.connection
        other.send("PUT /photos/b HTTP/1.1\r\n")
        #expect(other.receive() == ([], .reset))
        let event = try admin.journal { $0.contains { $0.ev == "fault" } }.first { $0.ev == "fault" }
        #expect(event?["point"]?.string == "request.line" && event?["exchange"]?.integer == 1)
        #expect(try admin.firings(of: rule) == 1)
    }

    @Test func `lets the request go on where it was, however its bytes come`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("PutObject @request.line delay(20ms) per=rule")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: "body"))
        let connection = server.connection
        for byte in request.bytes { connection.send([byte]) }
        #expect(try #require(connection.receiveResponse()).status == 200)
        connection.send(request.bytes + request.bytes)
        for _ in 0..<2 { #expect(try #require(connection.receiveResponse()).status == 200) }
        #expect(try s3.get("a").text == "body")
        #expect(try admin.firings(of: rule) == 3)
    }

    @Test(arguments: [
        ("bucket=photos", true), ("bucket=films", false), ("presigned=true", true), ("query.X-Amz-Expires=60", true),
        ("query.X-Amz-Expires=61", false), ("connection=fresh", true), ("exchange=2", false), ("client=127.*", true),
        ("any=(PutObject a)|(GetObject)", true), ("not=(PutObject a)", false), ("ageOfUrl=<1h", true),
    ])
    func `is matched by what the line says`(option: String, isStruck: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject a @request.line reset \(option)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 60)).bytes)
        #expect((connection.receiveResponse() == nil) == isStruck)
    }

    @Test(arguments: [
        ("size=>5", "'size'"), ("userAgent=curl/*", "'userAgent'"), ("header.x-a=b", "'header'"),
        ("attempt=2", "'attempt'"), ("sdkAttempt=1", "'sdkAttempt'"), ("range=*", "'range'"),
        ("expectContinue=true", "'expectContinue'"), ("not=(invocation=x)", "'invocation'"),
    ])
    func `is not matched by what header lines say`(option: String, field: String) throws {
        let answer = try AdminClient(try TestServer()).send("POST", "/rules", "PutObject @request.line reset \(option)")
        #expect(answer.status == 400)
        #expect(answer.text.contains("\(field) stands in header lines, which have not come at 'request.line'"))
    }

    @Test func `is a scope's by a presigned URL, by a bucket of its own, or at its port`() throws {
        let server = try TestServer()
        let (one, two) = (try TestScope(server, "one", buckets: ["photos", "mine"]), try TestScope(server, port: true))
        for scope in [one, two] { try scope.admin.arm("any @request.line reset per=rule") }
        func isStruck(_ s3: S3Client, _ bucket: String, _ proof: S3Client.Proof) throws -> Bool {
            let connection = s3.connection
            connection.send(try s3.request(S3Call("GET", bucket, "a"), proof).bytes)
            return connection.receiveResponse() == nil
        }
        #expect(try isStruck(one.s3, "photos", .presigned(seconds: 60)))
        #expect(try isStruck(one.s3, "mine", .header))
        #expect(try isStruck(two.s3, "photos", .header))
        // Who has signed its header, the first line of a request does not say.
        #expect(try !isStruck(one.s3, "photos", .header))
        #expect(try !isStruck(S3Client(server), "photos", .presigned(seconds: 60)))
        _ = try one.end()
        _ = try two.end()
        #expect(try !isStruck(S3Client(server), "mine", .header))
    }

    @Test func `leaves the admin API beside S3 alone`() throws {
        let server = try TestServer { $0.adminListen = nil }
        try AdminClient(server).arm("any @request.line reset")
        #expect(try AdminClient(server).send("DELETE", "/rules").status == 204)
    }

    @Test func `is refused for a form, which only its Content-Type tells`() throws {
        let answer = try AdminClient(try TestServer()).send("POST", "/rules", "PostObject @request.line reset")
        #expect(answer.status == 400 && answer.text.contains("told by its Content-Type"))
    }
}
