import ShoalNet
import ShoalServer
import ShoalWire
import Testing

@Suite struct `A server with TLS` {
    @Test func `stores, gives back and lists as without`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let s3 = S3Client(server)
        #expect(try s3.put("a", "over TLS").status == 200)
        #expect(try s3.get("a").text == "over TLS")
        let connection = server.connection
        for _ in 0..<3 {
            let get = try s3.request(S3Call("GET", "photos", "a"))
            #expect(try s3.send(get, on: connection).text == "over TLS")
        }
        #expect(connection.tls?.agreement?.version == "TLSv1.3")
        let upload = try s3.begin("parts")
        let first = pattern(5 * S3Client.mebibyte)
        let parts = [(1, try s3.part(1, first, of: upload, "parts")), (2, try s3.part(2, [1], of: upload, "parts"))]
        #expect(try s3.complete(upload, "parts", parts).status == 200)
        #expect(try s3.get("parts").body == first + [1])
    }

    @Test(arguments: [100_000, 40 << 20])
    func `takes and sends large bodies whole`(size: Int) throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let s3 = S3Client(server)
        let body = pattern(size)
        #expect(try s3.send(S3Call("PUT", "photos", "a", body: body)).status == 200)
        let connection = server.connection
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let (bytes, _) = connection.receive { $0.count > size && $0.count - size < 4_096 && hasHead($0, before: size) }
        #expect(bytes.suffix(size).elementsEqual(body))
        // Bytes of an object from the middle, which a record of TLS does not begin with.
        let range = try s3.get("a", headers: [("Range", "bytes=70001-70010")])
        #expect(range.body.elementsEqual(body[70_001...70_010]))
    }

    /// Whether so many bytes stand behind the head.
    private func hasHead(_ bytes: [UInt8], before count: Int) -> Bool {
        bytes.dropLast(count).suffix(4).elementsEqual("\r\n\r\n".utf8)
    }

    @Test func `serves pipelined requests that came in one record`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let connection = server.connection
        let get = try s3.request(S3Call("GET", "photos", "a")).bytes
        connection.send(get + get + get)
        for _ in 0..<3 { #expect(connection.receiveResponse()?.text == "x") }
    }

    @Test func `serves hundreds of connections at a time`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let connections = (0..<300).map { _ in server.connection }
        let get = try s3.request(S3Call("GET", "photos", "a")).bytes
        for _ in 0..<2 {
            for connection in connections { connection.send(get) }
            #expect(connections.allSatisfy { $0.receiveResponse()?.text == "x" })
        }
    }

    @Test func `shows each client a certificate for the name that it asks for, and none for strangers' names`() throws {
        let server = try TestServer {
            $0.tls = .ownAuthority
            $0.publicURLs = ["https://store.test:9000"]
        }
        let names = [
            "127.0.0.1", "localhost", "photos.s3.localhost", "t1.scope.localhost", "store.test", "b.store.test",
        ]
        for name in names {
            let connection = try connect(server, as: name)
            #expect(connection.tls?.agreement != nil, "\(name): \(connection.tls?.distrust ?? "")")
        }
        let stranger = try connect(server, as: "bank.example")
        #expect(stranger.tls?.agreement == nil)
        #expect(stranger.tls?.distrust?.contains("mismatch") == true)
        let events = try AdminClient(server).journal { $0.contains { $0["failed"] != nil } }
        let failed = try #require(events.first { $0["failed"] != nil })
        #expect(failed.ev == "conn.tls" && failed["sni"]?.string == "bank.example")
        #expect(events.contains { $0["sni"]?.string == "store.test" && $0["version"]?.string == "TLSv1.3" })
    }

    private func connect(_ server: TestServer, as name: String) throws -> WireClient {
        var trust = try #require(server.trust)
        trust.server = name
        let connection = WireClient(port: server.port, tls: trust)
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        if connection.tls?.agreement != nil { #expect(connection.receiveResponse() != nil) }
        return connection
    }

    @Test func `answers plain HTTP in plain HTTP, and what is neither with FIN`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let plain = WireClient(port: server.port)
        plain.send("PUT /photos/a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde")
        let answer = try #require(plain.receiveResponse())
        #expect(answer.status == 400)
        #expect(answer.text == "This port speaks TLS: use https://127.0.0.1:\(server.port)\n")
        #expect(answer["Connection"] == "close")
        #expect(plain.receive().end == .fin)
        let garbage = WireClient(port: server.port)
        garbage.send([UInt8](repeating: 0x16, count: 400))
        let (bytes, end) = garbage.receive()
        #expect(bytes.isEmpty && end == .fin)
        let failures = try AdminClient(server).journal { $0.count { $0["failed"] != nil } == 2 }
            .compactMap { $0["failed"]?.string }
        #expect(failures == ["the client spoke plain HTTP", "what the client sent is no TLS"])
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    @Test func `waits for a handshake so long and no longer, however its bytes come`() throws {
        var bounds = ConnectionBounds()
        bounds.handshake = .milliseconds(300)
        let server = try TestServer(bounds: bounds) { $0.tls = .ownAuthority }
        let start = ContinuousClock.now
        let (silent, slow) = (WireClient(port: server.port), WireClient(port: server.port))
        // The beginning of a ClientHello that says it has 512 bytes.
        slow.send([22, 3, 1, 2, 0, 1, 0, 1, 0xFC])
        #expect(silent.receive().end == .fin)
        #expect(slow.receive().end == .fin)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        let failures = try AdminClient(server).journal { $0.count { $0["failed"] != nil } == 2 }
            .compactMap { $0["failed"]?.string }
        #expect(Set(failures) == ["the client did not finish the handshake in time"])
    }

    @Test func `goes on when a client leaves in the middle of a handshake`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        for isReset in [true, false] {
            var trust = try #require(server.trust)
            trust.handshakeMilliseconds = 0
            let client = WireClient(port: server.port, tls: trust)
            client.send("x")
            if isReset { client.reset() } else { client.finishSending() }
        }
        let events = try AdminClient(server).journal { $0.count { $0["failed"] != nil } == 2 }
        #expect(
            events.filter { $0.ev == "conn.tls" }.allSatisfy {
                $0["failed"]?.string == "the client left during the handshake"
            })
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    @Test func `takes a stream that is cut for the client's end, and stores nothing of its body`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let s3 = S3Client(server)
        let put = try s3.request(S3Call("PUT", "photos", "a", body: pattern(50_000)))
        let connection = server.connection
        connection.send(Array(put.bytes.dropLast(10_000)))
        // No close_notify: a FIN of TCP alone.
        connection.finishSending()
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 400 && answer.code == "IncompleteBody")
        #expect(connection.receive().end == .fin)
        #expect(connection.tls?.hasSeenCloseNotify == true)
        #expect(try !s3.has("a"))
        #expect(server.files(below: "staging").isEmpty)
    }

    @Test func `says https wherever it names itself`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let admin = AdminClient(server)
        let url = try admin.json("POST", "/urls", #"{"method":"GET","bucket":"photos","key":"a","expires":60}"#)
        #expect(url["url"]?.string?.hasPrefix("https://127.0.0.1:\(server.port)/photos/a?") == true)
        let scope = try admin.json("POST", "/_shoal/v1/scopes", "{}")
        #expect(scope["endpoint"]?.string == "https://127.0.0.1:\(server.port)")
        let s3 = S3Client(server)
        let upload = try s3.begin("parts")
        let tag = try s3.part(1, [1], of: upload, "parts")
        let completed = try s3.complete(upload, "parts", [(1, tag)])
        #expect(completed.element("Location") == "https://127.0.0.1:\(server.port)/photos/parts")
    }

    @Test func `speaks it on the port of a scope too`() throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let made = try AdminClient(server).json(
            "POST", "/_shoal/v1/scopes", #"{"name":"phone","buckets":["photos"],"port":true}"#)
        let endpoint = try #require(made["endpoint"]?.string)
        #expect(endpoint.hasPrefix("https://127.0.0.1:"))
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let scope = AdminClient(server, scope: "phone")
        let rule = try scope.arm("@tls.hello 1*tls.close")
        var trust = try #require(server.trust)
        trust.handshakeMilliseconds = 0
        let struck = WireClient(port: port, tls: trust)
        struck.send("x")
        #expect(struck.receive().end == .fin)
        #expect(try scope.firings(of: rule) == 1)
        let connection = WireClient(port: port, tls: server.trust)
        connection.send("GET /photos HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(connection.receiveResponse()?.status == 403)
    }

    @Test func `tells policies that the transport is secure`() throws {
        for isSecure in [true, false] {
            let server = try TestServer {
                $0.tls = isSecure ? .ownAuthority : nil
                $0.newBuckets = .open
            }
            let s3 = S3Client(server)
            try s3.put("a", "x")
            let policy =
                #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","#
                + #""Resource":"arn:aws:s3:::photos/*","Condition":{"Bool":{"aws:SecureTransport":"true"}}}]}"#
            #expect(try s3.send(S3Call("PUT", "photos", query: [("policy", "")], body: policy)).status == 204)
            #expect(try s3.send(S3Call("GET", "photos", "a"), .none).status == (isSecure ? 200 : 403))
        }
    }
}
