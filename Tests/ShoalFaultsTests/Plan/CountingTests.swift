import ShoalFaults
import ShoalJSON
import ShoalS3
import Testing

@Suite struct `The count of a rule in a plan` {
    @Test(
        arguments: [
            ("reset every=3", [3, 6, 9, 12]),
            ("reset between=4-6", [4, 5, 6]),
            ("reset between=4", [4]),
            // Each stage counts what the one before it let through.
            ("reset skip=2 every=3", [5, 8, 11]),
            ("reset skip=2 between=4-6", [6, 7, 8]),
            ("reset between=4-9 every=2", [5, 7, 9]),
            ("2*reset skip=1 every=3", [4, 7]),
            ("2*reset skip=1 between=2-9 every=2", [4, 6]),
            ("100%2*reset skip=1", [2, 3]),
            ("0%reset", []),
        ] as [(String, [Int])])
    func `passes skip, between, every and times in this order`(action: String, firing: [Int]) throws {
        let plan = try FaultPlan("any @auth \(action)")
        #expect((1...12).filter { _ in !plan.actions(TestRequest(), at: .auth).isEmpty } == firing)
        #expect(plan.list()[0].matched == 12 && plan.list()[0].fired == firing.count)
    }

    @Test(
        arguments: [("reset", 40...40), ("reset every=2", 20...20), ("50%reset", 8...32)]
            as [(String, ClosedRange<Int>)])
    func `lets all of a group fail, or every second, or some by chance (WireMock.Net#1013, s3rver#231)`(
        action: String, fired: ClosedRange<Int>
    ) throws {
        let plan = FaultPlan(seed: 1)
        try plan.add(try FaultRule(line: "write @auth \(action) per=rule id=x"))
        for index in 0..<40 {
            let operation = [S3Operation.putObject, .deleteObject][index % 2]
            _ = plan.actions(TestRequest(operation: operation, keyText: "\(index)"), at: .auth)
            #expect(plan.actions(TestRequest(operation: .getObject), at: .auth) == [])
        }
        #expect(fired.contains(plan.list()[0].fired))
    }

    @Test func `may be kept for each client`() throws {
        let plan = try FaultPlan("any @auth 1*reset per=client")
        let requests = ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.1"].map { client in
            var request = TestRequest(keyText: "a", connection: .random(in: 1...9))
            request.clientText = client
            return request
        }
        #expect(requests.map { !plan.actions($0, at: .auth).isEmpty } == [true, false, true, false])
        let accepting = try FaultPlan("@accept 1*reset per=client")
        let strikes = ["::1", "::1", "127.0.0.1"].enumerated().map { number, client in
            accepting.strikeAccept(connection: UInt64(number), client: Array(client.utf8)[...]) != nil
        }
        #expect(strikes == [true, false, true])
    }

    @Test func `keeps to a budget in each window of time, whoever asks`() throws {
        let clock = TestClock()
        let plan = FaultPlan(clock: { clock.now })
        try plan.add(try FaultRule(line: "any @auth reset budget=2/minute"))
        func fires(_ key: String) -> Bool { !plan.actions(TestRequest(keyText: key), at: .auth).isEmpty }
        #expect(["a", "b", "a", "c"].map(fires) == [true, true, false, false])
        clock.advance(.seconds(59))
        #expect(!fires("a"))
        clock.advance(.seconds(1))
        #expect(["d", "e", "f"].map(fires) == [true, true, false])
        // Windows that nobody used are not saved up.
        clock.advance(.seconds(600))
        #expect(["g", "h", "i"].map(fires) == [true, true, false])
    }

    @Test func `is not spent by a firing that the budget forbids`() throws {
        let clock = TestClock()
        let plan = FaultPlan(clock: { clock.now })
        try plan.add(try FaultRule(line: "any @auth 2*reset budget=1/1s per=rule"))
        let before = (0..<3).map { _ in !plan.actions(TestRequest(), at: .auth).isEmpty }
        clock.advance(.seconds(1))
        let after = (0..<3).map { _ in !plan.actions(TestRequest(), at: .auth).isEmpty }
        #expect(before == [true, false, false] && after == [true, false, false])
        #expect(plan.list()[0].remaining == 0)
    }

    @Test func `ends when the rule expires, which then counts no more`() throws {
        let clock = TestClock()
        let plan = FaultPlan(clock: { clock.now })
        try plan.add(try FaultRule(line: "any @auth reset expires=30s per=rule"))
        #expect(plan.actions(TestRequest(), at: .auth) == ["reset"])
        #expect(plan.list()[0].remaining == nil)
        clock.advance(.milliseconds(29_999))
        #expect(plan.actions(TestRequest(), at: .auth) == ["reset"])
        clock.advance(.milliseconds(1))
        #expect(plan.actions(TestRequest(), at: .auth) == [])
        #expect(plan.list()[0].matched == 2 && plan.list()[0].remaining == 0)
    }

    @Test(
        arguments: [
            ("pass,reset,SlowDown", ["", "reset", "SlowDown", "", "", "", ""]),
            ("pass,reset,SlowDown then=repeat", ["", "reset", "SlowDown", "", "reset", "SlowDown", ""]),
            (
                "pass,reset,SlowDown then=last",
                ["", "reset", "SlowDown", "SlowDown", "SlowDown", "SlowDown", "SlowDown"]
            ),
            ("delay(1ms)->reset,pass skip=2", ["", "", "delay(1ms)->reset", "", "", "", ""]),
        ] as [(String, [String])])
    func `may be a sequence of what happens`(action: String, expected: [String]) throws {
        let plan = try FaultPlan("any @auth \(action)")
        let struck = expected.map { _ in plan.actions(TestRequest(), at: .auth).joined(separator: "->") }
        #expect(struck == expected)
        // Another operation begins at the first step.
        #expect(plan.actions(TestRequest(keyText: "b"), at: .auth).joined(separator: "->") == expected[0])
    }

    @Test func `of a sequence is not spent where another rule ends the exchange first`() throws {
        let plan = try FaultPlan("any @auth 1*close id=first", "any @auth pass,reset id=second")
        #expect((0..<3).map { _ in plan.actions(TestRequest(), at: .auth) } == [["close"], [], ["reset"]])
    }

    @Test func `tells which counter and which match of it a strike was`() throws {
        let plan = try FaultPlan("any @auth reset skip=1 per=key")
        let places = ["a", "b", "b", "a", "c", "a"].map { key -> [Int]? in
            plan.begin(TestRequest(keyText: key))?.strike(at: .auth).map {
                [$0.steps[0].counter, $0.steps[0].arrival, $0.steps[0].n]
            }
        }
        #expect(places == [nil, nil, [2, 2, 1], [1, 2, 1], nil, [1, 3, 2]])
    }

    @Test func `repeats a schedule, match by match`() throws {
        let plan = try FaultPlan("any @auth 1.2:reset,2.1:delay(5ms)->close per=key")
        let struck = ["x", "y", "x", "y", "x"].map { plan.actions(TestRequest(keyText: $0), at: .auth) }
        #expect(struck == [[], ["delay(5ms)", "close"], ["reset"], [], []])
    }
}
