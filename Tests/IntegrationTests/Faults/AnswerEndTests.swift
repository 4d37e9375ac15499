import ShoalFaults
import ShoalWire
import Testing

/// Answers that end too soon, twice or as something else, at every point before the first byte of an answer.
@Suite struct `The end of an answer that a rule` {
    @Test(
        arguments: [("truncateHead(17)", WireClient.End.fin), ("truncateHead(17,reset)", .reset)].flatMap { text, end in
            WireStrike.possible(.truncateHead, as: text).map { ($0, end) }
        })
    func `cuts in its head comes after exactly so many bytes`(strike: WireStrike, end: WireClient.End) throws {
        let struck = try StruckExchange(strike)
        try struck.sendBodyWhenAsked()
        let (bytes, found) = struck.connection.receive()
        #expect(String(decoding: bytes, as: UTF8.self) == WireStrike.statusLine)
        #expect(found == end)
        // A close is over when this side has closed too.
        struck.connection.finishSending()
        #expect(try struck.closing() == (end == .fin ? "shoal fin" : "shoal rst"))
        try struck.expect(stored: true)
    }

    @Test(
        arguments: [
            ("truncateHead(0)", 0, WireClient.End.fin), ("truncateHead(9,hang)", 9, .silence),
            ("truncateHead(1MiB)", nil, .fin),
        ] as [(String, Int?, WireClient.End)])
    func `cuts in its head comes where it says, behind the head at the latest`(
        action: String, count: Int?, end: WireClient.End
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        try AdminClient(server).arm("GetObject a @auth \(action)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let (bytes, found) = connection.receive(milliseconds: end == .silence ? 300 : 10_000)
        #expect(found == end)
        if let count {
            #expect(bytes.count == count)
        } else {
            #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n"))
        }
    }

    @Test(
        arguments: [
            ("truncateBody(50%)", WireClient.End.fin), ("truncateBody(50000,reset)", .reset),
            ("truncateBody(-50000,hang)", .silence),
        ].flatMap { text, end in WireStrike.possible(.truncateBody, as: text).map { ($0, end) } })
    func `cuts in its body has the whole length and fewer bytes`(strike: WireStrike, end: WireClient.End) throws {
        let struck = try StruckExchange(strike)
        let isWhole = strike.isUpload
        let answer = try struck.receiveAll(milliseconds: end == .silence || isWhole ? 200 : 10_000)
        #expect(answer.head.hasPrefix(WireStrike.statusLine))
        #expect(answer.field("Content-Length") == "\(strike.answerBody.count)")
        #expect(answer.body == Array(strike.answerBody.prefix(WireStrike.half)))
        // Where there is no body, nothing is cut.
        #expect(answer.end == (isWhole ? .silence : end))
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.garbage))
    func `replaces by garbage is no HTTP at all`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.sendBodyWhenAsked()
        let (bytes, end) = struck.connection.receive()
        #expect(bytes == (0..<16).flatMap { _ in [0x00, 0xFF, 0x7F, 0x80] as [UInt8] })
        #expect(end == .fin)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.garbage, as: "garbage(after)"))
    func `follows with garbage has a head and no body`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.receiveAll()
        #expect(answer.field("Content-Length") == "\(strike.answerBody.count)")
        #expect(answer.body == (0..<16).flatMap { _ in [0x00, 0xFF, 0x7F, 0x80] as [UInt8] })
        #expect(answer.end == .fin)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.duplicateResponse))
    func `doubles comes twice, the same to the last byte`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answers = [try struck.finish(), try struck.finish()]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.body == strike.answerBody)
        }
        #expect(answers[0].fields.elementsEqual(answers[1].fields) { $0 == $1 })
        let next = try struck.s3.send(struck.s3.request(S3Call("GET", "films", "b")), on: struck.connection)
        #expect(next.status == 404)
        try struck.expect(stored: true)
    }

    /// Of two that end an answer, the first rule's counts.
    @Test func `cuts is not cut again by the next rule`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "0123456789")
        try admin.arm("GetObject a @auth truncateBody(3)")
        try admin.arm("GetObject a @request.head truncateBody(5,reset)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let (bytes, end) = connection.receive()
        #expect(end == .reset)
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n01234"))
    }

    /// Three of six clients take it for a success: an answer that ends behind its status.
    @Test(.enabled(if: ChildProcess.exists("curl"), "curl is not installed: apt-get install curl"))
    func `ends in its head is met by curl`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("PutObject a @commit.after truncateHead(17)->dropHeader(ETag)")
        let request = try s3.request(S3Call("PUT", "photos", "a"), .presigned(seconds: 60))
        let (code, output) = ChildProcess.run(
            `curl at a struck server`.arguments(
                server, request, ["--data-binary", "x", "--write-out", "%{http_code}"]))
        #expect(output == "200")
        #expect(code == 0)
        #expect(try s3.has("a"))
    }
}

extension StruckExchange {
    /// Plays the client's part where it waits for `100 Continue`.
    func sendBodyWhenAsked() throws {
        guard strike.point == .continueDue else { return }
        #expect(connection.receiveResponse()?.status == 100)
        connection.send(request.body)
    }
}
