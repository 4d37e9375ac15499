import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `A preset` {
    @Test(arguments: SceneTrial.all)
    func `passes the app that does as it should, and fails the one that does not`(trial: SceneTrial) throws {
        let verdict = try trial.play()
        #expect(verdict["outcome"] == (trial.isGood ? "pass" : "fail"), "\(verdict.text)")
        #expect(trial.isGood || verdict["onlyMissesFirings"] == false, "\(verdict.text)")
    }

    @Test(arguments: Preset.all.map(\.name))
    func `has a good app and a bad one to be judged by`(name: String) {
        // It needs a process of its own: `The preset store-restarts` of ProcessTests.
        guard name != "store-restarts" else { return }
        let trials = SceneTrial.all.filter { $0.preset == name }
        #expect(trials.contains(where: \.isGood) && trials.contains { !$0.isGood })
    }
}

@Suite struct `Presets over the admin API` {
    @Test func `tell of themselves`() throws {
        let admin = AdminClient(try TestServer())
        let presets = try admin.json("GET", "/_shoal/v1/presets")["presets"]?.elements ?? []
        #expect(presets.compactMap { $0["name"]?.string } == Preset.all.map(\.name))
        let one = try admin.json("GET", "/_shoal/v1/presets/lost-answer")
        #expect(presets.contains(one))
        #expect(one["text"]?.string?.contains("PutObject * @commit.after 1*reset") == true)
    }

    @Test func `say what is in force, and what to ask and to do afterwards`() throws {
        let admin = AdminClient(try TestServer())
        let lost = try admin.json("POST", "/presets/lost-answer", #"{"times":2,"key":"a b/*"}"#)
        #expect(lost["parameters"]?.text == #"{"times":"2","op":"PutObject","key":"a b/*"}"#)
        #expect(
            lost["rules"]?.first?["line"] == #"PutObject "a b/*" @commit.after 2*reset per=key id=lost-answer"#)
        #expect(
            lost["checks"]?.elements == [#"one-commit key="a b/*""#, #"verified-after-unknown key="a b/*""#])
        let clock = try admin.json("POST", "/presets/wrong-clock-phone", #"{"offset":"-20m"}"#)
        #expect(clock["clock"]?["offset"] == "-20m" && clock["afterwards"]?.elements == ["shoal clock reset"])
        #expect(try admin.json("GET", "/clock")["offsetMs"] == -1_200_000)
        #expect(
            try admin.json("POST", "/presets/double-tap")["meanwhile"]?.elements == ["shoal gate release double-tap"])
        let lines = try admin.json("GET", "/rules")["rules"]?.elements.compactMap { $0["id"]?.string }
        #expect(lines == ["lost-answer", "double-tap"])
    }

    @Test func `take the place of themselves, and of nothing else`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        try admin.arm("GetObject @auth SlowDown id=mine")
        try admin.json("POST", "/presets/lost-answer")
        let phone = Phone(S3Client(server), admin, .good)
        #expect(try phone.upload("a.jpg"))
        #expect(try admin.firings(of: "lost-answer") == 1)
        try admin.json("POST", "/presets/lost-answer", #"{"times":3}"#)
        #expect(try admin.firings(of: "lost-answer") == 0)
        let rules = try admin.json("GET", "/rules")["rules"]?.elements ?? []
        #expect(rules.compactMap { $0["id"]?.string } == ["mine", "lost-answer"])
    }

    @Test func `draw the same night from the same seed`() throws {
        let nights = try (0..<2).map { _ in
            let server = try TestServer()
            let admin = AdminClient(server)
            try admin.json("POST", "/presets/bad-night", #"{"share":"40%","seed":7}"#)
            let phone = Phone(S3Client(server), admin, .good.with { $0.attemptMax = 60 })
            for number in 1...6 { #expect(try phone.upload("\(number).jpg")) }
            return try admin.json("GET", "/rules")["rules"]?.elements.map { $0["fired"] }
        }
        #expect(nights[0] == nights[1] && nights[0]?.contains { $0 != 0 } == true)
    }

    @Test(arguments: [
        ("/presets/lost-anser", "", 404, "no preset is called 'lost-anser'; the nearest is 'lost-answer'"),
        (
            "/presets/lost-answer", #"{"time":2}"#, 400,
            "no parameter of lost-answer is called 'time'; the nearest is 'times'"
        ),
        ("/presets/lost-answer", #"{"times":"two"}"#, 400, "times=two: 'two' is no whole number"),
        ("/presets/lost-answer", #"{"times":[2]}"#, 400, "a string is due here, not an array"),
        (
            "/presets/lost-answer", #"{"op":"PutObjct"}"#, 400,
            "op=PutObjct: no operation or group is called 'PutObjct'; the nearest is 'PutObject'"
        ),
        (
            "/presets/half-a-photo", #"{"end":"cloze"}"#, 400,
            "no action or S3 error code is called 'cloze'; the nearest is 'close'"
        ),
        ("/verify", #"{"preset":"lost-anser"}"#, 400, "no preset is called 'lost-anser'; the nearest is 'lost-answer'"),
        ("/verify", #"{"parameters":{}}"#, 400, "'parameters' goes with 'preset'"),
        (
            "/verify", #"{"preset":"lost-answer","parameters":{"kex":"a"}}"#, 400,
            "no parameter of lost-answer is called 'kex'; the nearest is 'key'"
        ),
    ])
    func `refuse in words, and change nothing`(path: String, body: String, status: Int, words: String) throws {
        let admin = AdminClient(try TestServer())
        let answer = try admin.send("POST", path, body)
        #expect(answer.status == status)
        #expect(try JSONParser.parse(answer.body)["detail"]?.string?.hasSuffix(words) == true, "\(answer.text)")
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }
}
