import ShoalAdminAPI
import ShoalFaults
import Testing

@testable import shoal

@Suite struct `shoal preset` {
    private func scene(_ words: [String]) throws -> PresetScene {
        try PresetApply(arguments(PresetApply.self, words)).scene
    }

    @Test func `takes parameters as words, and two of them as flags`() throws {
        let scene = try scene(["lost-answer", "--times", "2", "--key", "photos/*", "op=PutObject,CopyObject"])
        #expect(
            scene.rules.map(\.line) == [
                "PutObject,CopyObject photos/* @commit.after 2*reset per=key id=lost-answer"
            ])
    }

    @Test func `shows a file that rules can be read from`() throws {
        let show = try PresetShow(arguments(PresetShow.self, ["busy-store", "times=7"]))
        #expect(try RuleDocument(Array(show.scene.text.utf8)).rules.map(\.count.times) == [7])
    }

    @Test func `lists every preset with what the app should do`() {
        let lines = PresetListing.table.text(forTerminal: false).split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != "\t" } } == Preset.all.map { $0.name[...] })
        #expect(lines.contains { $0.hasSuffix("\ttry again.") })
    }

    @Test func `says what is in force, and the commands to give`() throws {
        let tap = try PresetApply(arguments(PresetApply.self, ["double-tap", "--key", "a b"]))
        let rule = RuleView(
            id: "double-tap", line: "L", note: nil, matched: 0, fired: 0, remaining: nil, rule: .object([]))
        let applied = AppliedPreset(tap.scene, rules: [rule], clock: nil)
        #expect(
            tap.lines(of: applied, scope: "t 1") == [
                "double-tap\tL", "the app should \(tap.scene.preset.advice)",
                "meanwhile:  shoal gate release double-tap --scope 't 1'",
                "afterwards: shoal verify --preset double-tap key='a b' --scope 't 1'",
            ])
        let phone = try PresetApply(arguments(PresetApply.self, ["wrong-clock-phone"]))
        let clock = ClockState(now: "T", real: "", offset: "+20m", offsetMs: 1_200_000, frozen: false)
        #expect(
            phone.lines(of: AppliedPreset(phone.scene, rules: [], clock: clock), scope: nil) == [
                "the clock is at T (+20m)", "the app should \(phone.scene.preset.advice)",
                "afterwards: shoal verify --preset wrong-clock-phone", "            shoal clock reset",
            ])
    }

    @Test(arguments: [
        (["lost-anser"], "there is no preset 'lost-anser'; did you mean 'lost-answer'?"),
        (["lost-answer", "2"], "'2' is no parameter, such as times=2; see `shoal preset show lost-answer`"),
        (["lost-answer", "time=2"], "no parameter of lost-answer is called 'time'; the nearest is 'times'"),
        (["lost-answer", "--times", "x"], "times=x: 'x' is no whole number"),
        (["lost-answer", "--times", "2", "times=3"], "times is given twice"),
        ([], "PRESET is missing; see `shoal preset apply --help`"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try scene(words) }
    }

    @Test func `has its checks asked by name, with its parameters and with checks of one's own`() throws {
        let words = ["--preset", "lost-answer", "key=photos/*", "attempts max=2"]
        let request = try Verify(arguments(Verify.self, words)).request
        #expect(
            request.checks.map(\.line) == [
                "one-commit key=photos/*", "verified-after-unknown key=photos/*", "attempts max=2",
            ])
        #expect(request.allFired)
        #expect(try !Verify(arguments(Verify.self, ["--preset", "bad-night"])).request.allFired)
        #expect(throws: UsageError("no parameter of lost-answer is called 'kex'; the nearest is 'key'")) {
            try Verify(arguments(Verify.self, ["--preset", "lost-answer", "kex=a"]))
        }
        #expect(throws: UsageError("there is no value of --preset 'lost-anser'; did you mean 'lost-answer'?")) {
            try Verify(arguments(Verify.self, ["--preset", "lost-anser"]))
        }
    }
}
