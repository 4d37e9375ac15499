import Foundation
import ShoalFaults
import Testing

@Suite struct `A preset file` {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        + "/Sources/Engine/CShoalPresets/Presets"

    private static let lost = """
        # lost: the answer is lost.
        # The app should look.
        #
        #   times=1       how often
        #   key=*         which keys
        #   wait=8s       how long

        PutObject {key} @commit.after {times}*hang({wait})->reset id=lost

        # verify: one-commit key={key}
        # A remark.

        """

    @Test func `is in the program as it stands in its folder, and so is every other one`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        try #require(files.count > 20)
        #expect(Set(files) == Set(Preset.all.map { $0.name + ".shoal" }))
        for preset in Preset.all {
            let text = try String(contentsOfFile: "\(Self.folder)/\(preset.name).shoal", encoding: .utf8)
            #expect(preset.text == text, "\(preset.name)")
        }
    }

    @Test(arguments: Preset.all.map(\.name))
    func `has all its fields, and checks that exist`(name: String) throws {
        let preset = try Preset.named(name)
        let scene = try preset.filled()
        for sentence in [preset.summary, preset.advice] {
            #expect(sentence.hasSuffix(".") && sentence.count > 8, "\(sentence)")
        }
        #expect(!scene.checks.isEmpty && (!scene.rules.isEmpty || scene.clock != nil))
        #expect(scene.rules.allSatisfy { $0.id != nil }, "rules of a preset are told apart by their ids")
        #expect(preset.parameters.contains { $0.name == "key" }, "each can be kept to some keys")
        #expect(scene.text.split(separator: "\n").allSatisfy { $0.count <= 120 && !$0.hasSuffix(" ") })
        // Every parameter has a say in something.
        for parameter in preset.parameters { #expect(preset.text.contains("{\(parameter.name)}")) }
    }

    @Test(arguments: Preset.all.map(\.name))
    func `is a file of rules once it is filled in`(name: String) throws {
        let scene = try Preset.named(name).filled()
        #expect(try RuleDocument(Array(scene.text.utf8)).rules == scene.rules)
        #expect(try FaultPlan(hasPort: true).add(scene.rules).count == scene.rules.count)
        let checks = scene.text.split(separator: "\n").filter { $0.hasPrefix("# verify: ") && !$0.contains("--") }
        #expect(checks.map { $0.dropFirst(10) } == scene.checks.map { $0.line[...] })
    }

    @Test func `takes its values where they are named, in the form that is due there`() throws {
        let scene = try Preset(Self.lost).filled(with: [("key", "my photos/*|a\"b"), ("times", "3")])
        #expect(scene.rules[0].line == #"PutObject "my photos/*|a\"b" @commit.after 3*hang(8s)->reset id=lost"#)
        #expect(scene.checks.map(\.line) == [#"one-commit key="my photos/*|a\"b""#])
        #expect(
            scene.text.contains("#   times=3       how often\n#   key=my photos/*|a\"b  which keys\n#   wait=8s       ")
        )
        #expect(scene.unusualValues.map { "\($0.name)=\($0.value)" } == ["times=3", "key=my photos/*|a\"b"])
        #expect(scene.values.map(\.value) == ["3", "my photos/*|a\"b", "8s"])
        #expect(scene.allFired && scene.clock == nil && scene.seed == nil)
    }

    @Test func `may move the clock, have a seed, and let rules be silent`() throws {
        let night = try Preset.named("bad-night").filled(with: [("seed", "7")])
        #expect(night.seed == 7 && !night.allFired)
        let phone = try Preset.named("wrong-clock-phone").filled(with: [("offset", "-20m")])
        #expect(phone.clock == .offset(-1_200_000) && phone.rules.isEmpty)
        #expect(phone.afterwards == ["shoal clock reset"])
    }

    @Test(
        arguments: [
            ([("tims", "2")], "no parameter of lost is called 'tims'; the nearest is 'times'"),
            ([("times", "2"), ("times", "3")], "times is given twice"),
            ([("times", "")], "times=: '' is no whole number"),
            ([("times", "0")], "lost would say 'PutObject * @commit.after 0*hang(8s)->reset id=lost': "),
            ([("wait", "soon")], "wait=soon: 'soon' is no length of time, such as 200ms, 8s or 1m30s"),
            ([("key", "a\nPutObject b @auth reset")], "key=a\nPutObject b @auth reset: "),
            ([("wait", "1s)->reset id=x")], "wait=1s)->reset id=x: "),
        ] as [([(String, String)], String)])
    func `refuses in words`(values: [(String, String)], words: String) throws {
        let error = #expect(throws: PresetError.self) {
            try Preset(Self.lost).filled(with: values.map { (name: $0.0, value: $0.1) })
        }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("", "a preset begins with its name"), ("# lost\n# The app should look.\n", "a preset begins with its name"),
        ("# lost: x.\nPutObject @auth reset\n", "the second line of the preset lost says what the app should do"),
        (
            "# lost: x.\n# The app should look.\n# verfy: one-commit\n",
            "no part of a preset is called 'verfy'; the nearest is 'verify'"
        ),
        ("# lo st: x.\n# The app should look.\n", "'lo st' is no name"),
        ("# lost: x.\n# The app should look.\n#   times=1\n", "a parameter is `name=usual   what it means`"),
    ])
    func `needs its fields`(text: String, words: String) {
        let error = #expect(throws: PresetError.self) { try Preset(text) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test func `names no parameter that it does not have`() {
        let error = #expect(throws: PresetError.self) {
            try Preset("# lost: x.\n# The app should look.\n\nPutObject {key} @auth reset\n").filled()
        }
        #expect(error?.description == "'{key}' is no parameter")
    }

    @Test func `of an unknown name is told the nearest`() {
        let error = #expect(throws: PresetError.self) { try Preset.named("lost-anser") }
        #expect(error?.nearest == "lost-answer" && error?.isOfName == true)
    }
}

@Suite struct `Rules that are put` {
    @Test func `take the place of those with their ids, and count anew`() throws {
        let plan = FaultPlan()
        try plan.add(try FaultRule(line: "PutObject @auth reset id=a"))
        try plan.add(try FaultRule(line: "PutObject @auth close id=b"))
        let struck = plan.begin(TestRequest())?.strike(at: .auth)
        #expect(struck != nil)
        let rules = try [FaultRule(line: "PutObject @auth reset id=a"), FaultRule(line: "PutObject @auth delay(1s)")]
        #expect(try plan.put(rules) == ["a", "r1"])
        #expect(plan.list().map(\.rule.id) == ["b", "a", "r1"])
        #expect(plan.list().allSatisfy { $0.rule.id == "b" || $0.fired == 0 })
    }

    @Test func `leave everything as it is where one of them is impossible`() throws {
        let plan = FaultPlan()
        try plan.add(try FaultRule(line: "PutObject @auth reset id=a"))
        let waiting = try FaultRule(line: "PutObject @auth close id=a after=nobody")
        #expect(throws: FaultPlan.Refusal.self) { try plan.put([waiting]) }
        #expect(plan.list().map(\.rule.line) == ["PutObject @auth reset id=a"])
    }
}
