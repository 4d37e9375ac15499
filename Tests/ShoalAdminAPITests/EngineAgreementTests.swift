import ShoalAdminAPI
import ShoalFaults
import ShoalS3
import Testing

/// The command line sends these messages and the engine reads them, and the other way round.
@Suite struct `The engine and the admin messages` {
    private static let real = Timestamp(seconds: 1_800_000_000)

    @Test(
        arguments: [
            (.offset(milliseconds: -90_000), .offset(-90_000)), (.advance(milliseconds: 5), .advance(5)),
            (.now("2027-01-15T08:00:00Z"), .now(real)), (.freeze(at: "2027-01-15T08:00:00Z"), .freeze(at: real)),
            (.freeze(at: nil), .freeze(at: nil)), (.resume, .thaw),
        ] as [(ClockChange, ScopeClock.Change)])
    func `mean the same change of the clock`(sent: ClockChange, read: ScopeClock.Change) throws {
        #expect(try ScopeClock.Change(json: sent.json) == read)
    }

    @Test func `mean the same state of the clock`() throws {
        let clock = ScopeClock()
        clock.apply(.freeze(at: Self.real.adding(seconds: 1_200)), real: Self.real)
        let state = try ClockState(MessageReader(clock.reading(real: Self.real).json))
        let expected = ClockState(
            now: "2027-01-15T08:20:00.000Z", real: "2027-01-15T08:00:00.000Z", offset: "+20m", offsetMs: 1_200_000,
            frozen: true)
        #expect(state == expected)
    }

    @Test func `show the same rule`() throws {
        let plan = FaultPlan()
        let id = try plan.add(FaultRule(line: "PutObject photos/* @commit.after 2*reset"))
        let view = RuleView(try #require(plan.list().first))
        #expect(view.id == id)
        #expect(view.matched == 0)
        #expect(try FaultRule(line: view.line).line == view.line)
        #expect(try FaultRule(json: view.rule).line == view.line)
        #expect(try RuleView(decoding: view.bytes) == view)
    }

    @Test func `tell what a rule did, in JSON`() throws {
        let plan = FaultPlan(seed: 9)
        try plan.add(FaultRule(line: "PutObject photos/* @commit.after 2*reset id=x per=rule"))
        try plan.add(FaultRule(line: "any @auth 25%reset id=dice"))
        #expect(
            plan.list().map { RuleView($0).json.text } == [
                """
                {"id":"x","line":"PutObject photos/* @commit.after 2*reset per=rule id=x",\
                "matched":0,"fired":0,"remaining":2,\
                "rule":{"id":"x","match":{"op":"PutObject","key":"photos/*"},"at":"commit.after",\
                "do":[{"reset":{}}],"count":{"per":"rule","times":2}}}
                """,
                """
                {"id":"dice","line":"any @auth 25%reset id=dice","matched":0,"fired":0,"seed":9,\
                "rule":{"id":"dice","at":"auth","do":[{"reset":{}}],\
                "count":{"per":"operation","probability":0.25}}}
                """,
            ])
    }
}
