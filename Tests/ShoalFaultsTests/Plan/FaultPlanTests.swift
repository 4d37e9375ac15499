import ShoalFaults
import ShoalS3
import Testing

@Suite struct `A fault plan` {
    @Test func `is armed exactly while it holds a rule`() throws {
        let plan = FaultPlan()
        #expect(!plan.isArmed)
        #expect(plan.begin(TestRequest()) == nil)
        let id = try plan.add(try FaultRule(line: "any @auth reset"))
        #expect(plan.isArmed)
        try plan.remove(id)
        #expect(!plan.isArmed)
        try plan.replaceAll(with: [try FaultRule(line: "any @auth reset")])
        #expect(plan.isArmed)
        plan.reset()
        #expect(!plan.isArmed && plan.list().isEmpty)
    }

    @Test(arguments: FaultPoint.allCases.filter { $0 != .listen })
    func `strikes at the point of its rule and at no other`(point: FaultPoint) throws {
        let site = point.takesPosition ? "\(point.rawValue)(10)" : point.rawValue
        let plan = FaultPlan(security: .ownAuthority)
        try plan.add(try FaultRule(line: "any @\(site) reset"))
        for other in FaultPoint.allCases where !other.precedesRequest {
            let faults = try #require(plan.begin(TestRequest()))
            _ = faults.responseHeadPositions(length: 100)
            _ = faults.responsePositions(length: 100)
            _ = faults.readPositions(length: 100)
            let strike = faults.strike(at: other, offset: other.takesPosition ? 10 : nil)
            #expect((strike?.steps.map(\.action) == [.reset]) == (other == point))
        }
        let connection = ConnectionSubject(connection: 1, client: Array("127.0.0.1".utf8)[...], isSecure: true)
        for other in FaultPoint.allCases where other.precedesRequest {
            #expect((plan.strike(at: other, connection) != nil) == (point == other))
        }
    }

    @Test func `strikes once for a rule at listen, and tells whoever has the port of each change`() throws {
        let plan = FaultPlan(hasPort: true)
        let (changes, standing) = (Tally(), Tally())
        plan.observe { changes.add() }
        let id = try plan.add(FaultRule(line: "@listen delay(1s)->refuse(2s)->connectHang"))
        #expect(plan.listening.map(\.id) == [id])
        let rule = try #require(plan.listening.first)
        let steps = plan.strike(rule)?.steps.map(\.action)
        #expect(steps == [.delay(.seconds(1)), .refuse(.seconds(2)), .connectHang(nil)])
        #expect(try plan.status(of: id).fired == 1 && plan.status(of: id).matched == 1)
        try plan.replace(id, with: FaultRule(line: "@listen refuse"))
        #expect(plan.listening.first != rule && plan.strike(rule) == nil)
        try plan.replaceAll(with: [FaultRule(line: "any @auth reset")])
        #expect(plan.listening.isEmpty)
        try plan.remove("r1")
        plan.reset()
        #expect(changes.count == 5 && standing.count == 0)
    }

    @Test func `has no rule at listen without a port`() throws {
        let plan = FaultPlan()
        let refusal = #expect(throws: FaultPlan.Refusal.self) {
            try plan.add(FaultRule(line: "@listen refuse(5s)"))
        }
        #expect(refusal?.message.contains("`shoal scope new NAME --port`") == true)
        #expect(!plan.isArmed)
    }

    @Test(arguments: [(1, false), (2, false), (3, true), (4, true)])
    func `strikes connections above a limit alone`(openCount: Int, isStruck: Bool) throws {
        let plan = FaultPlan()
        let id = try plan.add(FaultRule(line: "@accept connectionLimit(2)"))
        #expect(plan.connectionLimit == 2)
        let strike = plan.strikeAccept(connection: 1, client: Array("::1".utf8)[...], openCount: openCount)
        #expect((strike != nil) == isStruck)
        #expect(try plan.status(of: id).matched == (isStruck ? 1 : 0))
    }

    @Test(
        arguments: [
            ("2*reset", [true, true, false, false]),
            ("reset", [true, true, true, true]),
            ("reset skip=1", [false, true, true, true]),
            ("2*reset skip=1", [false, true, true, false]),
        ] as [(String, [Bool])])
    func `counts match, skip and times in this order`(action: String, fires: [Bool]) throws {
        let plan = try FaultPlan("any @auth \(action)")
        #expect(fires.map { _ in !plan.actions(TestRequest(), at: .auth).isEmpty } == fires)
    }

    @Test(
        arguments: [
            (FaultCount.Key.rule, [true, false, false, false, false]),
            (.operation, [true, false, true, true, false]),
            (.key, [true, false, true, false, false]),
            (.connection, [true, false, false, true, false]),
        ] as [(FaultCount.Key, [Bool])])
    func `counts for each rule, operation, key or connection`(per: FaultCount.Key, fires: [Bool]) throws {
        let plan = try FaultPlan("any @auth 1*reset per=\(per.rawValue)")
        let requests = [
            TestRequest(keyText: "a"), TestRequest(keyText: "a"), TestRequest(keyText: "b"),
            TestRequest(operation: .getObject, keyText: "a", connection: 2), TestRequest(keyText: "b"),
        ]
        #expect(requests.map { !plan.actions($0, at: .auth).isEmpty } == fires)
    }

    @Test func `spends no count of a point that was not reached`() throws {
        let plan = try FaultPlan("PutObject @commit.after 1*reset")
        for _ in 0..<5 { #expect(plan.actions(TestRequest(), at: .bodyEnd) == []) }
        #expect(plan.actions(TestRequest(), at: .commitAfter) == ["reset"])
        #expect(plan.list().map(\.matched) == [1])
    }

    @Test func `runs what does not end first, and the end of the first rule that has one`() throws {
        let plan = try FaultPlan(
            "any @auth delay(1ms)->SlowDown id=a", "any @auth delay(2ms) id=b", "any @auth 1*reset id=c",
            "any @auth pause(g) id=d")
        let strike = try #require(plan.begin(TestRequest())?.strike(at: .auth))
        #expect(strike.steps.map(\.action.text) == ["delay(1ms)", "delay(2ms)", "pause(g)", "SlowDown"])
        #expect(strike.steps.map(\.rule) == ["a", "b", "d", "a"])
        #expect(strike.endsExchange)
        // The rule whose end was not wanted has spent nothing.
        try plan.remove("a")
        #expect(plan.actions(TestRequest(), at: .auth) == ["delay(2ms)", "pause(g)", "reset"])
    }

    @Test func `is in force for an exchange that began before the change`() throws {
        let plan = try FaultPlan("any @auth delay(1ms)")
        let faults = try #require(plan.begin(TestRequest()))
        let id = try plan.add(try FaultRule(line: "PutObject @commit.after reset"))
        #expect(faults.strike(at: .commitAfter) != nil)
        try plan.remove(id)
        #expect(faults.strike(at: .commitAfter) == nil)
    }

    @Test func `fires exactly so often however many threads arrive`() async throws {
        let plan = try FaultPlan("any @auth 500*reset per=rule skip=100")
        let fired = Tally()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for index in 0..<500 {
                        let request = TestRequest(keyText: "\(worker)/\(index)")
                        if !plan.actions(request, at: .auth).isEmpty { fired.add() }
                    }
                }
            }
        }
        #expect(fired.count == 500)
        let status = try #require(plan.list().first)
        #expect(status.matched == 4_000 && status.fired == 500 && status.remaining == 0)
    }

    @Test func `never fires a rule after its removal has returned`() async throws {
        for _ in 0..<50 {
            let plan = try FaultPlan("any @auth reset id=x", "any @auth delay(1ms)")
            let isRemoved = Tally()
            let lateStrikes = Tally()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let faults = plan.begin(TestRequest())
                        for _ in 0..<200 {
                            let wasRemoved = isRemoved.count > 0
                            let ended = faults?.strike(at: .auth)?.endsExchange ?? false
                            if wasRemoved && ended { lateStrikes.add() }
                        }
                    }
                }
                group.addTask {
                    try? plan.remove("x")
                    isRemoved.add()
                }
            }
            #expect(lateStrikes.count == 0)
        }
    }

    @Test func `forgets the oldest operations rather than grow without end`() throws {
        let plan = try FaultPlan("any @auth 1*reset")
        for index in 0..<70_000 { #expect(plan.begin(TestRequest(keyText: "\(index)"))?.strike(at: .auth) != nil) }
        #expect(plan.actions(TestRequest(keyText: "69999"), at: .auth) == [])
        #expect(plan.actions(TestRequest(keyText: "0"), at: .auth) == ["reset"])
    }
}

@Suite struct `Rules in a plan` {
    @Test func `have ids of their own, given or made`() throws {
        let plan = try FaultPlan(
            "any @auth reset id=r2", "any @auth close", "any @auth hang", "any @auth pause(g) id=x")
        #expect(plan.list().map(\.rule.id) == ["r2", "r1", "r3", "x"])
        #expect(throws: FaultPlan.Refusal.duplicateID("x")) {
            try plan.add(try FaultRule(line: "any @auth reset id=x"))
        }
        #expect(plan.list().count == 4)
    }

    @Test func `are replaced in their place, with fresh counters`() throws {
        let plan = try FaultPlan("any @auth 1*close id=a per=rule", "any @auth delay(1ms) id=b")
        #expect(plan.actions(TestRequest(), at: .auth) == ["delay(1ms)", "close"])
        try plan.replace("a", with: try FaultRule(line: "any @auth 1*reset per=rule"))
        #expect(plan.list().map(\.rule.id) == ["a", "b"])
        #expect(plan.list().map(\.fired) == [0, 1])
        #expect(plan.actions(TestRequest(), at: .auth) == ["delay(1ms)", "reset"])
        #expect(try plan.status(of: "a").remaining == 0)
    }

    @Test func `that are not there are answered with the nearest id`() throws {
        let plan = try FaultPlan("any @auth reset id=lost-answer")
        let error = #expect(throws: FaultPlan.Refusal.self) { try plan.remove("lost-anser") }
        #expect(error?.message == "no rule has the id 'lost-anser'; the nearest is 'lost-answer'")
        #expect(throws: FaultPlan.Refusal.noSuchRule("x", nearest: nil)) {
            try FaultPlan().replace("x", with: plan.list()[0].rule)
        }
    }

    @Test func `are refused when they are impossible or too many`() throws {
        let plan = FaultPlan()
        #expect(throws: FaultPlan.Refusal.self) { try plan.add(FaultRule(at: FaultSite(.bodyAt), do: [.reset])) }
        let rules = Array(repeating: try FaultRule(line: "any @auth reset"), count: FaultPlan.ruleCountMax)
        try plan.add(rules)
        #expect(throws: FaultPlan.Refusal.tooManyRules) { try plan.add(rules[0]) }
    }

    @Test func `tell what they did`() throws {
        let plan = try FaultPlan("PutObject photos/* @commit.after 2*reset id=x per=rule")
        _ = plan.actions(TestRequest(keyText: "photos/1"), at: .commitAfter)
        let status = plan.list()[0]
        #expect((status.matched, status.fired, status.remaining, status.seed) == (1, 1, 1, nil))
        #expect(status.rule.line == "PutObject photos/* @commit.after 2*reset per=rule id=x")
        #expect(
            status.rule.json.text == """
                {"id":"x","match":{"op":"PutObject","key":"photos/*"},"at":"commit.after","do":[{"reset":{}}],\
                "count":{"per":"rule","times":2}}
                """)
    }
}

@Suite struct `Positions in a body` {
    @Test(
        arguments: [
            ("0", 100, [0]), ("100", 100, [100]), ("101", 100, []), ("50%", 101, [50]), ("100%", 7, [7]),
            ("-1", 100, [99]),
            ("-101", 100, []), ("50%", nil, []), ("-1", nil, []), ("7", nil, [7]), ("0", 0, []), ("50%", 0, []),
            ("99%", UInt64.max, [UInt64.max / 100 * 99 + 14]),
        ] as [(String, UInt64?, [UInt64])])
    func `are found from the length`(position: String, length: UInt64?, offsets: [UInt64]) throws {
        let body = try FaultPlan("PutObject @body(\(position)) reset")
        #expect(body.begin(TestRequest(contentLength: length))?.bodyPositions == offsets)
        let answer = try FaultPlan("GetObject @response(\(position)) reset")
        #expect(answer.begin(TestRequest(operation: .getObject))?.responsePositions(length: length) == offsets)
    }

    @Test func `are sorted, each once, and strike one by one`() throws {
        let plan = try FaultPlan(
            "any @body(75%) close id=a", "any @body(10) delay(1ms) id=b", "any @body(10) pause(g) id=c",
            "GetObject @response(5) reset id=d")
        let faults = try #require(plan.begin(TestRequest(contentLength: 1_000)))
        #expect(faults.bodyPositions == [10, 750])
        #expect(faults.strike(at: .bodyAt, offset: 10)?.steps.map(\.rule) == ["b", "c"])
        #expect(faults.strike(at: .bodyAt, offset: 750)?.steps.map(\.rule) == ["a"])
        #expect(faults.strike(at: .bodyAt, offset: 11) == nil)
        #expect(faults.responsePositions(length: 10) == [])
    }

    @Test func `are none in a request that uploads nothing`() throws {
        let plan = try FaultPlan("any @body(0) reset", "any @body.end reset")
        let faults = try #require(plan.begin(TestRequest(operation: .getObject, contentLength: nil)))
        #expect(faults.bodyPositions == [] && faults.strike(at: .bodyEnd) == nil)
    }
}

@Suite struct `An expired link` {
    private let link = TestRequest(isPresigned: true, signatureText: "s1", signedAt: Timestamp(seconds: 900))

    @Test func `stays expired after it was struck once`() throws {
        let plan = try FaultPlan("PutObject @auth 1*expire per=rule id=x")
        let first = try #require(plan.begin(link))
        #expect(!first.isExpired)
        #expect(first.strike(at: .auth)?.steps.map(\.action) == [.expire(.signature)])
        try plan.remove("x")
        #expect(plan.isArmed)
        #expect(plan.begin(link)?.isExpired == true)
        var fresh = link
        fresh.signatureText = "s2"
        #expect(plan.begin(fresh)?.isExpired == false)
        plan.reset()
        #expect(!plan.isArmed)
    }

    @Test func `takes every older link of the scope with it, and no newer one`() throws {
        let plan = try FaultPlan("PutObject @auth 1*expire(scope) per=rule")
        #expect(plan.begin(link)?.strike(at: .auth) != nil)
        var other = TestRequest(isPresigned: true, signatureText: "s3", signedAt: Timestamp(seconds: 999))
        #expect(plan.begin(other)?.isExpired == true)
        other.signedAt = Timestamp(seconds: 1_000)
        #expect(plan.begin(other)?.isExpired == false)
    }

    @Test func `cannot be had without a signature`() throws {
        let plan = try FaultPlan("PutObject @auth 1*expire per=rule")
        #expect(plan.actions(TestRequest(), at: .auth) == [])
        #expect(plan.actions(link, at: .auth) == ["expire"])
        #expect(plan.begin(TestRequest())?.isExpired == false)
    }
}
