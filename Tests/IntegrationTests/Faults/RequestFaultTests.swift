import ShoalFaults
import ShoalJSON
import ShoalServer
import ShoalWire
import Testing

@Suite struct `A fault that travels with its request` {
    private func server() throws -> TestServer { try TestServer { $0.allowsRequestFaults = true } }

    private func put(_ key: String, _ fault: String, body: String = "x") -> S3Call {
        S3Call("PUT", "photos", key, unsigned: [("x-shoal-fault", fault)], body: body)
    }

    private func end(of call: S3Call, _ s3: S3Client, _ proof: S3Client.Proof = .header) throws -> WireClient.End? {
        let connection = s3.connection
        connection.send(try s3.request(call, proof).bytes)
        let (bytes, end) = connection.receive { WireResponse(parsing: $0, isHead: false) != nil }
        return bytes.isEmpty ? end : nil
    }

    @Test(arguments: ["commit.after reset", "@commit.after reset", " commit.after  reset ; "])
    func `strikes the request whose header brings it, and no other`(fault: String) throws {
        let server = try server()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(try end(of: put("a", fault), s3) == .reset)
        #expect(try s3.get("a").text == "x")
        #expect(try s3.put("a", "y").status == 200)
        #expect(try end(of: put("a", fault, body: "z"), s3) == .reset)
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        let event = try admin.journal { $0.contains { $0.ev == "fault" } }.first { $0.ev == "fault" }
        #expect(event?["rule"]?.string == "request-1" && event?["point"]?.string == "commit.after")
    }

    @Test func `comes in several, in front of the scope's own rules`() throws {
        let server = try server()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("PutObject @auth InternalError")
        let start = ContinuousClock.now
        let answer = try s3.send(
            put("a", #"auth delay(50ms); auth respond(503,SlowDown,message="a; b") id=mine"#))
        #expect(answer.errorContent == "<Code>SlowDown</Code><Message>a; b</Message>")
        #expect(answer["x-shoal-fault"] == "mine at auth")
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(try admin.firings(of: rule) == 0)
        #expect(try s3.put("a", "x").code == "InternalError")
    }

    @Test(arguments: ["commit.after crash", "commit.before visibility(3s)", "auth crash(1s,forgetUnsynced=true)"])
    func `is about its request alone, and refused if it is not`(fault: String) throws {
        let s3 = S3Client(try server())
        let answer = try s3.send(put("a", fault))
        #expect(answer.status == 400)
        #expect(answer.text.contains("put it in force as a rule of the scope"), "\(answer.text)")
        #expect(try s3.get("a").status == 404)
    }

    @Test func `counts the attempts of its operation`() throws {
        let server = try server()
        let s3 = S3Client(server)
        func attempt(_ operation: String) throws -> Bool {
            var call = put("a", "commit.before 2*reset")
            call.unsigned.append(("x-shoal-op", operation))
            return try end(of: call, s3) == nil
        }
        #expect(
            try ["one", "one", "two", "one", "two", "two"].map(attempt) == [false, false, false, true, false, true])
    }

    @Test func `is signed into a URL, and such a URL strikes its first upload only`() throws {
        let server = try server()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let wanted = #"{"method":"PUT","bucket":"photos","key":"a","expires":60,"fault":"commit.after 1*reset"}"#
        let url = try #require(try admin.json("POST", "/urls", wanted)["url"]?.string)
        let target = String(url.dropFirst(server.url.count))
        func send(_ target: String, on connection: WireClient) -> WireResponse? {
            connection.send("PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 1\r\n\r\nx")
            return connection.receiveResponse()
        }
        #expect(send(target, on: server.connection) == nil)
        #expect(try s3.get("a").text == "x")
        #expect(send(target, on: server.connection)?.status == 200)
        // Nobody can add one, or take it away.
        let other = try s3.request(S3Call("PUT", "photos", "b", body: "x"), .presigned(seconds: 60)).target
        let forged = send(other + "&x-shoal-fault=request.head%20reset", on: server.connection)
        #expect(forged?.code == "SignatureDoesNotMatch")
        #expect(send(target.replacing("reset", with: "close"), on: server.connection)?.code == "SignatureDoesNotMatch")
        let notes = try admin.journal { $0.contains { $0.ev == "note" } }.filter { $0.ev == "note" }
        #expect(notes.first?["text"]?.string?.contains("no good signature of Version 4 covers it") == true)
    }

    @Test func `is ignored where it is not allowed, and the journal says so`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(try s3.send(put("a", "commit.after reset")).status == 200)
        // As S3 ignores parameters it does not know.
        let call = S3Call("PUT", "photos", "a", query: [("x-shoal-fault", "commit.after reset")], body: "x")
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        let notes = try admin.journal { $0.count { $0.ev == "note" } == 2 }.filter { $0.ev == "note" }
        #expect(notes.allSatisfy { $0["text"]?.string?.contains("without --allow-request-faults") == true })
        let wanted = #"{"method":"PUT","bucket":"photos","key":"a","expires":60,"fault":"commit.after reset"}"#
        let answer = try admin.send("POST", "/urls", wanted)
        #expect(answer.status == 409 && answer.text.contains("start the server with --allow-request-faults"))
    }

    @Test(arguments: [
        ("comit.after reset", "column 1: no point is called 'comit.after'; the nearest is 'commit.after'"),
        ("commit.after rest", "column 14: no action or S3 error code is called 'rest'; the nearest is 'reset'"),
        ("auth delay(5ms); commit.aftr reset", "column 18: no point is called 'commit.aftr'"),
        ("read.open reset", "PutObject reads no object"), ("accept reset", "'accept' has passed"),
        ("request.line reset", "'request.line' has passed"),
        ("auth reset size=>5", "there is nothing to match"), ("", "a point and an action are due"),
        ("PutObject a @auth reset", "no point is called 'PutObject'"),
    ])
    func `that is none is refused in words, and nothing is stored`(fault: String, message: String) throws {
        let server = try server()
        let s3 = S3Client(server)
        let answer = try s3.send(put("a", fault))
        #expect(answer.status == 400 && answer.code == "InvalidArgument")
        #expect(answer.element("Message")?.contains(message) == true, "\(answer.text)")
        #expect(answer.element("ArgumentName") == "x-shoal-fault")
        #expect(try !s3.has("a"))
        guard !fault.isEmpty else { return }
        let wanted: JSON = [
            "method": "PUT", "bucket": "photos", "key": "a", "expires": 60, "fault": .string(fault),
        ]
        let minted = try AdminClient(server).send("POST", "/urls", wanted.text)
        #expect(minted.status == 400)
        #expect(try JSONParser.parse(minted.body)["pointer"]?.string == "/fault")
    }
}
