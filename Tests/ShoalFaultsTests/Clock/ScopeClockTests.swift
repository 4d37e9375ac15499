import ShoalFaults
import ShoalJSON
import ShoalLog
import ShoalS3
import Testing

@Suite struct `The clock of a scope` {
    private static let real = Timestamp(seconds: 1_000_000)
    private static let later = real.adding(seconds: 60)

    /// Each change at `real`; then the offset from the real time at once and a minute later.
    @Test(
        arguments: [
            (["{}"], nil, nil),
            ([#"{"offset":"+20m"}"#], 1_200_000, 1_200_000),
            ([#"{"offset":-1500}"#], -1_500, -1_500),
            ([#"{"now":"1970-01-12T13:46:41Z"}"#], 1_000, 1_000),
            ([#"{"freeze":true}"#], 0, -60_000),
            ([#"{"freeze":"1970-01-12T13:46:41Z"}"#], 1_000, -59_000),
            ([#"{"freeze":true}"#, #"{"advance":"90s"}"#], 90_000, 30_000),
            ([#"{"freeze":true}"#, #"{"advance":"90s"}"#, #"{"freeze":false}"#], 90_000, 90_000),
            ([#"{"freeze":true}"#, #"{"now":"1970-01-12T13:46:41Z"}"#], 1_000, -59_000),
            ([#"{"freeze":true}"#, #"{"offset":"+1h"}"#], 3_600_000, 3_600_000),
            ([#"{"advance":"1h30m"}"#, #"{"advance":"-30m"}"#], 3_600_000, 3_600_000),
            ([#"{"freeze":false}"#], 0, 0),
            ([#"{"offset":"+24h"}"#, #"{"offset":"0ms"}"#], 0, 0),
            ([#"{"advance":"-100d"}"#], -1_000_000_000, -1_000_000_000),
        ] as [([String], Int64?, Int64?)])
    func `is set as JSON says`(changes: [String], atOnce: Int64?, aMinuteLater: Int64?) throws {
        let clock = ScopeClock()
        guard let atOnce, let aMinuteLater else {
            #expect(throws: RuleError.self) { try ScopeClock.Change(json: try JSONParser.parse(changes[0])) }
            return
        }
        for change in changes {
            clock.apply(try ScopeClock.Change(json: try JSONParser.parse(change)), real: Self.real)
        }
        #expect(clock.now(real: Self.real) == Self.real.adding(milliseconds: atOnce))
        #expect(clock.now(real: Self.later) == Self.later.adding(milliseconds: aMinuteLater))
        clock.reset()
        #expect(clock.now(real: Self.later) == Self.later)
    }

    @Test(arguments: [
        (#"{"ofset":"1h"}"#, "/ofset", "no member of a clock change is called 'ofset'; the nearest is 'offset'"),
        (
            #"{"offset":"1h","now":"2026-01-01T00:00:00Z"}"#, "",
            "one of 'offset', 'now', 'freeze' and 'advance' is due here"
        ),
        (#"{"offset":"1 hour"}"#, "/offset", "a span is due here"),
        (#"{"advance":true}"#, "/advance", "a span is due here"),
        (#"{"now":"yesterday"}"#, "/now", "an instant is due here"),
        (#"{"freeze":"2026-02-30T00:00:00Z"}"#, "/freeze", "an instant is due here"),
        (#"[]"#, "", "an object is due here, not an array"),
    ])
    func `refuses what it cannot read`(text: String, pointer: String, message: String) throws {
        let json = try JSONParser.parse(text)
        let error = #expect(throws: RuleError.self) { try ScopeClock.Change(json: json) }
        #expect(error?.place == .pointer(pointer))
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `tells itself in JSON`() {
        let clock = ScopeClock()
        clock.apply(.offset(-90_000), real: Self.real)
        #expect(
            clock.reading(real: Self.real).json.text == """
                {"now":"1970-01-12T13:45:10.000Z","real":"1970-01-12T13:46:40.000Z","offset":"-1m30s","offsetMs":-90000,\
                "frozen":false}
                """)
    }
}

@Suite struct `A duration's text` {
    @Test(
        arguments: [
            ("90s", 90_000), ("20m", 1_200_000), ("500ms", 500), ("1h", 3_600_000), ("1h30m", 5_400_000), ("0s", 0),
            ("2d3h4m5s6ms", 183_845_006), ("", nil), ("5", nil), ("s", nil), ("1m1h", nil), ("1s1s", nil), ("+5s", nil),
            ("1.5s", nil), ("5 s", nil), ("99999999999999999999s", nil), ("9223372036854775807d", nil), ("36526d", nil),
        ] as [(String, Int64?)])
    func `is numbers with units, largest first`(text: String, milliseconds: Int64?) {
        #expect(DurationText.milliseconds(text) == milliseconds)
        guard let milliseconds else { return }
        #expect(DurationText.milliseconds(DurationText.text(milliseconds: milliseconds)) == milliseconds)
    }

    @Test(arguments: [("+24h", 86_400_000), ("-20m", -1_200_000), ("+", nil), ("--1s", nil)] as [(String, Int64?)])
    func `has a sign where the clock moves`(text: String, milliseconds: Int64?) {
        #expect(DurationText.milliseconds(text, signed: true) == milliseconds)
    }
}

@Suite struct `An instant for the clock` {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("20130524T000000Z", 1_369_353_600_000), ("2013-05-24T00:00:00.5Z", 1_369_353_600_500),
            ("2013-05-24T02:00:00+02:00", 1_369_353_600_000), ("2013-05-24T00:00:00.Z", nil),
            ("2013-02-29T00:00:00Z", nil), ("2013-05-24T24:00:00Z", nil), ("1969-12-31T23:59:59Z", nil),
            ("2013-05-24T00:00:00Zx", nil), ("20130524T000000.5Z", nil), ("2013-05-24", nil), ("soon", nil),
        ] as [(String, Int64?)])
    func `is read strictly`(text: String, milliseconds: Int64?) {
        #expect(ScopeClock.instant(text)?.milliseconds == milliseconds)
    }
}
