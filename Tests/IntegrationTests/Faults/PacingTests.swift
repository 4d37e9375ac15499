import ShoalFaults
import ShoalWire
import Testing

/// Bytes that go slowly, at every point that leaves some to go. Times are lower bounds: how much slower a machine is than
/// it was told to be, nobody can promise.
@Suite struct `An exchange that a rule paces` {
    /// 100 kB in 150 ms at least: 40 kB at once, the rest at 400 kB a second.
    static let throttle = WireStrike.possible(.throttle, as: "throttle(400000,400000,40000)")

    @Test(arguments: throttle)
    func `by bytes a second takes as long as they need, both ways, and loses none`(strike: WireStrike) throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer.body == strike.answerBody)
        let needed = max(0, Self.bodyLeft(strike) - 40_000) * 1_000 / 400_000
        #expect(ContinuousClock.now - start >= .milliseconds(needed))
        try struck.expect(stored: true)
    }

    /// Bytes of request body and answer's body that are still to go.
    private static func bodyLeft(_ strike: WireStrike) -> Int {
        switch strike.point {
        case .bodyAt, .storeWrite, .responseAt, .readAt: WireStrike.size - WireStrike.half
        case .requestHead, .continueDue, .auth: WireStrike.size
        default: strike.isUpload ? 0 : WireStrike.size
        }
    }

    @Test(arguments: WireStrike.possible(.dribble, as: "dribble(5,200ms)"))
    func `in pieces comes whole, and not before the time is over`(strike: WireStrike) throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer.body == strike.answerBody)
        // Behind the head of an answer without a body nothing is left.
        let isLeft = !(strike.isUpload && strike.point == .responseHead)
        #expect(ContinuousClock.now - start >= .milliseconds(isLeft ? 200 : 0))
        try struck.expect(stored: true)
    }

    /// The rule waits until its first turn of 10 ms is over; whatever comes then, comes after the silence.
    @Test(arguments: WireStrike.possible(.stallBursts, as: "stallBursts(10ms,150ms)->delay(20ms)"))
    func `in turns is silent in between, and goes on`(strike: WireStrike) throws {
        let start = ContinuousClock.now
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer.body == strike.answerBody)
        let isLeft = !(strike.isUpload && strike.point == .responseHead)
        #expect(ContinuousClock.now - start >= .milliseconds(isLeft ? 160 : 0))
        try struck.expect(stored: true)
    }

    @Test func `ends with the exchange, and the next one goes as usual`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).arm("GetObject a @auth 1*dribble(2,100ms)->throttle(out=1MiB)")
        try s3.put("a", String(repeating: "x", count: 1_000))
        try s3.send(S3Call("PUT", "photos", "b", body: pattern(4 << 20)))
        let connection = server.connection
        #expect(try s3.send(s3.request(S3Call("GET", "photos", "a")), on: connection).status == 200)
        // At a mebibyte a second this would take four seconds, and the client would not wait that long for a byte.
        connection.send(try s3.request(S3Call("GET", "photos", "b")).bytes)
        #expect(connection.receiveResponse(milliseconds: 2_000)?.body.count == 4 << 20)
    }
}
