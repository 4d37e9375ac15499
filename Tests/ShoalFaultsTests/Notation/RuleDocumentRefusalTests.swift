import ShoalFaults
import Testing

@Suite struct `A document that holds no rules` {
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
        (
            #"[{"at":{"body":"x"},"do":["reset"]}]"#,
            "/0/at/body: 'x' is no position, such as 1048576, \"50%\", -1 or \"random\""
        ),
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
            #"[{"at":"auth","do":["reset"],"match":{"attemt":1}}]"#,
            "/0/match/attemt: no member of 'match' is called 'attemt'; the nearest is 'attempt'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"key":{"regex":"a"}}}]"#,
            "/0/match/key/regex: 'regex' is not offered, because its time has no bound; a glob says it"
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
        (
            #"[{"at":"auth","do":["reset"],"match":{"grant":"g1"}}]"#,
            "/0/match/grant: presigned URLs carry no 'grant' of their own: 'per: operation' counts each URL"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"after":{"state":"x"}}}]"#,
            "/0/match/after/state: no member of 'after'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"after":{"rule":"x","op":"write"}}}]"#,
            "/0/match/after: {\"rule\":\"busy\""
        ),
        (#"[{"at":"auth","do":["reset"],"match":{"after":{"op":"write"}}}]"#, "/0/match/after: {\"rule\":\"busy\""),
        (
            #"[{"at":"auth","do":["reset"],"match":{"after":{"op":"write","committed":false}}}]"#,
            "/0/match/after/committed: only true can be waited for"
        ),
        (#"[{"at":"auth","do":["reset"],"match":{"ageOfUrl":{}}}]"#, "/0/match/ageOfUrl: 'gt' or 'lt' is due here"),
        (
            #"[{"at":"auth","do":["reset"],"match":{"ageOfUrl":{"gt":"x"}}}]"#,
            "/0/match/ageOfUrl/gt: 'x' is no duration"
        ),
        (#"[{"at":"auth","do":["reset"],"match":{"any":[]}}]"#, "/0/match/any: at least one matcher is due here"),
        (
            #"[{"at":"auth","do":["reset"],"match":{"any":[{"op":"read"},{"size":[]}]}}]"#,
            "/0/match/any/1/size: no number fits 'size'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"not":{"kee":"a"}}}]"#,
            "/0/match/not/kee: no member of 'match' is called 'kee'; the nearest is 'key'"
        ),
        (
            #"[{"at":"auth","do":["reset"],"match":{"not":{"header":{"cookie":"a"}}}}]"#,
            "/0/match/not/0/header/cookie: 'cookie' holds a secret"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"probability":-0.5}}]"#,
            "/0/count/probability: a number from 0 to 1 is due here"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"probability":1.5}}]"#,
            "/0/count/probability: a probability is 0 to 1, or 0% to 100%"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"between":[4]}}]"#,
            "/0/count/between: the first and the last match are due here"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"budget":{"firings":2}}}]"#,
            "/0/count/budget: a budget has both members"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"budget":{"firings":2,"per":"moon"}}}]"#,
            "/0/count/budget/per: 'moon' is neither second,"
        ),
        (
            #"[{"at":"auth","do":["reset"],"count":{"times":2,"once":true}}]"#,
            "/0/count/once: 'once' is times 1, and 'times' is given too"
        ),
        (#"[{"at":"auth","do":["reset"],"count":{"then":"last"}}]"#, "/0/count/then: 'then' goes with 'sequence'"),
        (
            #"[{"at":"auth","do":["reset"],"count":{"sequence":["pass","reset"]}}]"#,
            "/0/do: a rule has either actions of its own or a sequence"
        ),
        (#"[{"at":"auth","count":{"sequence":["reset"]}}]"#, "/0/count/sequence: a sequence has 2 to 64 steps"),
        (
            #"[{"at":"auth","count":{"sequence":["pass",["reset","close"]]}}]"#,
            "/0/count/sequence/1/1: nothing can follow 'reset'"
        ),
        (
            #"[{"at":"auth","count":{"sequence":["pass","pas"]}}]"#,
            "/0/count/sequence/1: no action or S3 error code is called 'pas'"
        ),
        (#"[{"at":"auth","schedule":[]}]"#, "/0/schedule: a schedule has 1 to 1000 places"),
        (#"[{"at":"auth","schedule":[{"counter":1,"n":1}]}]"#, "/0/schedule/0: a place has all members"),
        (
            #"[{"at":"auth","schedule":[{"counter":1,"n":1,"do":["reset"]},{"counter":1,"n":1,"do":["close"]}]}]"#,
            "/0/schedule/1: match 1 of counter 1 is given twice"
        ),
        (
            #"[{"at":"auth","schedule":[{"counter":1,"n":1,"do":["respond"]}]}]"#,
            "/0/schedule/0/do/0: an answer needs a status"
        ),
        (
            #"[{"at":"auth","count":{"sequence":["pass","reset"]},"schedule":[]}]"#,
            "/0/schedule: a rule has either a sequence or a schedule"
        ),
        (#"[{"at":"auth","do":[{"respond":"SlowDwn"}]}]"#, "/0/do/0/respond: no S3 error code is called 'SlowDwn'"),
        (
            #"[{"at":"auth","do":[{"delay":{"uniform":{"min":1}}}]}]"#,
            "/0/do/0/delay/uniform: parameters of 'uniform' are missing; in one line it is"
        ),
        (
            #"[{"at":"auth","do":[{"delay":{"normal":{"men":1}}}]}]"#,
            "/0/do/0/delay/normal/men: no parameter of 'normal' is called 'men'; the nearest is 'mean'"
        ),
        (#"{"rules":[1,}"#, "/rules/1: no value begins like this, at byte 12"),
        (#"[{"id":"a","id":"b"}]"#, "/0/id: the member is there twice, at byte 11"),
    ])
    func `is refused with the place, and the nearest name`(text: String, message: String) {
        let error = #expect(throws: RuleError.self) { try RuleDocument(Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
