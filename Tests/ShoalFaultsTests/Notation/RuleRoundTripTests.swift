import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `Both forms of a rule` {
    @Test(arguments: UInt64(0)..<40)
    func `read back what they print`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let rule = Self.rule(using: &random)
            guard (try? rule.validate()) != nil else { continue }
            #expect(try FaultRule(line: rule.line) == rule, "\(rule.line)")
            #expect(try FaultRule(json: try JSONParser.parse(rule.json.bytes)) == rule, "\(rule.json.text)")
        }
    }

    @Test func `take a duration under its name without the unit, where it says that itself`() throws {
        let rule = try FaultRule(line: "PutObject @auth slowDisk(rate=1MiB,sync=2s)")
        #expect(try rule == FaultRule(line: "PutObject @auth slowDisk(rate=1048576,syncMs=2000)"))
        #expect(throws: RuleError.self) { try FaultRule(line: "PutObject @auth slowDisk(sync=2)") }
        #expect(throws: RuleError.self) { try FaultRule(line: "PutObject @auth slowDisk(sync=2s,syncMs=2000)") }
    }

    @Test(
        arguments: FaultAction.Name.allCases.map { FaultAction.example(of: $0) } + [
            .pin(Pins()), .pin(Pins(contentLength: 5, checksum: "AAAA==")),
            .quota(Quota(bytes: .init(1 << 20, per: .seconds(86_400)), then: .accessDenied)),
            .quota(Quota(requests: .init(0, per: .milliseconds(1_500)), bytes: .init(7, per: .seconds(60)))),
            .refuse(nil), .connectHang(nil), .connectionLimit(ConnectionLimit(1)),
            .connectionLimit(ConnectionLimit(7, then: .unavailable)),
            .hang(nil), .halfClose(.in), .closeIdle(after: .zero, announces: false),
            .closeIdle(after: .zero, announces: true), .closeIdle(after: .milliseconds(1), announces: true),
            .expire(.scope), .noContinue(nil), .edit(.wrongLength(.by(-1))), .edit(.wrongLength(.absent)),
            .edit(.setHeader(.init(name: "Retry-After", value: ""))),
            .edit(.setHeader(.init(name: "X-A", value: "a, (\"b\") = c"))),
            .edit(.extraInformational(status: 100, count: 1)), .edit(.truncateHead(bytes: 0, .hang)),
            .edit(.truncateBody(at: .bytes(5), .close)), .edit(.truncateBody(at: .fromEnd(1), .hang)),
            .pace(.throttle(in: nil, out: 5, burst: 70)), .pace(.throttle(in: 1, out: nil, burst: 3)),
            .edit(.garbage(.after)), .foreignPage(ForeignPage(html: "<p>\"log in\"", location: "http://a/b?c=d,e")),
            .foreignPage(ForeignPage(location: "/login")), .tls(.alert(TLSAlert(0))), .tls(.alert(TLSAlert(255))),
            .tls(.certificate(.wrongHost)), .tls(.certificate(.selfSigned)), .tls(.certificate(.untrusted)),
            .redirect(InjectedRedirect(.permanent)),
            .respondEarly(InjectedAnswer(status: .ok, body: "x", drain: .none)),
            .respondEarly(InjectedAnswer(status: HTTPStatus(500), code: .slowDown, then: .reset)),
        ])
    func `agree on every action`(action: FaultAction) throws {
        let rules = [FaultPoint.auth, .continueDue, .commitBefore, .listen, .accept, .tlsHello].map {
            FaultRule(at: FaultSite($0), do: [action])
        }
        let rule = try #require(rules.first { (try? $0.validate()) != nil })
        #expect(try FaultRule(line: rule.line) == rule, "\(rule.line)")
        #expect(try FaultRule(json: try JSONParser.parse(rule.json.bytes)) == rule, "\(rule.json.text)")
    }

    @Test func `meet often enough to prove something`() {
        var random = SeededGenerator(seed: 7)
        let valid = (0..<3_000).filter { _ in (try? Self.rule(using: &random).validate()) != nil }
        #expect(valid.count > 300)
    }

    @Test(arguments: 0..<200)
    func `never accept or die on a damaged line`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = Array(
            "PutObject \"a b\"|c#2 @body(50%) 5%3*hang(8s)->respond(503,SlowDown,message=\"x\") per=key not=(read k)|(size=5) note=\"n\""
                .utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = "\"\\()#@ *=,|!->%".utf8.randomElement(using: &random)!
            default: bytes.insert("\"\\()#@ *=,|!->%".utf8.randomElement(using: &random)!, at: index)
            }
        }
        // Whatever is still read must be a possible rule that prints and reads back.
        if let rule = try? FaultRule(line: String(decoding: bytes, as: UTF8.self)) {
            try rule.validate()
            #expect(try FaultRule(line: rule.line) == rule)
        }
    }
}

// MARK: - Rules at random

extension `Both forms of a rule` {
    private static func rule(using random: inout SeededGenerator) -> FaultRule {
        let point = FaultPoint.allCases.randomElement(using: &random)!
        let positions: [BytePosition] = [
            .bytes(0), .bytes(1 << 40), .percent(0), .percent(100), .fromEnd(1), .fromEnd(99), .random,
        ]
        var actions = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            [
                FaultAction.delay(.milliseconds(1_234)), .hang(.seconds(90)), .pause(gate: "g.1_-"),
                .drawnDelay(.uniform(min: .zero, max: .seconds(2))),
                .drawnDelay(.normal(mean: .milliseconds(400), deviation: .milliseconds(1), max: nil)),
                .drawnDelay(.lognormal(median: .seconds(61), sigma: DecimalFraction("0.8")!, max: .seconds(90))),
            ].randomElement(using: &random)!
        }
        actions.append(
            [.reset, .close, .hang(nil), .expire(.scope), .expire(.signature), .respond(answer(using: &random))]
                .randomElement(using: &random)!)
        let script = script(actions, using: &random)
        return FaultRule(
            id: [nil, "lost-answer"].randomElement(using: &random)!,
            note: [nil, "stored, \"twice\"\n\\ per\tupload", ""].randomElement(using: &random)!,
            match: point.precedesRequest ? Matcher() : matcher(using: &random),
            at: FaultSite(point, point.takesPosition ? positions.randomElement(using: &random)! : nil),
            do: script == nil ? actions : [], script: script, count: count(hasScript: script != nil, using: &random))
    }

    private static func script(_ actions: [FaultAction], using random: inout SeededGenerator) -> FaultScript? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            .sequence(
                FaultSequence(
                    [[], actions, [.close]], then: FaultSequence.Ending.allCases.randomElement(using: &random)!))
        case 1:
            .schedule(
                FaultSchedule([
                    .init(counter: 3, arrival: 12): actions, .init(counter: 3, arrival: 2): [.delay(.seconds(1))],
                ]))
        default: nil
        }
    }

    private static func count(hasScript: Bool, using random: inout SeededGenerator) -> FaultCount {
        var count = FaultCount(per: FaultCount.Key.allCases.randomElement(using: &random)!)
        guard !hasScript else { return count }
        count.skip = Int.random(in: 0...2, using: &random)
        count.times = [nil, 1, 1_000].randomElement(using: &random)!
        count.between = [nil, .init(4, 9)].randomElement(using: &random)!
        count.every = [nil, 5].randomElement(using: &random)!
        count.probability = ["0", "0.1", "0.000000001", "1"].map { DecimalFraction($0) }.randomElement(using: &random)!
        count.stableKey = count.probability == nil ? .request : [.request, .arrival].randomElement(using: &random)!
        count.budget = [nil, .init(firings: 20, per: .seconds(60)), .init(firings: 1, per: .milliseconds(1_500))]
            .randomElement(using: &random)!
        count.expires = [nil, .seconds(30)].randomElement(using: &random)!
        return count
    }

    private static func matcher(depth: Int = 0, using random: inout SeededGenerator) -> Matcher {
        var matcher = plainMatcher(using: &random)
        matcher.version = pattern(using: &random)
        matcher.client = pattern(using: &random)
        matcher.isSecure = [nil, true, false].randomElement(using: &random)!
        matcher.serverName = pattern(using: &random)
        matcher.protocols = pattern(using: &random)
        matcher.attempt = [nil, .oneOf([1, 2])].randomElement(using: &random)!
        matcher.expectContinue = [nil, true].randomElement(using: &random)!
        matcher.ageOfUrl = [nil, AgePattern(above: 50_000, below: nil), AgePattern(above: nil, below: 61_001)]
            .randomElement(using: &random)!
        matcher.parameters = [[], [.init(name: "x-Id", pattern: TextPattern([Glob("a b)")!]))]]
            .randomElement(using: &random)!
        matcher.after = [nil, .rule("r-1.x", fired: 1), .rule("r", fired: 3), .committed(.group(.write))]
            .randomElement(using: &random)!
        guard depth < 2 else { return matcher }
        for _ in 0..<[0, 0, 1, 2].randomElement(using: &random)! {
            matcher.alternatives.append(Self.matcher(depth: depth + 1, using: &random))
        }
        for _ in 0..<[0, 0, 1, 2].randomElement(using: &random)! {
            matcher.exclusions.append(Self.matcher(depth: depth + 1, using: &random))
        }
        return matcher
    }

    private static func plainMatcher(using random: inout SeededGenerator) -> Matcher {
        let groups: [OperationPattern] = [
            .group(.write), .operation(.putObject), .operation(.uploadPart), .group(.list),
        ]
        let numbers: [NumberPattern?] = [
            nil, .oneOf([7]), .oneOf([1, 2, 3]), .between(above: 1, below: nil), .between(above: nil, below: 9),
            .between(above: 1, below: 9),
        ]
        return Matcher(
            operations: [[], [groups.randomElement(using: &random)!], [groups[1], groups[2]]].randomElement(
                using: &random)!,
            bucket: pattern(using: &random), key: pattern(using: &random), uploadId: pattern(using: &random),
            partNumber: numbers.randomElement(using: &random)!, size: numbers.randomElement(using: &random)!,
            presigned: [nil, true, false].randomElement(using: &random)!,
            headers: [[], [("x-a", pattern(using: &random)), ("content-type", pattern(using: &random))]]
                .randomElement(using: &random)!.compactMap { name, pattern in
                    pattern.map { Matcher.Named(name: name, pattern: $0) }
                },
            connection: [nil, .fresh, .reused].randomElement(using: &random)!,
            exchange: numbers.randomElement(using: &random)!)
    }

    private static func pattern(using random: inout SeededGenerator) -> TextPattern? {
        guard Bool.random(using: &random) else { return nil }
        let globs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let characters = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                "ab/*?|#\"!@ ()=ü\\,".randomElement(using: &random)!
            }
            return Glob(literal: String(characters)) ?? .anything
        }
        let wild = Glob("p*/?.jpg")!
        let pattern = TextPattern(
            Bool.random(using: &random) ? globs : globs + [wild], isNegated: Bool.random(using: &random))
        // A key or header that may be anything is no condition, and neither form keeps it.
        return pattern == TextPattern([.anything]) ? nil : pattern
    }

    private static func answer(using random: inout SeededGenerator) -> InjectedAnswer {
        [
            InjectedAnswer(code: .slowDown, retryAfter: 2), InjectedAnswer(status: HTTPStatus(500), code: .noSuchKey),
            InjectedAnswer(code: .internalError, message: "a, (b) \"c\" = 1", drain: .bytes(10), then: .close),
            InjectedAnswer(
                status: .ok, fields: [.init(name: "X-A", value: "1, 2"), .init(name: "X-B", value: "")],
                contentType: "text/html; charset=utf-8", body: "<p>\n\"log in\"</p>", drain: .none, then: .reset),
            InjectedAnswer(status: .noContent),
        ].randomElement(using: &random)!
    }
}
