import Glibc
import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalSweep

/// Runs the command once, in a scope of its own, and tells what came of it.
struct SweepRunner: Sendable {
    /// Seconds that a scope of a sweep which was killed stays, beyond the longest run.
    private static let ttl: Int64 = 3_600
    /// Milliseconds that requests under way may take to end once their command has.
    private static let quiesceMilliseconds: UInt64 = 2_000
    /// Milliseconds that a request may take from its end to the point `idle`.
    private static let idleWait: UInt64 = 500
    private static let ruleID = "sweep"

    let server: SweepServer
    let command: [String]
    let buckets: [BucketName]
    /// What is asked of each run, in addition to what a sweep looks at by itself.
    var checks: [Check]
    /// For rules of chance; nil for the server's own.
    let seed: UInt64?
    let interruption: Interruption

    /// What a run without faults tells.
    struct Rehearsal {
        let evidence: SweepEvidence
        /// By first arrival.
        let operations: [S3Operation]
        /// What tells the attempts of each apart.
        let counters: [S3Operation: FaultCount.Key]
        /// How often each rule was matched, by its id.
        let matched: [String: Int]
    }

    /// A run without faults, watched by rules that never strike. Nil if it was interrupted.
    func rehearse(number: Int, probes: [FaultRule], milliseconds: Int64) throws -> Rehearsal? {
        try inScope(number: number, milliseconds) { client, scope in
            if !probes.isEmpty { try add(probes, to: scope, client) }
            guard let result = try run(number, scope, rule: "", milliseconds) else { return nil }
            let operations = try operations(scope, client)
            let matched = try matched(scope, client)
            let byName = Dictionary(grouping: operations, by: \.operation)
            let arrived = operations.compactMap { S3Operation(rawValue: $0.operation) }
            return Rehearsal(
                evidence: try evidence(result, scope, client, operations, firings: 0),
                operations: arrived.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
                counters: Dictionary(
                    uniqueKeysWithValues: Set(arrived).map { operation in
                        let views = byName[operation.rawValue] ?? []
                        let counter = SweepPlan.counter(
                            of: operation, count: views.count, isLinked: views.contains(where: \.isLinked))
                        return (operation, counter)
                    }),
                matched: matched)
        }
    }

    /// The run of a cell. Nil if it was interrupted.
    func run(_ cell: SweepCell, milliseconds: Int64) throws -> SweepEvidence? {
        try inScope(number: cell.number, milliseconds) { client, scope in
            var rule = cell.rule
            rule.id = rule.id ?? Self.ruleID
            try add([rule], to: scope, client)
            guard let result = try run(cell.number, scope, rule: cell.rule.line, milliseconds) else { return nil }
            let operations = try operations(scope, client)
            let firings = try firings(of: rule, scope, client)
            return try evidence(result, scope, client, operations, firings: firings)
        }
    }

    // MARK: Who came by

    /// A request is over a moment before its connection waits for the next one: that point is waited for.
    private func firings(of rule: FaultRule, _ scope: ScopeView, _ client: AdminClient) throws -> Int {
        if rule.site.point == .idle, let id = rule.id {
            let struck = WaitRequest(until: [SweepOptions.check("fired rule=\(id)")], timeoutMs: Self.idleWait)
            _ = try client.send("POST", AdminPath.wait(scope.scope), body: struck.bytes, timeoutMilliseconds: 0)
        }
        return try client.get(RuleList.self, AdminPath.rules(scope.scope)).rules.reduce(0) { $0 + $1.fired }
    }

    /// How often each of the probes was matched.
    private func matched(_ scope: ScopeView, _ client: AdminClient) throws -> [String: Int] {
        let rules = try client.get(RuleList.self, AdminPath.rules(scope.scope)).rules
        return Dictionary(rules.map { ($0.id, $0.matched) }) { first, _ in first }
    }

    // MARK: The scope

    /// Makes a scope and ends it, whatever happens in it.
    private func inScope<Outcome>(
        number: Int, _ milliseconds: Int64, _ body: (AdminClient, ScopeView) throws -> Outcome?
    ) throws -> Outcome? {
        guard !interruption.isRaised else { return nil }
        let client = try server.client()
        let request = CreateScopeRequest(
            name: "sweep-\(getpid())-\(number)", buckets: buckets.map(\.text),
            ttl: Int(milliseconds / 1_000 + Self.ttl))
        let scope = try ScopeView(decoding: client.send("POST", AdminPath.scopes, body: request.bytes))
        do {
            let outcome = try body(client, scope)
            _ = try client.send("DELETE", AdminPath.scope(scope.scope))
            return outcome
        } catch {  // Passed on, once the scope is gone too; that it could not be ended is the lesser trouble.
            _ = try? client.send("DELETE", AdminPath.scope(scope.scope))
            throw error
        }
    }

    private func add(_ rules: [FaultRule], to scope: ScopeView, _ client: AdminClient) throws {
        var members: [JSON.Member] = [.init("shoal", 1), .init("rules", .array(rules.map(\.json)))]
        if let seed { members.append(.init("seed", .integer(Int64(clamping: seed)))) }
        _ = try client.send("POST", AdminPath.rules(scope.scope), body: JSON.object(members).bytes)
    }

    private func run(
        _ number: Int, _ scope: ScopeView, rule: String, _ milliseconds: Int64
    ) throws -> CommandRun.Result? {
        var variables = server.environment
        variables["AWS_ACCESS_KEY_ID"] = scope.accessKeyId
        variables["AWS_SECRET_ACCESS_KEY"] = scope.secretAccessKey
        variables["SHOAL_ACCESS_KEY"] = scope.accessKeyId
        variables["SHOAL_SECRET_KEY"] = scope.secretAccessKey
        variables["SHOAL_SCOPE"] = scope.scope
        variables["SHOAL_BUCKET"] = buckets.first?.text
        variables["SHOAL_RUN"] = String(number)
        variables["SHOAL_RULE"] = rule
        return try CommandRun(words: command, environment: variables).result(
            milliseconds: milliseconds, interruption: interruption)
    }

    // MARK: What came of it

    private func operations(_ scope: ScopeView, _ client: AdminClient) throws -> [OperationView] {
        // Nothing is under way any more once a verdict is there.
        let quiet = VerifyRequest(checks: [], quiesceMs: Self.quiesceMilliseconds, allFired: false)
        _ = try client.send("POST", AdminPath.verify(scope.scope), body: quiet.bytes, timeoutMilliseconds: 0)
        return try client.get(OperationList.self, AdminPath.operations(scope.scope)).operations
    }

    private func evidence(
        _ result: CommandRun.Result, _ scope: ScopeView, _ client: AdminClient, _ operations: [OperationView],
        firings: Int
    ) throws -> SweepEvidence {
        let request = VerifyRequest(checks: checks, quiesceMs: 0, allFired: false)
        let verdict = try VerdictView(
            decoding: client.send(
                "POST", AdminPath.verify(scope.scope), body: request.bytes, timeoutMilliseconds: 0))
        let uploads = try UploadList(decoding: client.send("GET", AdminPath.uploads(scope.scope))).uploads
        return SweepEvidence(
            ending: result.ending, milliseconds: result.milliseconds, output: result.output, firings: firings,
            objects: try objects(scope, client), openUploadCount: uploads.count,
            requests: operations.flatMap(\.requests),
            findings: verdict.results.map { .init(check: $0.check, outcome: $0.outcome, reason: $0.reason) },
            timeline: operations.flatMap(\.timeline))
    }

    private func objects(_ scope: ScopeView, _ client: AdminClient) throws -> [SweepEvidence.StoredObject] {
        var objects: [SweepEvidence.StoredObject] = []
        var after: String?
        repeat {
            let query = [("digest", "sha256"), ("limit", "10000")] + (after.map { [("after", $0)] } ?? [])
            let page = try ObjectPage(
                decoding: client.send(
                    "GET", AdminPath.objects(scope.scope), query: query, timeoutMilliseconds: 0))
            objects += page.objects.map {
                .init(bucket: $0.bucket, key: $0.key, size: $0.size, sha256: $0.sha256 ?? "")
            }
            after = page.next
        } while after != nil
        return objects
    }
}

extension OperationView {
    /// Whether its requests came with a presigned URL.
    fileprivate var isLinked: Bool { ([id] + aliases).contains { $0.hasPrefix("sig-") } }

    fileprivate var requests: [SweepEvidence.Request] {
        let target = [bucket, key].compactMap { $0 }.joined(separator: "/")
        return attempts.compactMap { attempt in
            guard let operation = S3Operation(rawValue: operation) else { return nil }
            var points: [FaultPoint] = []
            if case .array(let faults) = attempt["faults"] {
                points = faults.compactMap { $0["point"]?.text.flatMap(FaultPoint.init) }
            }
            return SweepEvidence.Request(
                operation, target: target, struckAt: points.min(), isCommitted: attempt["committed"] == true,
                etag: attempt["etag"]?.text, outcome: attempt["outcome"]?.text.flatMap(Attempt.Outcome.init))
        }
    }
}

extension JSON {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
