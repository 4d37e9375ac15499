import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `An admin message` {
    @Test(
        arguments: [
            (.offset(milliseconds: -1_200_000), #"{"offset":-1200000}"#),
            (.now("2026-03-14T15:09:26Z"), #"{"now":"2026-03-14T15:09:26Z"}"#),
            (.freeze(at: nil), #"{"freeze":true}"#),
            (.freeze(at: "2026-03-14T15:09:26Z"), #"{"freeze":"2026-03-14T15:09:26Z"}"#),
            (.resume, #"{"freeze":false}"#),
            (.advance(milliseconds: 3_600_000), #"{"advance":3600000}"#),
        ] as [(ClockChange, String)])
    func `about the clock has one member in either direction`(change: ClockChange, json: String) throws {
        #expect(change.json.text == json)
        #expect(try ClockChange(decoding: Array(json.utf8)) == change)
    }

    @Test(arguments: [#"{}"#, #"{"offset":1,"now":"2026-03-14T15:09:26Z"}"#, #"{"freeze":3}"#, #"{"rate":2}"#])
    func `about the clock is refused with none or two changes`(json: String) {
        #expect(throws: MalformedMessage.self) { try ClockChange(decoding: Array(json.utf8)) }
    }

    @Test func `about presets tells what is in force, and is read back`() throws {
        let list = try PresetList(Preset.all)
        #expect(try PresetList(decoding: list.bytes) == list)
        let scene = try Preset.named("wrong-clock-phone").filled(with: [("tries", "3")])
        let clock = ClockState(now: "N", real: "R", offset: "+20m", offsetMs: 1_200_000, frozen: false)
        let applied = AppliedPreset(scene, rules: [], clock: clock)
        #expect(try AppliedPreset(decoding: applied.bytes) == applied)
        #expect(
            applied.json.text
                == #"{"preset":"wrong-clock-phone","advice":"\#(scene.preset.advice)","#
                + #""parameters":{"offset":"+20m","tries":"3","key":"*"},"rules":[],"clock":\#(clock.json.text),"#
                + #""checks":["attempts key=* max=3"],"afterwards":["shoal clock reset"]}"#)
    }

    @Test func `to verify by a preset is one with its checks`() throws {
        let body = #"{"preset":"bad-night","parameters":{"key":"a"},"checks":["no-overlap"]}"#
        let request = try VerifyRequest(decoding: Array(body.utf8))
        #expect(
            request.checks.map(\.line) == [
                "one-commit key=a allowIdenticalRewrite=true", "no-orphan-upload key=a", "no-overlap",
            ])
        #expect(!request.allFired)
        let strict = try VerifyRequest(decoding: Array(#"{"preset":"bad-night","allFired":true}"#.utf8))
        #expect(strict.allFired && strict.checks.count == 2)
    }

    @Test(arguments: [
        #"{"method":"PUT","bucket":"photos","key":"a/b.jpg","expires":300,"headers":{"content-type":"image/jpeg"},"#
            + #""baseURL":"http://10.0.2.2:9000","defect":"wrong-host"}"#,
        #"{"method":"GET","bucket":"photos","key":"a","expires":1,"headers":{}}"#,
    ])
    func `to mint a URL has the names of the contract`(json: String) throws {
        #expect(try MintURLRequest(decoding: Array(json.utf8)).json.text == json)
    }

    @Test(arguments: [#"{"expiresIn":900,"accessKey":"guest"}"#, #"{"expiresIn":1}"#])
    func `to make temporary credentials has the names of the contract`(json: String) throws {
        #expect(try TemporaryKeysRequest(decoding: Array(json.utf8)).json.text == json)
        let keys = #"{"accessKeyId":"A","secretAccessKey":"S","sessionToken":"T","expiration":"2026-03-14T15:09:26Z"}"#
        #expect(try TemporaryKeys(decoding: Array(keys.utf8)).json.text == keys)
        #expect(!"\(try TemporaryKeys(decoding: Array(keys.utf8)))".contains("T\""))
    }

    @Test(arguments: [
        (#"{"method":"PUT","bucket":"photos","key":"a"}"#, "the member 'expires' is missing"),
        (#"{"method":1,"bucket":"photos","key":"a","expires":1}"#, "/method: a string is due here, not a number"),
        (
            #"{"method":"GET","bucket":"b","key":"a","expires":1,"headers":{"a/b":2}}"#,
            "/headers/a~1b: a string is due here, not a number"
        ),
        (
            #"{"method":"GET","bucket":"b","key":"a","expires":1,"defect":"late"}"#,
            "/defect: there is no 'late' here; there are expired, wrong-secret, wrong-host, wrong-method, not-yet-valid"
        ),
        (
            #"{"method":"GET","bucket":"b","key":"a","expires":1,"header":{}}"#,
            "/header: there is no member 'header'; did you mean 'headers'?"
        ),
        (
            #"{"method":"GET","bucket":"b","key":"a","expires":1.5}"#,
            "/expires: a whole number is due here, not a number"
        ),
        ("[]", "an object is due here, not an array"),
    ])
    func `that is malformed is refused with the place`(json: String, text: String) {
        let error = #expect(throws: MalformedMessage.self) { try MintURLRequest(decoding: Array(json.utf8)) }
        #expect(error?.description == text)
    }

    @Test(arguments: ["nonsense", "", "{", #"{"a":1,"a":2}"#])
    func `that is no JSON is refused`(json: String) {
        #expect(throws: MalformedMessage.self) { try MintURLRequest(decoding: Array(json.utf8)) }
    }

    @Test func `of a rule keeps the rule as it is`() throws {
        let json =
            #"{"rules":[{"id":"r1","line":"any @auth close","matched":3,"fired":1,"remaining":0,"#
            + #""rule":{"match":{"op":"any"},"at":"auth","do":[{"close":{}}]}}]}"#
        #expect(try RuleList(decoding: Array(json.utf8)).json.text == json)
    }

    @Test(arguments: [
        #"{"webhooks":[{"name":"thumbs","url":"http://h/","pending":2,"delivered":3,"failures":1,"expired":0,"#
            + #""lastError":"answered 503","lastErrorAt":"2026-03-14T15:09:26.000Z"}]}"#,
        #"{"webhooks":[{"name":"old","pending":7,"delivered":0,"failures":0,"expired":0}]}"#,
    ])
    func `of notifications has the names of the contract`(json: String) throws {
        #expect(try NotificationList(decoding: Array(json.utf8)).json.text == json)
    }

    @Test(arguments: [
        #"{"checks":[{"oneCommit":{"key":"a"}},{"quiet":{"for":"1s"}}],"since":7,"quiesceMs":500,"allFired":false}"#
    ])
    func `to verify has the names of the contract`(json: String) throws {
        #expect(try VerifyRequest(decoding: Array(json.utf8)).json.text == json)
    }

    @Test func `to verify or to wait takes checks in lines too, and has usual values`() throws {
        let verify = try VerifyRequest(decoding: Array(#"{"checks":["one-commit key=a"]}"#.utf8))
        #expect(verify == VerifyRequest(checks: [try Check(line: "one-commit key=a")], since: 0, quiesceMs: 2_000))
        let wait = try WaitRequest(decoding: Array(#"{"until":{"fired":{"rule":"x"}}}"#.utf8))
        #expect(wait == WaitRequest(until: [try Check(line: "fired rule=x")], since: 0, timeoutMs: 10_000))
        #expect(wait.json.text == #"{"until":[{"fired":{"rule":"x"}}],"since":0,"timeoutMs":10000}"#)
    }

    @Test(arguments: [
        #"{"outcome":"fail","onlyMissesFirings":false,"results":[{"check":"resumed","outcome":"fail","reason":"r","#
            + #""timeline":["a"],"rules":["b"],"wouldPass":"c"},{"check":"all-fired","outcome":"pass","reason":"r"}]}"#
    ])
    func `of a verdict has the names of the contract`(json: String) throws {
        #expect(try VerdictView(decoding: Array(json.utf8)).json.text == json)
    }

    @Test func `of an operation, of near misses and of notes has the names of the contract`() throws {
        let operation =
            #"{"id":"obj-1","aliases":["sig-1"],"operation":"UploadPart","bucket":"b","key":"k","uploadId":"u","#
            + #""partNumber":2,"commits":1,"attempts":[{"attempt":1,"new":true}],"timeline":["t"]}"#
        #expect(try OperationView(decoding: Array(operation.utf8)).json.text == operation)
        let list = #"{"operations":[\#(operation)],"incomplete":true}"#
        #expect(try OperationList(decoding: Array(list.utf8)).json.text == list)
        let misses =
            #"{"nearMisses":[{"id":"x","line":"l","reason":"r","seq":4,"differences":[{"field":"key","wanted":"a"}]}]}"#
        #expect(try NearMissList(decoding: Array(misses.utf8)).json.text == misses)
        #expect(try NoteRequest(decoding: Array(#"{"text":"x"}"#.utf8)).json.text == #"{"text":"x"}"#)
        #expect(try NoteView(decoding: Array(#"{"seq":9}"#.utf8)).json.text == #"{"seq":9}"#)
    }

    @Test func `of the journal keeps members that nobody here knows`() throws {
        let json = #"{"events":[{"seq":7,"ev":"fault","rule":"r1","new":[1]}],"last":7,"incomplete":false}"#
        let page = try JournalPage(decoding: Array(json.utf8))
        #expect(page.events.map(\.sequence) == [7])
        #expect(page.events.map(\.kind) == ["fault"])
        #expect(page.events[0]["rule"] == .string("r1"))
        #expect(page.json.text == json)
    }

    @Test func `of what lifecycle rules did says it in words`() {
        var run = LifecycleRun()
        #expect(run.text == "nothing was due")
        (run.markersCreated, run.versionsLocked) = (1, 2)
        #expect(run.text == "1 marker created, 2 versions kept by a lock")
    }

    @Test func `leaves out what is not known`() {
        #expect(CreateScopeRequest().json.text == #"{"buckets":[],"ttl":3600}"#)
        #expect(CreateScopeRequest(port: true).json.text == #"{"buckets":[],"ttl":3600,"port":true}"#)
        let problem = Problem(title: "Not Found", status: 404)
        #expect(problem.json.text == #"{"type":"about:blank","title":"Not Found","status":404}"#)
    }
}

@Suite struct `An admin path` {
    @Test(arguments: [
        (AdminPath.health, "/_shoal/health"),
        (AdminPath.explain, "/_shoal/v1/explain"),
        (AdminPath.rules("default"), "/_shoal/v1/scopes/default/rules"),
        (AdminPath.rule("a b", id: "x/y"), "/_shoal/v1/scopes/a%20b/rules/x%2Fy"),
        (AdminPath.journalStream("default"), "/_shoal/v1/scopes/default/journal/stream"),
        (AdminPath.gateRelease("default", gate: "é"), "/_shoal/v1/scopes/default/gates/%C3%A9/release"),
        (AdminPath.scopeReset("s1"), "/_shoal/v1/scopes/s1/reset"),
        (AdminPath.operation("s1", id: "photo 7"), "/_shoal/v1/scopes/s1/operations/photo%207"),
        (AdminPath.verify("s1"), "/_shoal/v1/scopes/s1/verify"), (AdminPath.wait("s1"), "/_shoal/v1/scopes/s1/wait"),
        (AdminPath.nearMisses("s1"), "/_shoal/v1/scopes/s1/near-misses"),
        (AdminPath.notes("s1"), "/_shoal/v1/scopes/s1/notes"), (AdminPath.checks, "/_shoal/v1/checks"),
    ])
    func `is the contract's, with names encoded`(path: String, expected: String) {
        #expect(path == expected)
    }
}
