import ShoalFaults
import ShoalWire
import Testing

/// Answers that rules have changed, byte by byte, at every point before the first byte of an answer.
@Suite struct `An answer that a rule` {
    @Test(arguments: WireStrike.possible(.dropHeader))
    func `takes a header from lacks it and nothing else`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer["ETag"] == nil)
        `An error`.expectCommonFields(answer)
        #expect(answer["x-shoal-fault"] == "\(struck.rule) at \(strike.point.rawValue)")
        #expect(answer.body == strike.answerBody)
        // The connection goes on.
        let next = try struck.s3.send(struck.s3.request(S3Call("HEAD", "photos", "a")), on: struck.connection)
        #expect(next["ETag"] != nil)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.wrongETag))
    func `gives a wrong tag has one of the right form`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        let right = etag(of: pattern(WireStrike.size))
        let wrong = try #require(answer["ETag"])
        #expect(wrong != right)
        #expect(wrong.count == right.count && wrong.dropFirst(2) == right.dropFirst(2))
        try struck.expect(stored: true)
        #expect(try struck.s3.get("a")["ETag"] == right)
    }

    @Test(arguments: WireStrike.possible(.wrongChecksumHeader))
    func `gives a wrong checksum has one of the right form`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        let name = "x-amz-checksum-crc64nvme"
        let read = try struck.s3.get("a", headers: [("x-amz-checksum-mode", "ENABLED")])
        let right = try #require(read[name])
        // A read has to ask for it.
        #expect((answer[name] != nil) == strike.isUpload)
        if let wrong = answer[name] { #expect(wrong != right && wrong.count == right.count) }
        #expect(answer["x-amz-checksum-type"] == (strike.isUpload ? "FULL_OBJECT" : nil))
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.setHeader))
    func `gives a header has it once, as it was given`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer.fields.filter { $0.name.lowercased() == "etag" }.map(\.value) == ["\"other\""])
        #expect(answer.body == strike.answerBody)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.wrongLength, as: "wrongLength(+10)"))
    func `makes too long promises more than comes, and leaves the client waiting`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.receiveAll(milliseconds: 100)
        #expect(answer.field("Content-Length") == "\(strike.answerBody.count + 10)")
        #expect(answer.body == strike.answerBody)
        #expect(answer.end == .silence)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.wrongLength, as: "wrongLength(-10)"))
    func `makes too short says less than comes, and never less than nothing`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.receiveAll(milliseconds: 100)
        #expect(answer.field("Content-Length") == "\(max(0, strike.answerBody.count - 10))")
        #expect(answer.body == strike.answerBody)
        #expect(answer.end == .silence)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.wrongLength, as: "wrongLength(absent)"))
    func `leaves without a length ends with the connection`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.receiveAll()
        #expect(answer.field("Content-Length") == nil)
        #expect(answer.field("Connection") == "close")
        #expect(answer.body == strike.answerBody)
        #expect(answer.end == .fin)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.missingTerminator))
    func `leaves unterminated is one whole chunk and no last one`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.receiveAll()
        #expect(answer.field("Transfer-Encoding") == "chunked")
        #expect(answer.field("Content-Length") == nil)
        let chunk = Array("186a0\r\n".utf8) + strike.answerBody + Array("\r\n".utf8)
        #expect(answer.body == (strike.isUpload ? [] : chunk))
        #expect(answer.end == .fin)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.extraInformational))
    func `announces comes behind as many informational answers`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        for _ in 0..<2 {
            let answer = try struck.finish()
            #expect(answer.status == 103)
            #expect(answer.fields.isEmpty)
        }
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer.body == strike.answerBody)
        try struck.expect(stored: true)
    }

    @Test func `changes and another rule gives is changed too`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @auth dropHeader(x-amz-request-id)")
        try admin.arm("PutObject a @auth setHeader(Date,\"Thu, 01 Jan 1970 00:00:00 GMT\")->extraInformational(102)")
        try admin.arm("PutObject a @body.end SlowDown")
        let connection = server.connection
        #expect(try s3.send(s3.request(S3Call("PUT", "photos", "a", body: "x")), on: connection).status == 102)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.code == "SlowDown")
        #expect(answer["x-amz-request-id"] == nil)
        #expect(answer["x-amz-id-2"] != nil)
        #expect(answer["Date"] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(answer.fields.filter { $0.name == "x-shoal-fault" }.map(\.value) == ["r1 at auth"])
    }

    @Test(arguments: [
        ("wrongLength(+5)", "Content-Length", "6"), ("wrongLength(-5)", "Content-Length", "0"),
        ("wrongLength(absent)", "Content-Length", nil), ("missingTerminator", "Transfer-Encoding", nil),
    ])
    func `changes stays without a body if it answers a HEAD`(action: String, field: String, value: String?) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        try admin.arm("HeadObject @auth 1*\(action)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("HEAD", "photos", "a")).bytes)
        let answer = try #require(connection.receiveResponse(toHead: true))
        #expect(answer.status == 200)
        #expect(answer[field] == value)
        #expect(connection.receive(milliseconds: 50).bytes.isEmpty)
    }

    /// Of an old client: RFC 9110 §15.2 forbids informational answers to it.
    @Test func `announces is not announced to HTTP 1_0`() throws {
        let server = try TestServer()
        try AdminClient(server).arm("GetObject @auth extraInformational")
        let connection = server.connection
        connection.send("GET /photos/a HTTP/1.0\r\nHost: \(S3Client(server).host)\r\n\r\n")
        #expect(connection.receiveResponse()?.status == 403)
    }
}

@Suite struct `A 100 Continue that a rule withholds` {
    @Test func `never comes, and the body is taken all the same`() throws {
        let struck = try StruckExchange(WireStrike.possible(.noContinue, as: "noContinue")[0])
        try struck.waitForStrike()
        #expect(struck.connection.receive(milliseconds: 100).bytes.isEmpty)
        struck.connection.send(struck.request.body)
        #expect(struck.connection.receiveResponse()?.status == 200)
        try struck.expect(stored: true)
    }

    @Test func `comes after the time of the rule, if the client still waits`() throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(WireStrike.possible(.noContinue, as: "noContinue(100ms)")[0])
        #expect(struck.connection.receiveResponse()?.status == 100)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        struck.connection.send(struck.request.body)
        #expect(struck.connection.receiveResponse()?.status == 200)
        try struck.expect(stored: true)
    }

    @Test func `does not come any more once the body has begun`() throws {
        let struck = try StruckExchange(WireStrike.possible(.noContinue, as: "noContinue(100ms)")[0])
        try struck.waitForStrike()
        struck.connection.send(Array(struck.request.body.prefix(1)))
        #expect(struck.connection.receive(milliseconds: 200).bytes.isEmpty)
        struck.connection.send(Array(struck.request.body.dropFirst()))
        #expect(struck.connection.receiveResponse()?.status == 200)
    }
}

extension WireStrike {
    /// The body of the answer that the store gives.
    var answerBody: [UInt8] { isUpload ? [] : pattern(Self.size) }
}

/// All that came, taken apart at the end of its head.
struct WireRemains {
    let head: String
    let body: [UInt8]
    let end: WireClient.End

    func field(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}

extension StruckExchange {
    /// Everything until the peer's end, or until nothing has come for so long; the body is sent once it is asked for.
    func receiveAll(milliseconds: Int32 = 10_000) throws -> WireRemains {
        try sendBodyWhenAsked()
        // A changed answer begins when the whole exchange is done, which may take longer than the silence behind it.
        let (first, _) = connection.receive { !$0.isEmpty }
        let (rest, end) = connection.receive(milliseconds: milliseconds)
        let bytes = first + rest
        let headEnd = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        return WireRemains(
            head: String(decoding: bytes[..<headEnd.upperBound], as: UTF8.self),
            body: Array(bytes[headEnd.upperBound...]), end: end)
    }
}
