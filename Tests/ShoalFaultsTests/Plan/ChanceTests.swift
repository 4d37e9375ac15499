import ShoalFaults
import ShoalJSON
import ShoalS3
import Synchronization
import Testing

@Suite struct `Chance` {
    /// What was struck, as `key/operation/attempt`.
    private final class Struck: Sendable {
        private let names = Mutex<Set<String>>([])
        var all: Set<String> { names.withLock { $0 } }
        func note(_ name: String) { names.withLock { _ = $0.insert(name) } }
    }

    /// Sends 400 keys with three operations of two attempts each, from so many threads.
    private static func run(
        _ rule: String, seed: UInt64, threadCount: Int, reversed: Bool = false, run: String = "1"
    ) async throws -> Set<String> {
        let plan = FaultPlan(seed: seed)
        try plan.add(try FaultRule(line: rule))
        let struck = Struck()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threadCount {
                group.addTask {
                    let keys = stride(from: thread, to: 400, by: threadCount)
                    for key in reversed ? Array(keys).reversed() : Array(keys) {
                        for number in 0..<6 {
                            var request = TestRequest(keyText: "\(key).jpg")
                            // Made up anew in each run, as a client does.
                            request.headers["amz-sdk-invocation-id"] = "run \(run), \(key), \(number / 2)"
                            if !plan.actions(request, at: .auth).isEmpty {
                                struck.note("\(key)/\(number / 2)/\(number % 2)")
                            }
                        }
                    }
                }
            }
        }
        return struck.all
    }

    @Test(arguments: [UInt64(1), 42, .max])
    func `strikes the same requests whatever the threads do (mountebank#918)`(seed: UInt64) async throws {
        let rule = "PutObject @auth 10%reset id=dice"
        let alone = try await Self.run(rule, seed: seed, threadCount: 1)
        #expect(try await Self.run(rule, seed: seed, threadCount: 4, run: "2") == alone)
        #expect(try await Self.run(rule, seed: seed, threadCount: 16, run: "3") == alone)
        #expect(try await Self.run(rule, seed: seed, threadCount: 16, reversed: true, run: "4") == alone)
        // 2,400 requests: beyond these bounds lies one seed in a hundred million.
        #expect((160...320).contains(alone.count), "\(alone.count)")
        // All operations and attempts have their share, not the first ones only.
        for suffix in ["/0/0", "/0/1", "/1/0", "/2/1"] { #expect(alone.contains { $0.hasSuffix(suffix) }) }
    }

    @Test func `strikes others for another seed, and for another rule`() async throws {
        let one = try await Self.run("PutObject @auth 10%reset id=a", seed: 1, threadCount: 2)
        #expect(try await Self.run("PutObject @auth 10%reset id=a", seed: 2, threadCount: 2) != one)
        #expect(try await Self.run("PutObject @auth 10%reset id=b", seed: 1, threadCount: 2) != one)
    }

    @Test func `of more strikes whatever less would have struck`() async throws {
        let less = try await Self.run("PutObject @auth 10%reset id=a", seed: 7, threadCount: 2)
        let more = try await Self.run("PutObject @auth 20%reset id=a", seed: 7, threadCount: 2)
        #expect(less.isStrictSubset(of: more))
    }

    @Test func `of 0 never strikes, and of 1 always (toxiproxy#603)`() async throws {
        #expect(try await Self.run("PutObject @auth 0%reset", seed: 7, threadCount: 1).isEmpty)
        #expect(try await Self.run("PutObject @auth 100%reset", seed: 7, threadCount: 1).count == 2_400)
    }

    @Test func `does not depend on other rules, nor on what they match`() async throws {
        let plan = FaultPlan(seed: 3)
        let line = "PutObject @auth 10%reset id=dice"
        try plan.add([try FaultRule(line: "any *1.jpg @auth 50%delay(1ms) id=other"), try FaultRule(line: line)])
        let struck = (0..<400).filter { key in
            plan.actions(TestRequest(keyText: "\(key).jpg"), at: .auth).contains("reset")
        }
        let alone = FaultPlan(seed: 3)
        try alone.add(try FaultRule(line: line))
        let expected = (0..<400).filter { !alone.actions(TestRequest(keyText: "\($0).jpg"), at: .auth).isEmpty }
        #expect(struck == expected && !struck.isEmpty)
    }

    @Test func `begins anew when all rules are replaced, so that a run can be repeated`() throws {
        let plan = FaultPlan(seed: 11)
        func strikes() throws -> [Bool] {
            // Without an id: the rule gets the same one again.
            try plan.replaceAll(with: [try FaultRule(line: "any @auth 50%reset")])
            return (0..<64).map { _ in !plan.actions(TestRequest(), at: .auth).isEmpty }
        }
        let first = try strikes()
        #expect(try strikes() == first)
        #expect(first.contains(true) && first.contains(false))
    }

    @Test func `goes by the order of arrival where keys are made up`() throws {
        func strikes(_ prefix: String) throws -> [Bool] {
            let plan = FaultPlan(seed: 5)
            try plan.add(try FaultRule(line: "any @auth 50%reset stableKey=arrival id=dice"))
            return (0..<64).map { !plan.actions(TestRequest(keyText: "\(prefix)-\($0)"), at: .auth).isEmpty }
        }
        let first = try strikes("6f1c")
        #expect(try strikes("b2aa") == first)
        #expect(first.contains(true) && first.contains(false))
    }

    @Test func `counts a request once, though it is shown again when more is known of it`() throws {
        func strikes(_ isForm: Bool) throws -> [Bool] {
            let plan = FaultPlan(seed: 5)
            try plan.add(try FaultRule(line: "any @auth 50%reset stableKey=arrival id=dice"))
            return (0..<64).map { number in
                let first = isForm ? plan.begin(TestRequest(operation: .postObject, keyText: "")) : nil
                return plan.begin(TestRequest(keyText: "\(number)"), after: first)?.strike(at: .auth) != nil
            }
        }
        #expect(try strikes(true) == strikes(false))
    }

    @Test func `is shown with the strike, and the digits shown decide`() throws {
        let plan = FaultPlan(seed: 9)
        try plan.add(try FaultRule(line: "any @auth 25%reset id=dice"))
        for key in 0..<200 {
            guard let strike = plan.begin(TestRequest(keyText: "\(key)"))?.strike(at: .auth) else { continue }
            let u = try #require(strike.steps[0].u)
            #expect(DecimalFraction(draw: u) < DecimalFraction("0.25")!)
        }
        #expect(plan.list()[0].seed == 9 && plan.list()[0].fired > 20)
        let certain = try FaultPlan("any @auth reset")
        #expect(certain.begin(TestRequest())?.strike(at: .auth)?.steps[0].u == nil)
        #expect(certain.list()[0].seed == nil)
    }

    @Test func `is drawn from the seed of the rule's document before the plan's own`() throws {
        func strikes(plan seed: UInt64, document: UInt64?) throws -> [Bool] {
            let plan = FaultPlan(seed: seed)
            try plan.add([try FaultRule(line: "any @auth 50%reset id=dice")], seed: document)
            return (0..<64).map { !plan.actions(TestRequest(keyText: "\($0)"), at: .auth).isEmpty }
        }
        #expect(try strikes(plan: 1, document: 42) == strikes(plan: 2, document: 42))
        #expect(try strikes(plan: 42, document: nil) == strikes(plan: 2, document: 42))
        #expect(try strikes(plan: 1, document: nil) != strikes(plan: 2, document: nil))
    }

    @Test func `at accept goes by the order of connections`() throws {
        func strikes() throws -> [Bool] {
            let plan = FaultPlan(seed: 4)
            try plan.add(try FaultRule(line: "@accept 50%reset"))
            return (0..<64).map { _ in
                plan.strikeAccept(connection: .random(in: 1...1_000), client: Array("127.0.0.1".utf8)[...]) != nil
            }
        }
        let first = try strikes()
        #expect(try strikes() == first)
        #expect(first.contains(true) && first.contains(false))
    }
}

@Suite struct `A delay of chance` {
    private static func delays(_ parameters: String) throws -> [Int64] {
        let plan = FaultPlan(seed: 2)
        try plan.add(try FaultRule(line: "any @auth delay(\(parameters))"))
        return try (0..<2_000).map { key in
            let strike = try #require(plan.begin(TestRequest(keyText: "\(key)"))?.strike(at: .auth))
            guard case .delay(let wait) = strike.steps[0].action else { return -1 }
            return wait.components.seconds * 1_000 + wait.components.attoseconds / 1_000_000_000_000_000
        }.sorted()
    }

    @Test func `that is uniform lies anywhere between its bounds`() throws {
        let delays = try Self.delays("uniform,min=100ms,max=300ms")
        #expect(delays[0] >= 100 && delays[0] < 105 && delays[1_999] <= 300 && delays[1_999] > 295)
        #expect((185...215).contains(delays[1_000]))
    }

    @Test func `that is normal lies around its mean, above zero and below its bound`() throws {
        let delays = try Self.delays("normal,mean=400ms,deviation=100ms,max=550ms")
        #expect((390...410).contains(delays[1_000]))
        // Two thirds within one deviation.
        #expect((1_250...1_480).contains(delays.count { (300...500).contains($0) }))
        #expect(delays[1_999] == 550)
        #expect(try Self.delays("normal,mean=10ms,deviation=100ms").first == 0)
    }

    @Test func `that is lognormal has its median and a long tail`() throws {
        let delays = try Self.delays("lognormal,median=400ms,sigma=0.8")
        #expect((370...430).contains(delays[1_000]))
        // e to the power of sigma times the deviations: one in six is beyond the first.
        #expect((250...390).contains(delays.count { $0 > 890 }))
        #expect(delays[1_999] > 2_500)
        #expect(try Self.delays("lognormal,median=400ms,sigma=0.8,max=1s").last == 1_000)
    }

    @Test func `is the same for the same seed, differs along a list, and is shown as it was`() throws {
        func strike(_ seed: UInt64) throws -> Strike {
            let plan = FaultPlan(seed: seed)
            try plan.add(
                try FaultRule(line: "any @auth delay(uniform,min=0ms,max=1h)->delay(uniform,min=0ms,max=1h) id=a"))
            return try #require(plan.begin(TestRequest())?.strike(at: .auth))
        }
        let first = try strike(1)
        #expect(try strike(1) == first)
        #expect(try strike(2) != first)
        #expect(first.steps[0].action != first.steps[1].action)
        #expect(first.steps.allSatisfy { $0.u != nil && $0.action.text.hasPrefix("delay(") })
    }
}

@Suite struct `A position of chance` {
    @Test func `is one byte of the body, the same when it is reached as when it was told`() throws {
        let plan = FaultPlan(seed: 6)
        try plan.add(try FaultRule(line: "PutObject @body(random) reset"))
        var offsets: Set<UInt64> = []
        for key in 0..<100 {
            let faults = try #require(plan.begin(TestRequest(keyText: "\(key)", contentLength: 1_000)))
            #expect(faults.bodyPositions.count == 1)
            let offset = try #require(faults.bodyPositions.first)
            #expect(offset < 1_000)
            let strike = try #require(faults.strike(at: .bodyAt, offset: offset))
            #expect(strike.offset == offset && strike.steps[0].u != nil)
            offsets.insert(offset)
        }
        #expect(offsets.count > 80)
        let again = FaultPlan(seed: 6)
        try again.add(try FaultRule(line: "PutObject @body(random) reset"))
        let repeated = (0..<100).compactMap { again.begin(TestRequest(keyText: "\($0)"))?.bodyPositions.first }
        #expect(Set(repeated) == offsets)
    }

    @Test func `is nowhere in a body of unknown length or of none`() throws {
        let plan = try FaultPlan("PutObject @body(random) reset")
        #expect(plan.begin(TestRequest(contentLength: nil))?.bodyPositions == [])
        #expect(plan.begin(TestRequest(contentLength: 0))?.bodyPositions == [])
    }
}
