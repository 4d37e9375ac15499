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
                "any @auth reset bucket=!b size=1|2 exchange=<3 presigned=true connection=fresh"
            ),
            (
                #"{"at":"auth","do":["reset"],"count":{"between":[4,6],"every":2,"probability":0.1,"once":true,"budget":{"firings":20,"per":"minute"},"expires":"30s","per":"client"}}"#,
                "any @auth 10%1*reset between=4-6 every=2 budget=20/minute expires=30s per=client"
            ),
            (
                #"{"at":"auth","do":["reset"],"count":{"probability":1,"stableKey":"arrival","once":false,"budget":{"firings":1,"per":1500},"expires":90000}}"#,
                "any @auth 100%reset stableKey=arrival budget=1/1s500ms expires=1m30s"
            ),
            (
                #"{"at":"auth","count":{"sequence":["pass","reset",{"respond":"SlowDown"},[{"hang":"8s"},"close"]],"then":"last"}}"#,
                "any @auth pass,reset,SlowDown,hang(8s)->close then=last"
            ),
            (
                #"{"at":"auth","schedule":[{"counter":1,"n":3,"do":["reset"]}],"count":{"per":"key"}}"#,
                "any @auth 1.3:reset per=key"
            ),
            (
                #"{"at":{"body":"random"},"do":[{"delay":{"lognormal":{"median":"400ms","sigma":0.8,"max":5000}}}]}"#,
                "any @body.at(random) delay(lognormal,median=400ms,sigma=0.8,max=5s)"
            ),
            (
                #"{"at":"auth","do":["reset"],"match":{"version":"v*","range":{"absent":true},"attempt":{"gt":1},"sdkAttempt":2,"invocation":"7*","ageOfUrl":{"gt":"50s"},"query":{"x-id":"a*"},"userAgent":"curl/*","client":"10.*","expectContinue":false}}"#,
                #"any @auth reset version=v* range=!* userAgent=curl/* invocation=7* client=10.* attempt=>1 sdkAttempt=2 expectContinue=false ageOfUrl=>50s query.x-id=a\*"#
            ),
            (
                #"{"at":"auth","do":["reset"],"match":{"after":{"rule":"busy","fired":2},"any":[{"op":"read"},{"key":"a"}],"not":{"client":"::1"}}}"#,
                "any @auth reset after=busy:2 any=(read)|(any a) not=(client=::1)"
            ),
            (
                #"{"at":"auth","do":["reset"],"match":{"after":{"op":"PutObject","committed":true},"not":[{"key":"a"},{"key":"b"}]}}"#,
                "any @auth reset after=committed(PutObject) not=(any a)|(any b)"
            ),
        ] as [(String, String?)])
    func `takes one rule alone`(text: String, line: String?) throws {
        guard let line else {
            #expect(throws: RuleError.self) { try RuleDocument(Array(text.utf8)) }
            return
        }
        #expect(try RuleDocument(Array(text.utf8)).rules.map(\.line) == [line])
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
        #expect(stored == ["commit.after", "response.head.at", "response.head", "response.at", "response.end", "idle"])
        let unknown = FaultPoint.allCases.filter { $0.clientKnowledge == .info }.map(\.rawValue)
        #expect(unknown == ["body.end", "commit.before", "commit.after", "response.head.at", "response.at"])
        #expect(Set(FaultPoint.allCases.map(\.moment)).count == FaultPoint.allCases.count)
    }
}
