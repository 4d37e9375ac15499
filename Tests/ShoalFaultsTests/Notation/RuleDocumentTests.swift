import ShoalFaults
import Testing

@Suite struct `A rule document` {
    @Test func `is the file of the model's description`() throws {
        let file = try RuleDocument(
            Array(
                """
                { "shoal": 1, "seed": 42, "scope": "LoginUpload-3f",
                  "rules": [
                    { "id": "lost-answer", "note": "stored, but the phone never hears it; twice per upload",
                      "match": { "op": "PutObject", "key": "photos/*" }, "at": "commit.after", "do": [ { "reset": {} } ],
                      "count": { "per": "operation", "times": 2 } },
                    { "id": "tunnel", "match": { "op": "UploadPart", "partNumber": { "gt": 1 } }, "at": { "body": "50%" },
                      "do": [ { "hang": { "ms": 8000 } }, { "reset": {} } ], "count": { "per": "key", "times": 1 } },
                    { "id": "busy", "match": { "op": "write" }, "at": "auth",
                      "do": [ { "respond": { "code": "SlowDown", "retryAfter": 2, "drain": "all" } } ],
                      "count": { "per": "operation", "times": 3 } }
                  ] }
                """.utf8))
        #expect(file.seed == 42 && file.scope == "LoginUpload-3f")
        #expect(
            file.rules.map(\.line) == [
                "PutObject photos/* @commit.after 2*reset id=lost-answer "
                    + "note=\"stored, but the phone never hears it; twice per upload\"",
                "UploadPart *#>1 @body.at(50%) 1*hang(8s)->reset per=key id=tunnel",
                "write @auth 3*SlowDown(retryAfter=2) id=busy",
            ])
    }

    @Test(arguments: [
        "PutObject @auth reset\n\n# a comment\n  write @auth close\r\n",
        #"["PutObject @auth reset", {"match":{"op":"write"},"at":"auth","do":["close"]}]"#,
        #"{"shoal":1,"rules":["PutObject @auth reset","write @auth close"]}"#,
    ])
    func `is text, an array or a file`(text: String) throws {
        let rules = try RuleDocument(Array(text.utf8)).rules
        #expect(rules.map(\.line) == ["PutObject @auth reset", "write @auth close"])
    }

    @Test(
        arguments: [
            (#"{"at":"body.at(-1)","do":["SlowDown"]}"#, "any @body.at(-1) SlowDown"),
            (#"{"at":{"response.at":7},"do":[{"SlowDown":{}}],"match":{"op":"GetObject"}}"#, nil),
            (#"{"at":"auth","do":[{"hang":"8s"},{"delay":{"ms":5}},"hang"]}"#, "any @auth hang(8s)->delay(5ms)->hang"),
            (#"{"at":"auth","do":[{"expire":{"of":"scope"}}]}"#, "any @auth expire(scope)"),
            (#"{"at":"auth","do":[{"pause":"g"},"close"]}"#, "any @auth pause(g)->close"),
            (
                #"{"at":"auth","do":[{"respond":{"status":302,"headers":{"Location":"http://x/"},"then":"close","drain":9}}]}"#,
                "any @auth respond(302,header.Location=http://x/,drain=9,then=close)"
            ),
            (
                #"{"at":"auth","do":["reset"],"match":{"op":["PutObject","list"],"header":{"A":"*","B":{"glob":"*"},"C":{"absent":true},"D":{"not":["x","y"]}}}}"#,
                #"PutObject,list @auth reset header.a=\* header.b=* header.c=!* header.d=!x|y"#
            ),
            (
                #"{"at":"auth","do":["reset"],"match":{"bucket":{"not":"b"},"size":[1,2],"presigned":true,"connection":"fresh","exchange":{"lt":3}}}"#,
                "any @auth reset bucket=!b size=1|2 presigned=true connection=fresh exchange=<3"
            ),
        ] as [(String, String?)])
    func `takes one rule alone`(text: String, line: String?) throws {
        guard let line else {
            #expect(throws: RuleError.self) { try RuleDocument(Array(text.utf8)) }
            return
        }
        #expect(try RuleDocument(Array(text.utf8)).rules.map(\.line) == [line])
    }

    @Test(arguments: [
        ("any @auth reset\nany @aut reset", "line 2, column 6: no point is called 'aut'; the nearest is 'auth'"),
        (
            #"["any @auth resett"]"#,
            "/0: column 11: no action or S3 error code is called 'resett'; the nearest is 'reset'"
        ),
        (#"{"at":"auth"}"#, "the document: a rule needs 'do', such as [{\"reset\":{}}]"),
        (#"{"do":["reset"]}"#, "the document: a rule needs 'at', such as \"commit.after\""),
        (#"{"shoal":2,"rules":[]}"#, "/shoal: this is version 1 of the format; 'shoal' is 1"),
        (#"{"shoal":1}"#, "the document: a rule file needs 'rules'"),
        (
            #"{"rules":[{"at":"auth","do":["reset"],"mach":{}}]}"#,
            "/rules/0/mach: no member of a rule is called 'mach'; the nearest is 'match'"
        ),
        (
            #"{"rules":[{"at":"comit.after","do":["reset"]}]}"#,
            "/rules/0/at: no point is called 'comit.after'; the nearest is 'commit.after'"
        ),
        (#"[{"at":{"body":"x"},"do":["reset"]}]"#, "/0/at/body: 'x' is no position, such as 1048576, \"50%\" or -1"),
        (#"[{"at":{"body":1,"response":1},"do":["reset"]}]"#, "/0/at: one point is due here, as in {\"body\":\"50%\"}"),
        (#"[{"at":"auth","do":"reset"}]"#, "/0/do: an array is due here, not a string"),
        (#"[{"at":"auth","do":[]}]"#, "/0/do: a rule needs at least one action"),
        (#"[{"at":"auth","do":[{"reset":{},"close":{}}]}]"#, "/0/do/0: one action is due here, as in {\"reset\":{}}"),
        (#"[{"at":"auth","do":[{"reset":{"ms":1}}]}]"#, "/0/do/0/reset/ms: no member of 'reset' is called 'ms'"),
        (
            #"[{"at":"auth","do":[{"throtle":{}}]}]"#,
            "/0/do/0/throtle: no action or S3 error code is called 'throtle'; the nearest is"
        ),
        (
            #"[{"at":"auth","do":[{"delay":{}}]}]"#,
            "/0/do/0/delay: 'delay' needs its parameter, as in {\"delay\":{\"ms\":200}}"
        ),
        (#"[{"at":"auth","do":[{"delay":{"ms":0}}]}]"#, "/0/do/0: 'delay' lasts from 1 ms to 7 days"),
        (#"[{"at":"auth","do":[{"hang":{"ms":-5}}]}]"#, "/0/do/0/hang/ms: '-5' is no duration, such as 200ms"),
        (#"[{"at":"auth","do":[{"closeIdle":{"announce":1}}]}]"#, "/0/do/0/closeIdle/announce: 'announce' is true or"),
        (#"[{"at":"auth","do":[{"halfClose":"up"}]}]"#, "/0/do/0/halfClose: no direction of 'halfClose' is"),
        (#"[{"at":"auth","do":[{"blackhole":5}]}]"#, "/0/do/0/blackhole: an object is due here, not a number"),
        (#"[{"at":"auth","do":[{"pause":{}}]}]"#, #"/0/do/0/pause: 'pause' needs its parameter, as in {"pause":"#),
        (#"[{"at":"auth","do":[{"hang":"soon"}]}]"#, "/0/do/0/hang: 'soon' is no duration"),
        (#"[{"at":"auth","do":["reset","close"]}]"#, "/0/do/1: nothing can follow 'reset': the exchange is over"),
        (
            #"[{"at":"auth","do":[{"respond":{"code":"SlowDwn"}}]}]"#,
            "/0/do/0/respond/code: no S3 error code is called 'SlowDwn'; the nearest is 'SlowDown'"
        ),
        (
            #"[{"at":"auth","do":[{"respond":{"status":"503"}}]}]"#,
            "/0/do/0/respond/status: a whole number is due here, not a string"
        ),
        (
            #"[{"at":"auth","do":[{"SlowDown":{"code":"SlowDown"}}]}]"#,
            "/0/do/0/SlowDown/code: no member of 'SlowDown' is called 'code'"
        ),
        (
            #"[{"at":"auth","do":[{"expire":"all"}]}]"#,
            "/0/do/0/expire: no reach of 'expire' is called 'all'; the nearest is"
        ),
        (
            #"[{"at":"auth","do":["pause"]}]"#,
            "/0/do/0: 'pause' needs its parameter, as in {\"pause\":{\"gate\":\"gate1\"}}"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"op":"PutObjct"}}]"#,
            "/0/match/op: no operation or group is called 'PutObjct'; the nearest is 'PutObject'"
        ),
        (#"[{"at":"auth","do":["reset"],"match":{"op":[]}}]"#, "/0/match/op: at least one operation is due here"),
        (#"[{"at":"auth","do":["reset"],"match":{"op":["write","write"]}}]"#, "/0/match/op/1: 'write' is given twice"),
        (
            #"[{"at":"auth","do":["reset"],"match":{"attempt":1}}]"#,
            "/0/match/attempt: no member of 'match' is called 'attempt'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"key":{"regex":"a"}}}]"#,
            "/0/match/key/regex: no member of a pattern is called 'regex'"
        ),
        (#"[{"at":"auth","do":["reset"],"match":{"key":[]}}]"#, "/0/match/key: 1 to 64 patterns are due here"),
        (#"[{"at":"auth","do":["reset"],"match":{"key":"a\\"}}]"#, "/0/match/key: 'a\\' is no pattern"),
        (#"[{"at":"auth","do":["reset"],"match":{"size":{}}}]"#, "/0/match/size: 'gt' or 'lt' is due here"),
        (#"[{"at":"auth","do":["reset"],"match":{"size":[]}}]"#, "/0/match/size: no number fits 'size'"),
        (
            #"[{"at":"auth","do":["reset"],"match":{"presigned":"yes"}}]"#,
            "/0/match/presigned: true or false is due here, not a string"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"header":{"Cookie":"x"}}}]"#,
            "/0/match/header/cookie: 'cookie' holds a secret"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"time":1}}]"#,
            "/0/count/time: no member of 'count' is called 'time'; the nearest is 'times'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"per":"upload"}}]"#,
            "/0/count/per: no counter is called 'upload'; the nearest is"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"times":0}}]"#,
            "/0/count/times: times is 0, so the rule would never fire"
        ),
        (
            #"[{"at":"body.at(5)","do":["reset"],"match":{"op":"GetObject"}}]"#,
            "/0/at: GetObject has no request body, so 'body.at' is never reached"
        ),
        (
            #"[{"at":"accept","do":["reset"],"match":{"key":"a"}}]"#,
            "/0/match/key: nothing is known about a request at 'accept'"
        ),
        (#"{"rules":[1,}"#, "/rules/1: no value begins like this, at byte 12"),
        (#"[{"id":"a","id":"b"}]"#, "/0/id: the member is there twice, at byte 11"),
    ])
    func `is refused with the place, and the nearest name`(text: String, message: String) {
        let error = #expect(throws: RuleError.self) { try RuleDocument(Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}

@Suite struct `The names of the model` {
    @Test(arguments: FaultAction.Name.allCases)
    func `are described one by one`(name: FaultAction.Name) {
        #expect(!name.effect.isEmpty)
        let example = FaultAction.example(of: name)
        #expect(example.name == name)
        // An example with parameters names some that are described.
        #expect(!example.text.contains("(") || !name.parameters.isEmpty)
    }

    @Test func `say for every point whether the object is stored and the client can know`() {
        let stored = FaultPoint.allCases.filter(\.isStored).map(\.rawValue)
        #expect(stored == ["commit.after", "response.head.at", "response.head", "response.at", "response.end"])
        let unknown = FaultPoint.allCases.filter { $0.clientKnowledge == .info }.map(\.rawValue)
        #expect(unknown == ["body.end", "commit.before", "commit.after", "response.head.at", "response.at"])
        #expect(Set(FaultPoint.allCases.map(\.moment)).count == FaultPoint.allCases.count)
    }
}
