import ShoalFaults
import ShoalS3
import Testing

@testable import ShoalSweep

@Suite struct `The plan of a sweep` {
    /// Where a PUT without Expect comes by, on a fresh connection.
    private static let put: [SweepReach] = FaultSite.usual.filter {
        ![.continueDue, .readOpen, .readAt, .responseAt].contains($0.point)
    }.map { SweepReach(.putObject, .fresh, at: $0) }

    private func lines(_ plan: SweepPlan) -> [String] { plan.cells.map(\.rule.line) }

    @Test func `is about sixty runs for one upload, numbered behind those without faults`() {
        let plan = SweepPlan(Self.put, SweepPlan.Settings())
        #expect((50...70).contains(plan.cells.count), "\(plan.cells.count)")
        #expect(plan.cells.map(\.number) == Array(3..<(3 + plan.cells.count)))
        #expect(lines(plan).first == "PutObject @request.head 1*reset connection=fresh")
        #expect(lines(plan).last == "PutObject @idle 1*hang connection=fresh")
    }

    @Test func `holds no pair that cannot be`() throws {
        let plan = SweepPlan(Self.put, SweepPlan.Settings())
        #expect(!lines(plan).contains { $0.contains("@response.end") && $0.contains("SlowDown") })
        #expect(lines(plan).contains("PutObject @commit.after SlowDown"))
        for cell in plan.cells { try cell.rule.validate() }
    }

    @Test func `strikes first attempts on each kind of connection, and all attempts on any`() throws {
        let site = FaultSite(.commitAfter)
        let reached = [SweepReach(.putObject, .fresh, at: site), SweepReach(.putObject, .reused, at: site)]
        var settings = SweepPlan.Settings()
        settings.actions = [try SweepAction("reset")]
        settings.attempts = SweepAttempts.allCases
        #expect(
            lines(SweepPlan(reached, settings)) == [
                "PutObject @commit.after 1*reset connection=fresh", "PutObject @commit.after 2*reset",
                "PutObject @commit.after reset", "PutObject @commit.after 1*reset connection=reused",
            ])
    }

    @Test func `goes by operations as they came, then by points`() throws {
        let head = FaultSite(.requestHead)
        let after = FaultSite(.commitAfter)
        let reached = [
            SweepReach(.createMultipartUpload, .fresh, at: head), SweepReach(.createMultipartUpload, .fresh, at: after),
            SweepReach(.abortMultipartUpload, .reused, at: head),
        ]
        var settings = SweepPlan.Settings()
        settings.actions = [try SweepAction("close")]
        settings.attempts = [.all]
        #expect(
            lines(SweepPlan(reached, settings)) == [
                "CreateMultipartUpload @request.head close", "CreateMultipartUpload @commit.after close",
                "AbortMultipartUpload @request.head close",
            ])
    }

    @Test(arguments: [
        (S3Operation.putObject, 1, true, FaultCount.Key.rule), (.putObject, 3, true, .key),
        (.putObject, 3, false, .operation), (.uploadPart, 4, true, .operation),
    ])
    func `tells attempts apart by what a run without faults did`(
        operation: S3Operation, count: Int, isLinked: Bool, counter: FaultCount.Key
    ) throws {
        #expect(SweepPlan.counter(of: operation, count: count, isLinked: isLinked) == counter)
        var settings = SweepPlan.Settings()
        settings.actions = [try SweepAction("reset")]
        let reach = SweepReach(operation, .fresh, at: FaultSite(.auth))
        let plan = SweepPlan([reach], counters: [operation: counter], settings)
        #expect(plan.cells.map(\.rule.count.per) == [counter, .operation])
    }

    @Test(arguments: [
        ("PutObject @commit.after", ["PutObject @commit.after reset"]),
        ("@auth", ["PutObject @auth reset", "GetObject @auth reset"]),
        ("read", ["GetObject @auth reset", "GetObject @response.at(50%) reset"]),
        ("GetObject @response.at", ["GetObject @response.at(50%) reset"]),
        ("GetObject @response.at(25%)", []),
    ])
    func `keeps to the part that was chosen`(only: String, expected: [String]) throws {
        let reached = [
            SweepReach(.putObject, .fresh, at: FaultSite(.auth)),
            SweepReach(.putObject, .fresh, at: FaultSite(.commitAfter)),
            SweepReach(.getObject, .fresh, at: FaultSite(.auth)),
            SweepReach(.getObject, .fresh, at: FaultSite(.responseAt, .percent(50))),
        ]
        var settings = SweepPlan.Settings()
        settings.actions = [try SweepAction("reset")]
        settings.attempts = [.all]
        settings.filters = [try SweepFilter(only)]
        #expect(lines(SweepPlan(reached, settings)) == expected)
    }

    @Test func `takes rules of one's own as they are`() throws {
        let rules = ["PutObject *.jpg @body.at(10%) 3*reset", "write @auth pass,reset,SlowDown"]
        let plan = SweepPlan(try rules.map { try FaultRule(line: $0) })
        #expect(lines(plan) == rules)
        #expect(plan.cells.map(\.operation) == ["PutObject *.jpg", "write"])
        #expect(plan.cells.map(\.variant) == [.counted("3x"), .counted("as counted")])
    }

    // MARK: Words on the command line

    @Test(arguments: [
        ("rset", "reset"), ("hang(8s) id=x", "only an action"), ("", "action"), ("pass,reset", "only an action"),
    ])
    func `refuses what is no action, with a hint`(text: String, hint: String) {
        #expect { try SweepAction(text) } throws: { "\($0)".contains(hint) }
    }

    @Test(arguments: [("comit.after", "commit.after"), ("accept", "no request is known"), ("body.at(200%)", "200%")])
    func `refuses what is no point, with a hint`(text: String, hint: String) {
        #expect { try FaultSite(sweeping: text) } throws: { "\($0)".contains(hint) }
    }

    @Test(arguments: [
        ("PutObjekt @auth", "PutObject"), ("PutObject @comit.after", "commit.after"), ("PutObject a.jpg", "no key"),
        ("PutObject @auth reset", "only a point"),
    ])
    func `refuses what is no part of a sweep, with a hint`(text: String, hint: String) {
        #expect { try SweepFilter(text) } throws: { "\($0)".contains(hint) }
    }

    @Test func `takes an action of several steps and any error code of S3`() throws {
        #expect(try SweepAction("hang(8s)->reset").text == "hang(8s)->reset")
        #expect(try SweepAction("InternalError").text == "InternalError")
        #expect(try SweepAction("expire").text == "expire")
    }

    @Test func `divides lists at commas outside of parentheses and quotes`() {
        #expect(
            SweepList.parts(of: "reset, hang(8s)->reset,throttle(10,20),setHeader(ETag,\"a,b\")") == [
                "reset", "hang(8s)->reset", "throttle(10,20)", "setHeader(ETag,\"a,b\")",
            ])
    }
}

@Suite struct `The probes of a sweep` {
    @Test func `never strike, and stand at every possible pair`() throws {
        let probes = SweepProbes([.putObject, .headObject], at: FaultSite.usual)
        for rule in probes.rules {
            try rule.validate()
            #expect(rule.count.skip == FaultCount.numberMax)
        }
        let points = Set(probes.rules.filter { $0.match.operations == [.operation(.headObject)] }.map(\.site.point))
        #expect(points.contains(.readOpen) && !points.contains(.bodyEnd) && !points.contains(.commitAfter))
        #expect(probes.leftOut.isEmpty)
    }

    @Test func `tell what was reached by what they matched`() throws {
        let probes = SweepProbes([.putObject], at: [FaultSite(.auth), FaultSite(.commitAfter)])
        let id = try #require(
            probes.rules.first { $0.site.point == .commitAfter && $0.match.connection == .reused }?.id)
        #expect(probes.reached([id: 2]) == [SweepReach(.putObject, .reused, at: FaultSite(.commitAfter))])
        #expect(probes.reached([:]).isEmpty)
    }

    @Test func `leave out whole operations beyond what one scope holds`() {
        let probes = SweepProbes(S3Operation.allCases, at: FaultSite.usual)
        #expect(probes.rules.count <= RuleDocument.ruleCountMax)
        #expect(!probes.leftOut.isEmpty)
    }
}
