import ShoalFaults
import ShoalJSON
import ShoalS3
import Testing

@Suite struct `A schedule` {
    /// A plan whose strikes stand in a journal.
    private struct Run {
        let plan: FaultPlan
        let journal = Journal()
        let scope = JournalScope("t")

        init(seed: UInt64 = 0, _ rules: [FaultRule], document: UInt64? = nil) throws {
            plan = FaultPlan(seed: seed)
            for id in try plan.add(rules, seed: document) {
                journal.append(.ruleAdded(id: id, line: try plan.status(of: id).rule.line), in: scope)
            }
        }

        /// Two operations of three attempts for each key; the texts of what struck them, at two points.
        func strikes(_ keys: [String]) -> [[String]] {
            keys.flatMap { key in
                (0..<6).map { number in
                    var request = TestRequest(keyText: key)
                    request.headers["x-shoal-op"] = "\(key) \(number / 3)"
                    let faults = plan.begin(request)
                    return [FaultPoint.auth, .commitAfter].flatMap { point -> [String] in
                        guard let strike = faults?.strike(at: point) else { return [] }
                        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
                        trace.record(strike)
                        journal.publish(&trace)
                        return strike.steps.map(\.action.text)
                    }
                }
            }
        }

        var document: RuleDocument {
            get throws {
                try RuleDocument(
                    scheduling: plan.list(), after: journal.read(scope: scope, since: 0, limit: 100_000).events)
            }
        }
    }

    private static let rules = [
        "PutObject @auth 30%delay(uniform,min=1ms,max=9s)->SlowDown id=dice",
        "PutObject @commit.after pass,reset,close then=repeat id=steps", "PutObject @auth 2*close per=key skip=1 id=k",
        "GetObject @auth reset id=never",
    ]

    @Test func `makes the decisions of a run again, with other keys and another seed`() throws {
        let run = try Run(seed: 1, Self.rules.map { try FaultRule(line: $0) })
        let strikes = run.strikes((0..<30).map { "key \($0)" })
        let document = try run.document
        #expect(document.rules.map(\.id) == ["dice", "steps", "k"])
        // Through its text, as a file would carry it.
        let read = try RuleDocument(document.json.bytes)
        #expect(read == document)
        let again = try Run(seed: 2, read.rules, document: read.seed)
        #expect(again.strikes((0..<30).map { "other \($0)" }) == strikes)
        #expect(again.plan.list().map(\.fired) == Array(run.plan.list().map(\.fired).prefix(3)))
        // The line carries it as well.
        let lines = try document.rules.map { try FaultRule(line: $0.line) }
        #expect(try Run(lines).strikes((0..<30).map { "third \($0)" }) == strikes)
    }

    @Test func `knows nothing of what a rule did before it was put in force again`() throws {
        let run = try Run([try FaultRule(line: "PutObject @auth reset id=a")])
        _ = run.strikes(["x"])
        try run.plan.replace("a", with: try FaultRule(line: "PutObject @auth 1*close per=rule"))
        run.journal.append(.ruleAdded(id: "a", line: ""), in: run.scope)
        _ = run.strikes(["y"])
        #expect(try run.document.rules.map(\.line) == ["PutObject @auth 1.1:close per=rule id=a"])
    }

    @Test func `leaves random positions to their seed`() throws {
        let rules = [try FaultRule(line: "PutObject @body(random) 50%reset id=r")]
        let run = try Run(rules, document: 42)
        for key in 0..<20 {
            let faults = run.plan.begin(TestRequest(keyText: "\(key)"))
            _ = faults?.strike(at: .bodyAt, offset: faults?.bodyPositions.first)
        }
        let document = try run.document
        #expect(document.seed == 42 && document.rules == rules)
        try run.plan.add([try FaultRule(line: "PutObject @body(random) delay(1ms) id=s")], seed: 7)
        let faults = run.plan.begin(TestRequest(keyText: "z"))
        for offset in faults?.bodyPositions ?? [] { _ = faults?.strike(at: .bodyAt, offset: offset) }
        #expect(throws: RuleDocument.ScheduleRefusal.differentSeeds("r", "s")) { try run.document }
    }

    @Test func `is refused rather than made of half a journal`() throws {
        let run = try Run([try FaultRule(line: "PutObject @auth reset id=a")])
        _ = run.strikes(["x"])
        run.journal.reset(run.scope)
        _ = run.strikes(["y"])
        let error = #expect(throws: RuleDocument.ScheduleRefusal.self) { try run.document }
        #expect(error == .incomplete(rule: "a", fired: 12, found: 6))
        #expect(error?.message.contains("fired 12 times, and the journal still holds 6 of them") == true)
        _ = run.strikes((0..<200).map { "\($0)" })
        #expect(throws: RuleDocument.ScheduleRefusal.tooManyStrikes(rule: "a", fired: 1_212)) { try run.document }
    }

    @Test(arguments: ["reset", "delay(412ms)", "respond(503,SlowDown,message=\"a, b\")", "pause(g)"])
    func `reads an action as the journal writes it`(text: String) {
        #expect(FaultAction(text: text)?.text == text)
    }

    @Test(arguments: ["", "2*reset", "reset->close", "pass,reset", "1.1:reset", "rest"])
    func `reads nothing else as an action`(text: String) { #expect(FaultAction(text: text) == nil) }
}
