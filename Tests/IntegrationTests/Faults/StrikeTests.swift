import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

@Suite struct `A rule on the wire` {
    @Test(arguments: WireStrike.possible(.reset, .close))
    func
        `ends with exactly RST or FIN, after exactly the bytes of its point, and the store is as it says (OkHttp#1755, httpmock#199, HTTPretty#483, WireMock.Net#480)`(
            strike: WireStrike
        ) throws
    {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(end == (strike.action == .reset ? .reset : .fin))
        try struck.expect(received: bytes)
        let event = try struck.waitForStrike()
        #expect(event["point"]?.string == strike.point.rawValue)
        #expect(event["action"]?.string == strike.action.rawValue)
        let taken: [FaultPoint: Int] = [
            .bodyAt: WireStrike.half, .storeWrite: WireStrike.half, .bodyEnd: WireStrike.size,
            .commitBefore: WireStrike.size,
            .commitAfter: WireStrike.size, .requestHead: 0, .auth: 0, .continueDue: 0,
        ]
        if strike.isUpload, let taken = taken[strike.point] {
            #expect(event["bodyBytesTaken"]?.integer == Int64(taken))
        }
        // A close is over when this side has closed too.
        struck.connection.finishSending()
        let closings = try struck.admin.journal { $0.contains { $0.ev == "conn.close" } }.filter {
            $0.ev == "conn.close"
        }
        #expect(closings.first?["by"]?.string == "shoal")
        #expect(closings.first?["how"]?.string == (strike.action == .reset ? "rst" : "fin"))
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        let all = try struck.admin.json("GET", "/journal?limit=10000")["events"]?.elements ?? []
        #expect(all.count { $0.ev == "conn.close" && $0["conn"] == event["conn"] } == 1)
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: WireStrike.possible(.hang))
    func `hangs in silence after exactly the bytes of its point`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        let (bytes, end) = struck.connection.receive(milliseconds: 200)
        #expect(end == .silence)
        try struck.expect(received: bytes)
        struck.connection.finishSending()
        if strike.point != .accept {
            // The client's end wakes the exchange; at `accept` there is none yet that could say so.
            _ = try struck.admin.journal { $0.contains { $0.ev == "conn.close" } }
        }
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: WireStrike.possible(.delay))
    func `delays at least as long as it says and changes nothing`(strike: WireStrike) throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        if [.responseEnd, .idle].contains(strike.point) || strike.point == .responseHead && strike.isUpload {
            // The answer is out already: what waits is the next request of the connection.
            let next = try struck.s3.request(S3Call("HEAD", "photos", "a"))
            #expect(try struck.s3.send(next, on: struck.connection).status == 200)
        }
        #expect(ContinuousClock.now - start >= .milliseconds(150))
        #expect(answer.body == (strike.isUpload ? [] : pattern(WireStrike.size)))
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.pause))
    func `pauses until its gate is released`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        let (early, end) = struck.connection.receive(milliseconds: 50)
        #expect(end == .silence)
        try struck.expect(received: early)
        #expect(try struck.admin.json("POST", "/gates/gate/release")["released"]?.integer == 1)
        if strike.point == .responseEnd || strike.point == .idle {
            let next = try struck.s3.request(S3Call("HEAD", "photos", "a"))
            #expect(try struck.s3.send(next, on: struck.connection).status == 200)
        } else if strike.point == .responseHeadAt {
            let (late, _) = struck.connection.receive { WireResponse(parsing: early + $0, isHead: false) != nil }
            #expect(WireResponse(parsing: early + late, isHead: false)?.body == strike.answerBody)
        } else if strike.point.isAfterResponseBegan {
            if !strike.isUpload {
                let isHalf = strike.point == .responseAt || strike.point == .readAt
                let whole = early.count + WireStrike.size - (isHalf ? WireStrike.half : 0)
                let (late, _) = struck.connection.receive { early.count + $0.count >= whole }
                #expect(early.count + late.count == whole)
            }
        } else {
            #expect(try struck.finish().status == 200)
        }
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.respond))
    func `answers in place of the store, in S3's form and with a mark (gofakes3#111, envoy#9178)`(strike: WireStrike)
        throws
    {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 503)
        #expect(answer.errorContent == "<Code>SlowDown</Code><Message>Please reduce your request rate.</Message>")
        #expect(answer["Retry-After"] == "7")
        #expect(answer["x-shoal-fault"] == "\(struck.rule) at \(strike.point.rawValue)")
        #expect(answer["Content-Type"] == "application/xml")
        `An error`.expectCommonFields(answer)
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        if strike.point != .continueDue {
            // The body was read, so that the connection goes on.
            let next = try struck.s3.request(S3Call("GET", "films", "b"))
            #expect(try struck.s3.send(next, on: struck.connection).status == 404)
        }
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: WireStrike.possible(.expire))
    func `expires the signature it strikes, and a fresh one works (uppy#1724, Bridge-iOS-SDK#80)`(strike: WireStrike)
        throws
    {
        let struck = try StruckExchange(strike)
        for answer in [try struck.finish(), try struck.s3.send(struck.request)] {
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
            #expect(answer.element("Message") == "Request has expired")
            #expect(answer.element("X-Amz-Expires") == "60")
            #expect(answer.element("ServerTime") != nil)
        }
        let fresh = S3Call(struck.request.method, "photos", "a", body: struck.request.body)
        #expect(try struck.s3.send(fresh, .presigned(seconds: 61)).status == 200)
        try struck.expect(stored: true)
    }

    @Test func `can expire every signature of the scope that is older than its second`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let now = Timestamp(seconds: 1_750_000_000)
        try admin.freeze(at: now)
        let older = try s3.request(
            S3Call("GET", "photos", "a"), .presigned(seconds: 3_600), at: now.adding(seconds: -1))
        #expect(try s3.send(older).status == 404)
        try admin.arm("PutObject @auth 1*expire(scope) per=rule")
        let struck = try s3.request(S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 60), at: now)
        for request in [struck, struck, older] {
            #expect(try s3.send(request).element("Message") == "Request has expired")
        }
        // One made in the second of the strike lives: a client that asks for a new link at once gets on.
        let fresh = try s3.request(S3Call("PUT", "photos", "b", body: "x"), .presigned(seconds: 60), at: now)
        #expect(try s3.send(fresh).status == 200)
        try admin.json("POST", "/reset")
        try admin.freeze(at: now)
        #expect(try s3.send(older).status == 404)
    }

    @Test(arguments: WireStrike.all.filter { !$0.isPossible && $0.isUpload })
    func `that is impossible is refused in words`(strike: WireStrike) throws {
        let server = try TestServer { if strike.usesTLS { $0.tls = .ownAuthority } }
        let answer = try AdminClient(server).send("POST", "/rules", strike.line)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        let detail = try JSONParser.parse(answer.body)["detail"]?.string ?? ""
        #expect(
            detail.contains("'\(strike.action.rawValue)'") && detail.contains("'\(strike.point.rawValue)'"), "\(detail)"
        )
    }

    /// Nothing else happens on the server that could wake it.
    @Test func `goes on by itself when its time is over, to the end`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject a @body.at(50%) hang(20ms)")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(60_000)))
        for _ in 0..<3 { #expect(try s3.send(request).status == 200) }
    }

    @Test func `carries out its steps in order`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @commit.after 1*delay(100ms)->hang(100ms)->reset")
        let start = ContinuousClock.now
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "x")).bytes)
        let (bytes, end) = connection.receive()
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        #expect(bytes.isEmpty)
        #expect(end == .reset)
        #expect(try s3.get("a").text == "x")
    }

    @Test(
        arguments: [
            (
                "respond(403,AccessDenied,message=\"No entry.\")", 403,
                "<Code>AccessDenied</Code><Message>No entry.</Message>"
            ),
            ("RequestTimeout", 400, nil), ("InternalError", 500, nil),
            ("respond(302,header.Location=\"/login\")", 302, ""),
            ("respond(200,contentType=\"text/html\",body=\"<html>log in</html>\")", 200, "<html>log in</html>"),
        ] as [(String, Int, String?)])
    func `answers what it is told to`(action: String, status: Int, text: String?) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject a @request.head 1*\(action)")
        let answer = try s3.put("a", "x")
        #expect(answer.status == status)
        if let text, !text.hasPrefix("<Code>") { #expect(answer.text == text) }
        if let text, text.hasPrefix("<Code>") { #expect(answer.errorContent == text) }
        #expect(try !s3.has("a"))
    }

    /// nodejs/node#54366, tusd#1371: with the body unread the answer may be lost, which is the point.
    @Test func `that answers without draining ends with a RST, and with draining with the answer`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @request.head 1*AccessDenied(drain=none)")
        try admin.arm("PutObject b @request.head 1*AccessDenied(drain=all,then=close)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: pattern(3 << 20))).bytes)
        #expect(connection.receive().end == .reset)
        let drained = server.connection
        drained.send(try s3.request(S3Call("PUT", "photos", "b", body: pattern(3 << 20))).bytes)
        #expect(try #require(drained.receiveResponse()).status == 403)
        #expect(drained.receive().end == .fin)
    }
}
