import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

/// What rules about TLS do on the wire, and what others do to a connection of TLS: FIN, RST and silence are those of TCP.
@Suite struct `A rule over TLS` {
    @Test(arguments: WireStrike.possible(.tlsHang))
    func `that hangs answers no hello`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        let (bytes, end) = struck.connection.receive(milliseconds: 200)
        #expect(bytes.isEmpty)
        #expect(end == .silence)
        #expect(struck.connection.tls?.agreement == nil)
        struck.connection.finishSending()
        #expect(struck.connection.receive().end == .fin)
        #expect(try struck.closing() == "peer fin")
        try struck.expect(stored: !strike.isUpload)
    }

    @Test(arguments: WireStrike.possible(.tlsClose))
    func `that closes answers a hello with FIN and no byte`(strike: WireStrike) throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        try AdminClient(server).arm("@tls.hello 1*tls.close")
        var trust = try #require(server.trust)
        trust.handshakeMilliseconds = 0
        let connection = WireClient(port: server.port, tls: trust)
        connection.send("x")
        let (bytes, end) = connection.receive()
        #expect(bytes.isEmpty && end == .fin)
        #expect(connection.tls?.failure == nil)
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    @Test(arguments: [
        ("tls.alert(handshake_failure)", 40), ("tls.alert(unrecognized_name)", 112), ("tls.alert(80)", 80),
    ])
    func `that alerts sends that alert in place of a ServerHello, then FIN`(action: String, number: UInt8) throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let rule = try AdminClient(server).arm("@tls.hello 1*\(action)")
        var trust = try #require(server.trust)
        trust.handshakeMilliseconds = 0
        let connection = WireClient(port: server.port, tls: trust)
        connection.send("x")
        #expect(connection.receive().end == .fin)
        guard case .alert(number, _)? = connection.tls?.failure else {
            Issue.record("\(connection.tls?.failure as Any)")
            return
        }
        #expect(try AdminClient(server).firings(of: rule) == 1)
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    @Test(arguments: WireStrike.possible(.tlsAlert))
    func `that alerts stores nothing`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(bytes.isEmpty && end == .fin)
        try struck.expect(stored: !strike.isUpload)
    }

    @Test(
        arguments: [
            ("expired", "certificate has expired"), ("wrongHost", "IP address mismatch"),
            ("selfSigned", "self-signed certificate"), ("untrusted", "unable to get local issuer certificate"),
        ])
    func `shows a certificate that clients refuse for its reason`(fault: String, reason: String) throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        let rule = try admin.arm("@tls.hello tls.cert(\(fault)) times=2")
        let connection = server.connection
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        #expect(connection.tls?.distrust == reason)
        let events = try admin.journal { $0.contains { $0["failed"] != nil } }
        let failed = events.first { $0["failed"] != nil }?["failed"]?.string ?? ""
        #expect(failed.contains("alert"), "\(failed)")
        // Whoever does not look is served.
        var blind = try #require(server.trust)
        blind.authority = nil
        let careless = WireClient(port: server.port, tls: blind)
        #expect(try s3.send(s3.request(S3Call("GET", "photos", "a")), on: careless).text == "x")
        #expect(try admin.firings(of: rule) == 2)
        #expect(try s3.get("a").text == "x")
    }

    @Test(arguments: WireStrike.possible(.tlsTruncate))
    func `that truncates ends with FIN and without close_notify`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(end == .fin)
        #expect(struck.connection.tls?.hasSeenCloseNotify == false)
        try struck.expect(received: bytes)
        struck.connection.finishSending()
        #expect(try struck.closing() == "shoal fin")
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    /// At points at which a request has come.
    private static func secured(_ actions: FaultAction.Name...) -> [WireStrike] {
        actions.flatMap { WireStrike.possible($0) }.filter { !$0.point.precedesRequest }.map(\.secured)
    }

    @Test(arguments: secured(.reset, .close, .halfClose))
    func `ends with exactly RST or FIN below TLS, after exactly the bytes of its point`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(end == (strike.action == .reset ? .reset : .fin))
        #expect(struck.connection.tls?.hasSeenCloseNotify == (strike.action != .reset))
        try struck.expect(received: bytes)
        struck.connection.finishSending()
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: secured(.hang, .blackhole))
    func `is silent after exactly the bytes of its point`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        let (bytes, end) = struck.connection.receive(milliseconds: 100)
        #expect(end == .silence)
        try struck.expect(received: bytes)
        struck.connection.finishSending()
        _ = try struck.closing()
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test(arguments: WireStrike.possible(.tlsTruncate).filter { $0.point == .commitAfter || $0.point == .tlsDone })
    func `that abandons closes without a word of TLS`(strike: WireStrike) throws {
        var abandoning = WireStrike(point: strike.point, action: .abandon, isUpload: strike.isUpload, isSecure: true)
        abandoning.text = "abandon"
        let struck = try StruckExchange(abandoning)
        let (_, end) = struck.connection.receive()
        #expect(end != .silence)
        #expect(struck.connection.tls?.hasSeenCloseNotify == false)
    }

    @Test(arguments: [
        "throttle(200000,200000)", "dribble(4,90ms)", "stallBursts(20ms,20ms)", "truncateHead(17)",
        "missingTerminator", "respond(503,SlowDown)",
    ])
    func `changes what it changes without TLS`(action: String) throws {
        for isSecure in [false, true] {
            let server = try TestServer { $0.tls = isSecure ? .ownAuthority : nil }
            let s3 = S3Client(server)
            let body = pattern(60_000)
            try s3.send(S3Call("PUT", "photos", "a", body: body))
            try AdminClient(server).arm("GetObject @request.head \(action)")
            let connection = server.connection
            connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
            let (bytes, _) = connection.receive(milliseconds: 1_000) {
                WireResponse(parsing: $0, isHead: false)?.body.count ?? 0 > 100
            }
            let text = String(decoding: bytes, as: UTF8.self)
            switch action {
            case "truncateHead(17)": #expect(text == "HTTP/1.1 200 OK\r\n")
            case "respond(503,SlowDown)": #expect(text.contains("<Code>SlowDown</Code>"))
            case "missingTerminator": #expect(text.contains("ea60\r\n") && !text.hasSuffix("0\r\n\r\n"))
            default: #expect(bytes.suffix(body.count).elementsEqual(body))
            }
        }
    }
}

@Suite struct `A rule about connections of TLS` {
    @Test(
        arguments: [
            ("sni=a.localhost", true), ("sni=b.*", false), ("sni=!*", false), ("alpn=http/1.1", true),
            ("alpn=h2*", false), ("tls=true", true), ("tls=false", false), ("client=127.0.0.*", true),
            ("client=10.*", false),
        ])
    func `strikes those that it means`(option: String, strikes: Bool) throws {
        let server = try TestServer { $0.tls = .ownAuthority }
        let rules = [
            "@tls.hello delay(1ms) \(option)", "@tls.done delay(1ms) \(option)", "any @auth delay(1ms) \(option)",
        ]
        let admin = AdminClient(server)
        let ids = try rules.map { try admin.arm($0) }
        var trust = try #require(server.trust)
        trust.server = "a.localhost"
        let connection = WireClient(port: server.port, tls: trust)
        let s3 = S3Client(server)
        #expect(try s3.send(s3.request(S3Call("GET", "photos", "a")), on: connection).status == 404)
        for id in ids { #expect(try admin.firings(of: id) == (strikes ? 1 : 0), "\(id)") }
    }

    @Test(
        arguments: [
            ("@tls.hello reset", "'tls.hello' is never reached"), ("@tls.done reset", "serve --tls"),
            ("any @auth tls.truncate", "'tls.truncate' has no TLS to act on"),
            ("any @auth reset tls=true", "'tls' fits no"),
            ("any @auth reset sni=a", "'sni' fits no connection"), ("any @auth pass,tls.truncate", "serve --tls"),
        ])
    func `is refused in words by a server without it`(line: String, words: String) throws {
        let admin = AdminClient(try TestServer())
        let answer = try admin.send("POST", "/rules", line)
        #expect(answer.status == 400)
        #expect(try JSONParser.parse(answer.body)["detail"]?.string?.contains(words) == true, "\(answer.text)")
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        #expect(try admin.send("POST", "/rules", "any @auth reset tls=false").status == 201)
    }

    @Test func `is refused where it needs an authority and the certificate was given`() throws {
        let files = try GivenFiles()
        let admin = AdminClient(try TestServer { $0.tls = files.options })
        for fault in ["expired", "wrongHost"] {
            let answer = try admin.send("POST", "/rules", "@tls.hello tls.cert(\(fault))")
            #expect(answer.status == 400 && answer.text.contains("needs an authority that clients trust"))
        }
        for fault in ["selfSigned", "untrusted"] {
            #expect(try admin.send("POST", "/rules", "@tls.hello tls.cert(\(fault))").status == 201)
        }
    }

    @Test(
        arguments: [
            ("@tls.hello tls.alert(moon)", "the name of an alert, such as handshake_failure"),
            ("@tls.hello tls.alert(256)", "0 to 255"), ("@tls.hello tls.alert", "needs its parameter"),
            ("@tls.hello tls.cert(old)", "no fault of a certificate is called 'old'"),
            ("PutObject @tls.hello reset", "nothing is known about a request at 'tls.hello'"),
            ("@accept reset sni=a", "nothing is known about a request at 'accept'"),
            ("@tls.done reset per=key", "at 'tls.done' counting is per rule"),
            ("@tls.hello tls.hang->reset", "nothing can follow 'tls.hang'"),
        ])
    func `that is none is refused with the reason`(line: String, words: String) throws {
        let admin = AdminClient(try TestServer { $0.tls = .ownAuthority })
        let answer = try admin.send("POST", "/rules", line)
        #expect(answer.status == 400)
        #expect(answer.text.contains(words), "\(answer.text)")
    }

    @Test func `belongs to the scope that the server name leads to, and so does who signs nothing`() throws {
        let server = try TestServer {
            $0.tls = .ownAuthority
            $0.newBuckets = .open
        }
        let main = AdminClient(server)
        try main.json("POST", "/_shoal/v1/scopes", #"{"name":"Trip-1","buckets":["photos"]}"#)
        let scope = AdminClient(server, scope: "Trip-1")
        let rule = try scope.arm("@tls.hello 1*tls.alert(access_denied)")
        let s3 = S3Client(server)
        // Whoever comes by another name is not meant.
        #expect(try s3.put("a", "x").status == 200)
        var trust = try #require(server.trust)
        trust.server = "trip-1.scope.localhost"
        let struck = WireClient(port: server.port, tls: trust)
        struck.send("x")
        guard case .alert(49, _)? = struck.tls?.failure else {
            Issue.record("\(struck.tls?.failure as Any)")
            return
        }
        #expect(try scope.firings(of: rule) == 1)
        #expect(try main.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        // `a` is there in `default`, and not here.
        let named = WireClient(port: server.port, tls: trust)
        var request = try s3.request(S3Call("GET", "photos", "a"), .none)
        #expect(try s3.send(request, on: named).status == 403)
        request = try s3.request(S3Call("GET", "photos", "a"))
        #expect(try s3.send(request, on: named).text == "x")
        let events = try scope.journal { $0.contains { $0["version"] != nil } }
        #expect(events.contains { $0.ev == "conn.tls" && $0["sni"]?.string == "trip-1.scope.localhost" })
    }
}
