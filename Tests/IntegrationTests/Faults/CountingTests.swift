import ShoalFaults
import ShoalWire
import Testing

typealias CountingTests = `The count of a rule`

@Suite struct `The count of a rule` {
    /// Sends one small PUT and says whether it was answered.
    static func isAnswered(_ s3: S3Client, _ request: WireRequest, on connection: WireClient? = nil) -> Bool {
        let connection = connection ?? s3.server.connection
        connection.send(request.bytes)
        return connection.receiveResponse()?.status == 200
    }

    static func upload(_ s3: S3Client, _ key: String, seconds: Int64 = 60, _ headers: [WireRequest.Field] = []) throws
        -> WireRequest
    {
        try s3.request(S3Call("PUT", "photos", key, unsigned: headers, body: "x"), .presigned(seconds: seconds))
    }

    @Test func `by operation lets every upload fail twice and then work (toxiproxy#404)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let id = try admin.arm("PutObject @commit.after 2*reset per=operation")
        for key in ["a", "b"] {
            let request = try Self.upload(s3, key)
            #expect((0..<4).map { _ in Self.isAnswered(s3, request) } == [false, false, true, true])
        }
        let status = try admin.json("GET", "/rules/\(id)")
        #expect(status["matched"]?.integer == 8)
        #expect(status["fired"]?.integer == 4)
        #expect(status["remaining"] == nil)
        let attempts = try admin.journal { events in events.count { $0.ev == "request.head" } == 8 }
            .filter { $0.ev == "request.head" }.compactMap { $0["attempt"]?.integer }
        #expect(attempts == [1, 2, 3, 4, 1, 2, 3, 4])
    }

    @Test(arguments: ["x-shoal-op", "amz-sdk-invocation-id"])
    func `by operation follows the name the client gives its attempts`(header: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject @request.head 1*reset")
        let results = try [("a", "one"), ("b", "one"), ("a", "two")].map { key, operation in
            Self.isAnswered(s3, try Self.upload(s3, key, [(header, operation)]))
        }
        #expect(results == [false, true, false])
    }

    @Test(arguments: [
        ("2*reset per=rule", [false, false, true, true]), ("reset skip=2 per=rule", [true, true, false, false]),
        ("1*reset skip=1 per=rule", [true, false, true, true]), ("1*reset per=key", [false, false, true, true]),
        ("1*reset per=client", [false, true, true, true]), ("reset every=2 per=rule", [true, false, true, false]),
        ("reset between=2-3 per=rule", [true, false, false, true]), ("reset budget=1/hour", [false, true, true, true]),
        ("pass,reset then=last per=key", [true, true, false, false]),
        ("reset expires=1h", [false, false, false, false]),
        ("1*reset per=connection", [false, false, false, false]), ("reset", [false, false, false, false]),
    ])
    func `counts what it says`(text: String, answered: [Bool]) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject @request.head \(text)")
        // Two keys in turn, each on a connection of its own and with a signature of its own.
        let results = try (0..<4).map { number in
            Self.isAnswered(s3, try Self.upload(s3, number % 2 == 0 ? "a" : "b", seconds: Int64(60 + number)))
        }
        #expect(results == answered)
    }

    @Test func `by connection fires once for each, and a rule can want a connection that was used (OkHttp#5054)`()
        throws
    {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @auth 1*SlowDown per=connection")
        let upload = try Self.upload(s3, "a")
        let statuses: [Int] = try [server.connection, server.connection].flatMap { connection in
            try (0..<2).map { _ in try s3.send(upload, on: connection).status }
        }
        #expect(statuses == [503, 200, 503, 200])
        try admin.arm("PutObject b @request.head reset connection=reused")
        let connection = server.connection
        #expect(Self.isAnswered(s3, try Self.upload(s3, "b"), on: connection))
        #expect(!Self.isAnswered(s3, try Self.upload(s3, "b"), on: connection))
        #expect(Self.isAnswered(s3, try Self.upload(s3, "b")))
    }

    @Test func `goes by the attempt, as the journal counts it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject @auth SlowDown attempt=2|3")
        let request = try Self.upload(s3, "a")
        #expect((0..<4).map { _ in Self.isAnswered(s3, request) } == [true, false, false, true])
    }

    @Test func `begins once something was stored, or another rule has struck`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("GetObject @auth SlowDown after=committed(PutObject) id=stored")
        try admin.arm("HeadObject @auth SlowDown after=stored:2")
        func status(_ method: String) throws -> Int { try s3.send(S3Call(method, "photos", "a")).status }
        #expect(try status("GET") == 404)
        #expect(Self.isAnswered(s3, try Self.upload(s3, "b")))
        #expect(try [status("GET"), status("HEAD"), status("GET"), status("HEAD")] == [503, 404, 503, 503])
        let refused = try admin.send("POST", "/rules", "any @auth reset after=stord")
        #expect(refused.status == 400 && refused.text.contains("the nearest is 'stored'"))
    }

    @Test func `knows how old a URL is by the scope's clock`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @auth SlowDown ageOfUrl=>50s")
        let request = try Self.upload(s3, "a", seconds: 3_600)
        #expect(Self.isAnswered(s3, request))
        try admin.json("PUT", "/clock", #"{"offset":"+1m"}"#)
        #expect(!Self.isAnswered(s3, request))
    }

    /// wiremock#456: parallel requests must not share a turn.
    @Test func `is exact for 64 requests at once`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let id = try admin.arm("PutObject @auth 20*SlowDown per=rule")
        let connections = try (0..<64).map { number in
            let connection = server.connection
            connection.send(try Self.upload(s3, "k\(number)").bytes)
            return connection
        }
        let statuses = try connections.map { try #require($0.receiveResponse()).status }
        #expect(statuses.count { $0 == 503 } == 20)
        #expect(statuses.count { $0 == 200 } == 44)
        let rule = try admin.json("GET", "/rules/\(id)")
        #expect(rule["matched"]?.integer == 64)
        #expect(rule["fired"]?.integer == 20)
        #expect(rule["remaining"]?.integer == 0)
    }

    /// toxiproxy#148: in force for connections that are open, and out of force as soon as the call has returned.
    @Test func `begins and ends with the call, for open connections too`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let connection = server.connection
        let get = try s3.request(S3Call("GET", "photos", "a"))
        #expect(try s3.send(get, on: connection).status == 404)
        let id = try admin.arm("GetObject @auth SlowDown")
        #expect(try s3.send(get, on: connection).status == 503)
        #expect(try admin.send("DELETE", "/rules/\(id)").status == 204)
        #expect(try s3.send(get, on: connection).status == 404)
    }

    @Test(
        arguments: [
            ("GetObject a @auth SlowDown", ["a": 503, "b": 404]),
            ("any a* @auth SlowDown", ["a": 503, "ab": 503, "b": 404]),
            ("read @auth SlowDown bucket=films", ["a": 404]), ("write @auth SlowDown", ["a": 404]),
            ("GetObject @auth SlowDown presigned=true", ["a": 404]),
            ("GetObject @auth SlowDown header.range=*", ["a": 404]),
            ("GetObject @auth SlowDown range=!* client=127.0.0.1", ["a": 503]),
            ("GetObject @auth SlowDown client=10.*", ["a": 404]),
            ("GetObject @auth SlowDown expectContinue=false attempt=1 version=!*", ["a": 503]),
            ("any @auth SlowDown any=(GetObject a)|(HeadObject) not=(client=10.*)", ["a": 503, "b": 404]),
        ] as [(String, [String: Int])])
    func `counts only what matches`(line: String, expected: [String: Int]) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm(line)
        for (key, status) in expected { #expect(try s3.get(key).status == status) }
    }
}
