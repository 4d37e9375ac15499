import ShoalFaults
import ShoalHTTP
import ShoalS3
import Testing

@Suite struct `A one-line rule` {
    private static let lostAnswer = FaultRule(
        match: Matcher(operations: [.operation(.putObject)], key: TextPattern([Glob("photos/*")!])),
        at: FaultSite(.commitAfter), do: [.reset], count: FaultCount(times: 2))

    @Test(
        arguments: [
            ("PutObject photos/* @commit.after 2*reset", lostAnswer),
            (
                "UploadPart *#2 @body(50%) hang(8s)->reset",
                FaultRule(
                    match: Matcher(operations: [.operation(.uploadPart)], partNumber: .oneOf([2])),
                    at: FaultSite(.bodyAt, .percent(50)), do: [.hang(.seconds(8)), .reset])
            ),
            (
                "write @auth SlowDown(retryAfter=2)",
                FaultRule(
                    match: Matcher(operations: [.group(.write)]), at: FaultSite(.auth),
                    do: [.respond(InjectedAnswer(code: .slowDown, retryAfter: 2))])
            ),
            (
                "any @body.at(1MiB) delay(200ms)->pause(gate1)->close",
                FaultRule(
                    at: FaultSite(.bodyAt, .bytes(1_048_576)),
                    do: [.delay(.milliseconds(200)), .pause(gate: "gate1"), .close])
            ),
            (
                "GetObject @response.at(-1) close connection=reused",
                FaultRule(
                    match: Matcher(operations: [.operation(.getObject)], connection: .reused),
                    at: FaultSite(.responseAt, .fromEnd(1)), do: [.close])
            ),
            (
                "PutObject,UploadPart \"my photos/*|b?.jpg\" @auth expire(scope) per=key skip=1 times=3 presigned=true",
                FaultRule(
                    match: Matcher(
                        operations: [.operation(.putObject), .operation(.uploadPart)],
                        key: TextPattern([Glob("my photos/*")!, Glob("b?.jpg")!]), presigned: true),
                    at: FaultSite(.auth), do: [.expire(.scope)], count: FaultCount(skip: 1, times: 3, per: .key))
            ),
            (
                "@accept reset per=connection",
                FaultRule(at: FaultSite(.accept), do: [.reset], count: FaultCount(per: .connection))
            ),
            (
                "write @request.head respond(503, SlowDown, retryAfter=2, message=\"a \\\"b\\\", c\", drain=none, then=reset)",
                FaultRule(
                    match: Matcher(operations: [.group(.write)]), at: FaultSite(.requestHead),
                    do: [
                        .respond(
                            InjectedAnswer(
                                status: .serviceUnavailable, code: .slowDown, message: "a \"b\", c", retryAfter: 2,
                                drain: .none, then: .reset))
                    ])
            ),
            (
                "PutObject @auth respond(200,contentType=text/html,body=\"<p>log in\",header.X-Portal=1) size=>10<99",
                FaultRule(
                    match: Matcher(operations: [.operation(.putObject)], size: .between(above: 10, below: 99)),
                    at: FaultSite(.auth),
                    do: [
                        .respond(
                            InjectedAnswer(
                                status: .ok, fields: [.init(name: "X-Portal", value: "1")], contentType: "text/html",
                                body: "<p>log in"))
                    ])
            ),
            (
                "PutObject @auth reset header.Content-Type=!image/* bucket=a|b exchange=2|3 id=one note=\"why, \\\\ how\"",
                FaultRule(
                    id: "one", note: "why, \\ how",
                    match: Matcher(
                        operations: [.operation(.putObject)], bucket: TextPattern([Glob("a")!, Glob("b")!]),
                        headers: [
                            .init(name: "content-type", pattern: TextPattern([Glob("image/*")!], isNegated: true))
                        ],
                        exchange: .oneOf([2, 3])),
                    at: FaultSite(.auth), do: [.reset])
            ),
            (
                "PutObject @auth 2.5%3*delay(lognormal,median=400ms,sigma=0.8,max=5s)->reset every=2 between=4-9 budget=20/minute "
                    + "expires=1h stableKey=arrival per=client",
                FaultRule(
                    match: Matcher(operations: [.operation(.putObject)]), at: FaultSite(.auth),
                    do: [
                        .drawnDelay(
                            .lognormal(
                                median: .milliseconds(400), sigma: DecimalFraction("0.8")!, max: .seconds(5))),
                        .reset,
                    ],
                    count: FaultCount(
                        between: .init(4, 9), every: 2, probability: DecimalFraction("0.025"), stableKey: .arrival,
                        times: 3, budget: .init(firings: 20, per: .seconds(60)), expires: .seconds(3_600),
                        per: .client))
            ),
            (
                "any @body(random) pass,hang(8s)->reset,SlowDown then=repeat",
                FaultRule(
                    at: FaultSite(.bodyAt, .random), do: [],
                    script: .sequence(
                        FaultSequence(
                            [[], [.hang(.seconds(8)), .reset], [.respond(InjectedAnswer(code: .slowDown))]],
                            then: .repeat)))
            ),
            (
                "any @auth 2.1:reset,1.3:delay(5ms)->close",
                FaultRule(
                    at: FaultSite(.auth), do: [],
                    script: .schedule(
                        FaultSchedule([
                            .init(counter: 2, arrival: 1): [.reset],
                            .init(counter: 1, arrival: 3): [.delay(.milliseconds(5)), .close],
                        ])))
            ),
        ] as [(String, FaultRule)])
    func `reads as the rule it says`(line: String, rule: FaultRule) throws {
        #expect(try FaultRule(line: line) == rule)
    }

    @Test(
        arguments: [
            ("PutObject photos/* @commit.after reset", nil),
            ("PutObject * @commit.after reset", "PutObject @commit.after reset"),
            ("@accept reset", "any @accept reset"),
            ("UploadPart *#2 @body(50%) hang(8s)->reset", "UploadPart *#2 @body.at(50%) hang(8s)->reset"),
            ("write @auth respond(SlowDown)", "write @auth SlowDown"),
            ("write @auth SlowDown(status=500)", "write @auth respond(500,SlowDown)"),
            ("any @body(1KiB) delay(90000ms)", "any @body.at(1024) delay(1m30s)"),
            ("UploadPart a\\#b#>1<9 @auth reset", nil),
            ("any \"a b (1).jpg\" @auth pause(g)", nil),
            ("any \\!a|\\@b @auth pause(g) per=rule", "any \\!a|@b @auth pause(g) per=rule"),
            ("any a\\|b\\*c @auth reset header.x=\"\"", nil),
            ("any \"size=5\" @auth reset", nil),
            ("any @auth 10%reset", nil),
            ("any @auth 0.000001%5*reset between=7", "any @auth 0.000001%5*reset between=7-7"),
            ("any @auth reset budget=3/60s expires=90s", "any @auth reset budget=3/minute expires=1m30s"),
            ("any @auth reset budget=3/7s", nil),
            ("any @auth 2.1:reset,1.3:close", "any @auth 1.3:close,2.1:reset"),
            ("any @auth pass,reset then=pass", "any @auth pass,reset"),
            ("any @body(random) delay(uniform,min=5,max=2000)", "any @body.at(random) delay(uniform,min=5ms,max=2s)"),
            ("any @auth reset after=busy:1", "any @auth reset after=busy"),
            (
                "any @auth reset not=(any \"a (1)|b\")|(size=>5 any=(read)|(list)) any=( PutObject  a/* )|(write)",
                "any @auth reset any=(PutObject a/*)|(write) not=(any \"a (1)|b\")|(size=>5 any=(read)|(list))"
            ),
        ] as [(String, String?)])
    func `prints in its canonical form`(line: String, canonical: String?) throws {
        #expect(try FaultRule(line: line).line == canonical ?? line)
    }

    @Test func `is bounded`() {
        #expect(throws: RuleError.self) {
            try FaultRule(line: "any " + String(repeating: "a", count: 9_000) + " @auth reset")
        }
        let actions = Array(repeating: "delay(1ms)", count: 17).joined(separator: "->")
        #expect(throws: RuleError.self) { try FaultRule(line: "any @auth \(actions)") }
        #expect(throws: RuleError.self) {
            try FaultRule(line: "any @auth reset note=\(String(repeating: "n", count: 1_025))")
        }
    }
}
