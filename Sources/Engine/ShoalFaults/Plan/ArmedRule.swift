import ShoalJSON
import ShoalS3
import Synchronization

/// A rule in force, with its counters.
final class ArmedRule: Sendable {
    /// Operations or connections whose counters are remembered; a longer run forgets those not met for the longest time.
    static let counterCountMax = 65_536

    /// Its id is set.
    let rule: FaultRule
    let id: String
    /// What its chances are drawn from.
    let seed: UInt64
    let usesChance: Bool
    let endsExchange: Bool
    /// Whether it asks for something that happens after a request's head has come.
    let dependsOnEvents: Bool
    let concernsStore: Bool
    let needsPast: Bool
    /// More open connections than this are what it strikes, at `accept`.
    let connectionLimit: Int?
    /// The action that says itself what the rule strikes.
    private let condition: FaultAction?
    /// Whether it is about the signature, so that it can only strike a request that has one.
    let needsSignature: Bool
    private let armedAt: UInt64
    private let operations: Set<S3Operation>?
    let awaitsCommit: Bool
    private let counters: Mutex<Counters>

    private struct Counter {
        /// Which counter of the rule it is, from 1 in the order of their first match.
        var ordinal = 0
        var arrivals = 0
        var fired = 0
    }

    private struct Counters {
        var isRemoved = false
        var matched = 0
        var fired = 0
        var byKey = RecentTable<UInt64, Counter>(halfCountMax: counterCountMax / 2)
        var counterCount = 0
        var quota = QuotaUse()
        /// The window of the budget that began last, and what was spent in it.
        var budget = (window: UInt64(0), spent: 0)
        /// Since the rule is in force; empty unless the rule asks.
        var committed: Set<S3Operation> = []
    }

    /// `now` in nanoseconds of the plan's clock.
    convenience init(_ rule: FaultRule, id: String, seed: UInt64, now: UInt64) {
        self.init(rule, id: id, seed: seed, armedAt: now, Counters())
    }

    private init(_ rule: FaultRule, id: String, seed: UInt64, armedAt: UInt64, _ counters: Counters) {
        var named = rule
        named.id = id
        self.rule = named
        self.id = id
        self.seed = seed
        self.armedAt = armedAt
        usesChance = rule.usesChance
        endsExchange = rule.endsExchange
        dependsOnEvents = rule.match.dependsOnEvents
        condition = rule.actions.first(where: \.isConditional)
        needsSignature = rule.branches.contains { $0.last?.needsSignature ?? false }
        connectionLimit =
            rule.actions.lazy.compactMap { action in
                if case .connectionLimit(let limit) = action { Int(clamping: limit.max) } else { nil }
            }.first
        awaitsCommit = rule.match.precedents.contains { if case .committed = $0 { true } else { false } }
        concernsStore = rule.concernsStore
        needsPast = rule.needsPast
        let set = rule.match.operationSet.filter(rule.canStrike)
        operations = set.count == S3Operation.allCases.count ? nil : set
        self.counters = Mutex(counters)
    }

    /// Whether it may strike `subject`; what depends on events is left to the point.
    func matches(_ subject: some FaultSubject) -> Bool {
        if let operations, !operations.contains(subject.operation) { return false }
        return dependsOnEvents || rule.match.fits(subject)
    }

    /// A match that is struck.
    struct Firing {
        let actions: [FaultAction]
        /// How often the counter has fired with it.
        let n: Int
        let counter: Int
        let arrival: Int
    }

    /// Counts one arrival at the rule's point under `key`; nil if it passes. `u` is what chance says of it.
    ///
    /// One step for all threads, so exactly `times` fire however many arrive together. A rule that was removed fires no
    /// more once `remove()` has returned.
    func strike(_ key: UInt64, u: UInt64, at now: UInt64) -> Firing? {
        counters.withLock { counters in
            guard !counters.isRemoved, !isExpired(at: now) else { return nil }
            counters.matched += 1
            let counter = Self.count(key, in: &counters)
            let actions = rule.script?.actions(counter: counter.ordinal, arrival: counter.arrivals - rule.count.skip)
            guard actions.map({ !$0.isEmpty }) ?? passes(counter, u), spendBudget(in: &counters, at: now) else {
                return nil
            }
            counters.fired += 1
            let n = counters.byKey.update(key, from: counter) { counter in
                counter.fired += 1
                return counter.fired
            }
            return Firing(
                actions: actions ?? rule.actions, n: n, counter: counter.ordinal, arrival: counter.arrivals)
        }
    }

    private static func count(_ key: UInt64, in counters: inout Counters) -> Counter {
        let next = counters.counterCount + 1
        let counter = counters.byKey.update(key, from: Counter()) { counter in
            if counter.ordinal == 0 { counter.ordinal = next }
            counter.arrivals += 1
            return counter
        }
        if counter.ordinal == next { counters.counterCount = next }
        return counter
    }

    private func passes(_ counter: Counter, _ u: UInt64) -> Bool {
        guard rule.count.passes(counter.arrivals), rule.count.probability?.covers(u) ?? true else { return false }
        return rule.count.times.map { counter.fired < $0 } ?? true
    }

    private func spendBudget(in counters: inout Counters, at now: UInt64) -> Bool {
        guard let budget = rule.count.budget else { return true }
        let window = (now - min(armedAt, now)) / budget.per.wholeNanoseconds
        if window != counters.budget.window { counters.budget = (window, 0) }
        guard counters.budget.spent < budget.firings else { return false }
        counters.budget.spent += 1
        return true
    }

    private func isExpired(at now: UInt64) -> Bool {
        rule.count.expires.map { now >= armedAt + $0.wholeNanoseconds } ?? false
    }

    /// Whether the rule's own action strikes the request; a quota counts what it lets pass.
    func strikesItself(_ subject: some FaultSubject) -> Bool {
        switch condition {
        case .pin(let pins): subject.operation != .postObject && !pins.fit(subject)
        case .quota(let quota): counters.withLock { !$0.quota.spend(quota, on: subject) }
        default: true
        }
    }

    func remove() { counters.withLock { $0.isRemoved = true } }

    var fired: Int { counters.withLock { $0.fired } }

    func status(at now: UInt64) -> RuleStatus {
        counters.withLock { counters in
            let remaining =
                isExpired(at: now)
                ? 0 : rule.count.per == .rule ? rule.count.times.map { $0 - counters.fired } : nil
            return RuleStatus(
                rule: rule, matched: counters.matched, fired: counters.fired, remaining: remaining,
                seed: usesChance ? seed : nil)
        }
    }

    // MARK: Precedents

    func noteCommit(of operation: S3Operation) {
        guard awaitsCommit else { return }
        counters.withLock { _ = $0.committed.insert(operation) }
    }

    func hasSeenCommit(of pattern: OperationPattern) -> Bool {
        counters.withLock { $0.committed.contains { pattern.contains($0) } }
    }
}

// MARK: - Handing over

extension ArmedRule {
    /// The rule with what it has counted. The machine's monotonic clock goes on from process to process.
    var handover: JSON {
        counters.withLock { counters in
            [
                "rule": rule.json, "seed": .handed(seed), "armedAt": .handed(armedAt),
                "matched": .integer(Int64(counters.matched)), "fired": .integer(Int64(counters.fired)),
                "counterCount": .integer(Int64(counters.counterCount)),
                "window": .handed(counters.budget.window), "spent": .integer(Int64(counters.budget.spent)),
                "committed": .array(counters.committed.map { .string($0.rawValue) }),
                "counters": .array(
                    counters.byKey.entries.map { key, counter in
                        [
                            .handed(key), .integer(Int64(counter.ordinal)), .integer(Int64(counter.arrivals)),
                            .integer(Int64(counter.fired)),
                        ]
                    }),
            ]
        }
    }

    /// Throws for a rule that cannot be read.
    convenience init(handover json: JSON) throws {
        let rule = try FaultRule(json: json["rule"] ?? .null)
        func count(_ name: String) -> Int { Int(json[name]?.handedNatural ?? 0) }
        var counters = Counters()
        // What acts on a port acts on the new one from the beginning.
        guard rule.site.point != .listen else {
            self.init(
                rule, id: rule.id ?? "", seed: json["seed"]?.handedNatural ?? 0,
                armedAt: json["armedAt"]?.handedNatural ?? 0, counters)
            return
        }
        counters.matched = count("matched")
        counters.fired = count("fired")
        counters.counterCount = count("counterCount")
        counters.budget = (json["window"]?.handedNatural ?? 0, count("spent"))
        let committed = json["committed"]?.handedElements.compactMap(\.handedText) ?? []
        counters.committed = Set(committed.compactMap(S3Operation.init(rawValue:)))
        for entry in json["counters"]?.handedElements ?? [] {
            let numbers = entry.handedElements.compactMap(\.handedNatural)
            guard numbers.count == 4 else { continue }
            counters.byKey.update(numbers[0], from: Counter()) { counter in
                (counter.ordinal, counter.arrivals, counter.fired) = (Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
            }
        }
        self.init(
            rule, id: rule.id ?? "", seed: json["seed"]?.handedNatural ?? 0,
            armedAt: json["armedAt"]?.handedNatural ?? 0, counters)
    }
}

extension FaultAction {
    fileprivate var needsSignature: Bool {
        switch self {
        case .expire, .revoke, .pin: true
        default: false
        }
    }
}
