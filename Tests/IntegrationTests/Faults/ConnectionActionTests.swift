import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

/// What the actions that are about the connection do on the wire, at every point at which they can strike.
@Suite struct `A connection that a rule` {
    /// More than the buffers of both kernels hold: it leaves only if the server reads.
    static let flood = pattern(16 << 20)

    @Test(arguments: WireStrike.possible(.blackhole))
    func `makes a black hole takes everything and says nothing`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        #expect(struck.connection.sendRaw(Self.flood))
        let (bytes, end) = struck.connection.receive(milliseconds: 100)
        #expect(end == .silence)
        try struck.expect(received: bytes)
        struck.connection.finishSending()
        #expect(struck.connection.receive().end == .fin)
        #expect(try struck.closing() == "peer fin")
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: WireStrike.possible(.halfClose))
    func `closes halfway ends with FIN and goes on reading`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(end == .fin)
        try struck.expect(received: bytes)
        #expect(struck.connection.sendRaw(Self.flood))
        struck.connection.finishSending()
        #expect(try struck.closing() == "shoal fin")
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test(arguments: WireStrike.possible(.halfClose, as: "halfClose(in)").filter { $0.point > .requestLine })
    func `closes to what comes answers with what it has, and ends with FIN`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let isCut = strike.isUpload && [.requestHead, .continueDue, .auth, .bodyAt, .storeWrite].contains(strike.point)
        let answer = try #require(struck.connection.receiveResponse())
        #expect(answer.status == (isCut ? 400 : 200))
        #expect(answer.code == (isCut ? "IncompleteBody" : nil))
        if !strike.point.isAfterResponseBegan { #expect(answer["Connection"] == "close") }
        #expect(answer.body == (isCut ? answer.body : strike.isUpload ? [] : pattern(WireStrike.size)))
        let (rest, end) = struck.connection.receive()
        #expect(rest.isEmpty)
        #expect(end == .fin)
        let taken = try struck.waitForStrike()["bodyBytesTaken"]?.integer
        if isCut { #expect(taken == ([.bodyAt, .storeWrite].contains(strike.point) ? Int64(WireStrike.half) : 0)) }
        try struck.expect(stored: !isCut)
    }

    /// Points at which nothing that was sent can be unread.
    static let readToTheEnd = WireStrike.possible(.abandon).filter { strike in
        strike.isUpload
            ? !strike.point.precedesRequest
                && ![.requestLine, .requestHead, .continueDue, .auth, .bodyAt, .storeWrite].contains(strike.point)
            : strike.point != .accept && strike.point != .tlsDone
    }

    @Test(arguments: readToTheEnd)
    func `abandons with nothing unread ends with FIN`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, end) = struck.connection.receive()
        #expect(end == .fin)
        try struck.expect(received: bytes)
        #expect(try struck.closing() == "shoal fin")
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test(arguments: WireStrike.possible(.abandon, as: "pause(gate)->abandon"))
    func `abandons with bytes unread ends with RST`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        struck.connection.sendRaw(Array("what nobody reads".utf8))
        try struck.releaseGate()
        let (bytes, end) = struck.connection.receive()
        #expect(end == .reset)
        try struck.expect(received: bytes)
        #expect(try struck.closing() == "shoal rst")
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
    }

    @Test(arguments: WireStrike.possible(.dropAll, as: "pause(gate)->dropAll"))
    func `drops with all others of its scope ends with RST, as they do, and strangers stay`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        try struck.waitForStrike()
        let (idle, busy, silent) = (struck.server.connection, struck.server.connection, struck.server.connection)
        #expect(try struck.s3.send(struck.s3.request(S3Call("GET", "films", "b")), on: idle).status == 404)
        let upload = try struck.s3.request(S3Call("PUT", "films", "c", body: pattern(WireStrike.size)))
        busy.send(Array(upload.bytes.dropLast(1)))
        _ = try struck.admin.journal { $0.contains { $0["key"]?.string == "c" } }
        try struck.releaseGate()
        let (bytes, end) = struck.connection.receive()
        #expect(end == .reset)
        try struck.expect(received: bytes)
        #expect(idle.receive().end == .reset)
        #expect(busy.receive().end == .reset)
        // Whose it is, nobody knows before its first request.
        #expect(try struck.s3.send(struck.s3.request(S3Call("GET", "films", "b")), on: silent).status == 404)
        #expect(try !struck.s3.has("c", in: "films"))
        try struck.expect(stored: !strike.isUpload || strike.point.isStored)
        #expect(struck.server.files(below: "staging").isEmpty)
    }

    @Test(arguments: WireStrike.possible(.closeIdle))
    func `closes when idle has answered without a word of it, and ends with FIN`(strike: WireStrike) throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer["Connection"] == nil)
        let (rest, end) = struck.connection.receive()
        #expect(rest.isEmpty)
        #expect(end == .fin)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        try struck.expect(stored: true)
    }

    @Test(arguments: [("closeIdle", false), ("closeIdle(0ms,true)", true), ("closeIdle(50ms,announce=true)", true)])
    func `closes behind its answer says so only if it shall`(action: String, isAnnounced: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("GetObject @auth 1*\(action)")
        let connection = server.connection
        let answer = try s3.send(s3.request(S3Call("GET", "photos", "a")), on: connection)
        #expect(answer.status == 404)
        #expect(answer["Connection"] == (isAnnounced ? "close" : nil))
        #expect(connection.receive().end == .fin)
    }

    @Test func `closes when idle serves whoever comes in time`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("GetObject @auth 1*closeIdle(1h)")
        let connection = server.connection
        for _ in 0..<3 {
            let get = try s3.request(S3Call("GET", "photos", "a"))
            #expect(try s3.send(get, on: connection).status == 404)
        }
    }
}

extension StruckExchange {
    /// Lets the struck exchange go on. The journal tells of a strike a moment before the exchange is at its gate.
    func releaseGate() throws {
        for _ in 0..<1_000 where try admin.json("POST", "/gates/gate/release")["released"]?.integer == 1 { return }
        Issue.record("nobody waits at the gate")
    }

    /// Who ended the struck connection, and how.
    func closing() throws -> String {
        let number = try waitForStrike()["conn"]
        let isEnd = { (event: JSON) in event.ev == "conn.close" && event["conn"] == number }
        let closing = try admin.journal { $0.contains(where: isEnd) }.first(where: isEnd)
        return "\(closing?["by"]?.string ?? "") \(closing?["how"]?.string ?? "")"
    }
}
