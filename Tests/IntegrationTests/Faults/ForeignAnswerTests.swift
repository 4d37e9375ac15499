import ShoalFaults
import ShoalNet
import ShoalWire
import Testing

/// Answers that the store did not give: those of another server, of another region, and those that come too early.
@Suite struct `An answer in place of the store's` {
    @Test(arguments: WireStrike.possible(.foreignPage))
    func `is a login page without a trace of S3 (captive portal)`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer.text == ForeignPage.usualHTML)
        #expect(answer["x-shoal-fault"] == "\(struck.rule) at \(strike.point.rawValue)")
        #expect(answer["Server"] == nil)
        #expect(!answer.fields.contains { $0.name.hasPrefix("x-amz-") })
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test func `is the way to a login page`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm(#"any @request.head foreignPage("<p>Here</p>",location=http://wifi.example/)"#)
        let answer = try s3.put("a", "x")
        #expect(answer.status == 302)
        #expect(answer["Location"] == "http://wifi.example/")
        #expect(answer.text == "<p>Here</p>")
        #expect(answer["x-amz-request-id"] == nil)
    }

    @Test(arguments: WireStrike.possible(.redirect))
    func `is a redirect of S3's, with its document (TemporaryRedirect)`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 307)
        #expect(answer.code == "TemporaryRedirect")
        #expect(answer.element("Endpoint") == "127.0.0.1:9000")
        #expect(answer.element("Bucket") == "photos")
        #expect(answer["Location"] == "http://127.0.0.1:9000\(struck.request.target)")
        #expect(answer["x-amz-bucket-region"] == "eu-west-1")
        `An error`.expectCommonFields(answer)
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test(arguments: [
        ("redirect(301)", false, "s3.eu-west-1.amazonaws.com"),
        ("redirect(301,ap-south-1)", true, "photos.s3.ap-south-1.amazonaws.com"),
        ("redirect(301,endpoint=other.example)", true, "photos.other.example"),
    ])
    func `is a redirect for good, which has no Location (PermanentRedirect)`(
        action: String, isVirtualHosted: Bool, endpoint: String
    ) throws {
        let server = try TestServer()
        let s3 = isVirtualHosted ? S3Client(server).virtualHosted : S3Client(server)
        try AdminClient(server).arm("GetObject @auth \(action)")
        let answer = try s3.get("a")
        #expect(answer.status == 301)
        #expect(answer.code == "PermanentRedirect")
        #expect(answer.element("Endpoint") == endpoint)
        #expect(answer["Location"] == nil)
    }

    @Test func `is a redirect that a client can follow`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        try AdminClient(server).arm("GetObject a @auth 1*redirect(307,endpoint=\(s3.host))")
        let request = try s3.request(S3Call("GET", "photos", "a"), .presigned(seconds: 60))
        let answer = try s3.send(request)
        var followed = request
        followed.target = String(try #require(answer["Location"]).dropFirst("http://\(s3.host)".count))
        #expect(try s3.send(followed).text == "x")
    }

    /// The whole answer and FIN are there before the rest of the body is sent, and that does no harm.
    @Test(arguments: WireStrike.possible(.respondEarly).filter(\.isUpload))
    func `comes before the body, which is read behind it`(strike: WireStrike) throws {
        // However slow the machine that makes and sends the rest.
        var bounds = ConnectionBounds()
        (bounds.lingerProgress, bounds.linger) = (.seconds(600), .seconds(600))
        let server = try TestServer(bounds: bounds)
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm(strike.line)
        let waits = strike.point == .continueDue
        let request = try s3.request(
            S3Call(
                "PUT", "photos", "a", unsigned: waits ? [("Expect", "100-continue")] : [],
                body: pattern(WireStrike.size)))
        let connection = server.connection
        let early = waits ? [] : Array(request.body.prefix(WireStrike.half))
        connection.send(request.head + early)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 403)
        #expect(answer.code == "AccessDenied")
        #expect(answer["Connection"] == "close")
        #expect(answer["x-shoal-fault"] == "\(rule) at \(strike.point.rawValue)")
        #expect(connection.receive().end == .fin)
        let isSent = connection.send(Array(request.body.dropFirst(early.count)) + pattern(16 << 20))
        #expect(isSent)
        connection.finishSending()
        let events = try admin.journal { $0.contains { $0.ev == "conn.close" } }
        #expect(events.first { $0.ev == "conn.close" }?["how"]?.string == "fin")
        #expect(try !s3.has("a"))
    }

    @Test(arguments: ["drain=none", "then=reset"])
    func `comes before the body and ends with RST`(parameter: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject a @request.head respondEarly(AccessDenied,\(parameter))")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(WireStrike.size)))
        let connection = server.connection
        connection.send(request.head)
        let (bytes, end) = connection.receive()
        #expect(WireResponse(parsing: bytes, isHead: false)?.status == 403)
        #expect(end == .reset)
    }
}
