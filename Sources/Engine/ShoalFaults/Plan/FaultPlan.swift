import ShoalLog
import ShoalS3
import Synchronization

/// The rules of one scope, in their order of priority.
///
/// Every change is in force when its call returns, for new and for existing connections: each strike looks whether the
/// rules have changed since the exchange met them.
package final class FaultPlan: Sendable {
    package static let ruleCountMax = RuleDocument.ruleCountMax

    /// What its lock guards.
    struct State {
        var rules: [ArmedRule] = []
        var expired = ExpiredSignatures()
        /// Access keys that `revoke` took, the last 4,096 at least.
        var revoked = RecentTable<[UInt8], Bool>(halfCountMax: 4_096)
        /// Counted while a rule of chance is there.
        var arrivals = Arrivals()
        /// The same of request lines, whose requests are counted again when more is known of them.
        var lineArrivals = Arrivals()
        var usesChance = false
        /// What requests brought along, by operation and text, so that its counters outlive one request.
        var carried = RecentTable<String, CarriedRules?>(halfCountMax: 512)
        /// For rules without an id: r1, r2 …
        var lastNumber = 0
    }

    let state = Mutex(State())
    /// Bit 0: something is armed. The bits above count the changes.
    private let word = Atomic<UInt64>(0)
    let hasExpired = Atomic<Bool>(false)
    let hasRevoked = Atomic<Bool>(false)
    /// Whether a rule is at `request.line`.
    let hasLineRules = Atomic<Bool>(false)
    /// Whether a rule waits for a commit.
    let awaitsCommits = Atomic<Bool>(false)
    private let keepsPastStates = Atomic<Bool>(false)
    private let hidesAnyWrites = Atomic<Bool>(false)
    private let clock: @Sendable () -> UInt64

    /// Whether the scope has a port of its own, which rules at `listen` act on.
    private let hasPort: Bool
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    /// What chances are drawn from, unless a document of rules has a seed of its own.
    package let seed: UInt64

    let security: TransportSecurity
    /// Whether a rule may end the process.
    private let mayCrash: Bool

    /// `clock` gives nanoseconds that only grow: budgets and expiries of rules go by it. By `security` goes which rules
    /// about TLS are possible.
    package init(
        seed: UInt64 = 0, hasPort: Bool = false, security: TransportSecurity = .none, mayCrash: Bool = true,
        clock: @escaping @Sendable () -> UInt64 = SystemClock.monotonicNanoseconds
    ) {
        self.seed = seed
        self.hasPort = hasPort
        self.security = security
        self.mayCrash = mayCrash
        self.clock = clock
    }

    var now: UInt64 { clock() }

    /// Whether a request has to be shown to the plan at all: one atomic load.
    package var isArmed: Bool { word.load(ordering: .acquiring) & 1 == 1 }

    /// Whether a rule asks for what an object was before its last changes, so that those have to be noted.
    package var keepsPast: Bool { keepsPastStates.load(ordering: .acquiring) }

    /// Whether a rule hides writes from reads.
    package var hidesWrites: Bool { hidesAnyWrites.load(ordering: .acquiring) }

    var version: UInt64 { word.load(ordering: .acquiring) }

    /// `observer` is called after each change of the rules, before the call that made it returns.
    package func observe(_ observer: @escaping @Sendable () -> Void) { self.observer.withLock { $0 = observer } }

    private func tellObserver() { observer.withLock { $0 }?() }

    /// In their order.
    var armedRules: [ArmedRule] { state.withLock { $0.rules } }

    /// What chance goes by for a connection of which nothing is known; nil if none of `rules` leaves anything to it.
    func meetConnection(_ rules: [ArmedRule]) -> ChanceSubject? {
        guard rules.contains(where: \.usesChance) else { return nil }
        return state.withLock { $0.arrivals.meetConnection() }
    }
}

// MARK: - Changing the rules

extension FaultPlan {
    /// Adds rules behind those that are there, all or none; the result is their ids. `seed` nil is the plan's own.
    @discardableResult
    package func add(_ rules: [FaultRule], seed: UInt64? = nil) throws(Refusal) -> [String] {
        try validate(rules)
        defer { tellObserver() }
        return try state.withLock { (state) throws(Refusal) in
            let armed = try arm(rules, seed, beside: state.rules, &state.lastNumber)
            state.rules += armed
            publish(&state)
            return armed.map(\.id)
        }
    }

    @discardableResult
    package func add(_ rule: FaultRule) throws(Refusal) -> String { try add([rule])[0] }

    /// Adds rules as `add` does, in place of those that have the same ids.
    package func put(_ rules: [FaultRule], seed: UInt64? = nil) throws(Refusal) -> [String] {
        try validate(rules)
        defer { tellObserver() }
        let ids = Set(rules.compactMap(\.id))
        return try state.withLock { (state) throws(Refusal) in
            let others = state.rules.filter { !ids.contains($0.id) }
            let armed = try arm(rules, seed, beside: others, &state.lastNumber)
            state.rules.forEach { if ids.contains($0.id) { $0.remove() } }
            state.rules = others + armed
            publish(&state)
            return armed.map(\.id)
        }
    }

    /// Puts `rules` in place of all that are there; all counting begins anew.
    @discardableResult
    package func replaceAll(with rules: [FaultRule], seed: UInt64? = nil) throws(Refusal) -> [String] {
        try validate(rules)
        defer { tellObserver() }
        return try state.withLock { (state) throws(Refusal) in
            // Ids and ordinals begin anew, since chance goes by them: the same rules strike the same requests again.
            var lastNumber = 0
            let armed = try arm(rules, seed, beside: [], &lastNumber)
            state.rules.forEach { $0.remove() }
            state.rules = armed
            state.lastNumber = lastNumber
            state.arrivals = Arrivals()
            state.lineArrivals = Arrivals()
            publish(&state)
            return armed.map(\.id)
        }
    }

    /// Puts `rule` in the place of the one called `id`, whose id it takes; its counters begin anew.
    package func replace(_ id: String, with rule: FaultRule) throws(Refusal) {
        try validate([rule])
        defer { tellObserver() }
        try state.withLock { (state) throws(Refusal) in
            let index = try Self.index(of: id, in: state.rules)
            let others = state.rules.map(\.id).filter { $0 != id }
            try Self.requirePrecedents(of: rule, among: others)
            state.rules[index].remove()
            state.rules[index] = ArmedRule(rule, id: id, seed: state.rules[index].seed, now: now)
            publish(&state)
        }
    }

    /// Once it has returned, the rule fires no more, not even for an exchange that met it.
    package func remove(_ id: String) throws(Refusal) {
        defer { tellObserver() }
        try state.withLock { (state) throws(Refusal) in
            let index = try Self.index(of: id, in: state.rules)
            state.rules.remove(at: index).remove()
            publish(&state)
        }
    }

    /// Removes every rule and forgets which signatures were struck.
    package func reset() {
        defer { tellObserver() }
        state.withLock { state in
            state.rules.forEach { $0.remove() }
            state = State()
            publish(&state)
        }
    }

    /// All rules in their order.
    package func list() -> [RuleStatus] {
        let now = now
        return state.withLock { $0.rules }.map { $0.status(at: now) }
    }

    package func status(of id: String) throws(Refusal) -> RuleStatus {
        try state.withLock { (state) throws(Refusal) in state.rules[try Self.index(of: id, in: state.rules)] }
            .status(at: now)
    }

    // MARK: Handing over

    /// What a scope's rules have left behind, beside the rules.
    struct Leavings: Sendable {
        var lastNumber = 0
        var expired = ExpiredSignatures()
        /// Access keys.
        var revoked: [[UInt8]] = []
    }

    var leavings: Leavings {
        state.withLock { state in
            Leavings(
                lastNumber: state.lastNumber, expired: state.expired, revoked: state.revoked.entries.map(\.key))
        }
    }

    /// Puts rules in place of all that are there, with what they have counted.
    func take(_ rules: [ArmedRule], _ leavings: Leavings) {
        defer { tellObserver() }
        state.withLock { state in
            state.rules = rules
            state.lastNumber = leavings.lastNumber
            state.expired = leavings.expired
            for key in leavings.revoked { state.revoked.update(key, from: true) { _ in } }
            publish(&state)
        }
    }

    // MARK: Under the lock

    func publish(_ state: inout State) {
        let isArmed = !state.rules.isEmpty || !state.expired.isEmpty || !state.revoked.isEmpty
        state.usesChance = state.rules.contains { $0.usesChance }
        awaitsCommits.store(state.rules.contains { $0.awaitsCommit }, ordering: .releasing)
        hidesAnyWrites.store(state.rules.contains { $0.rule.hidesWrites }, ordering: .releasing)
        keepsPastStates.store(state.rules.contains { $0.needsPast }, ordering: .releasing)
        hasLineRules.store(state.rules.contains { $0.rule.site.point == .requestLine }, ordering: .releasing)
        hasRevoked.store(!state.revoked.isEmpty, ordering: .releasing)
        hasExpired.store(!state.expired.isEmpty, ordering: .releasing)
        let version = (word.load(ordering: .relaxed) >> 1 &+ 1) << 1
        word.store(version | (isArmed ? 1 : 0), ordering: .releasing)
    }

    private func validate(_ rules: [FaultRule]) throws(Refusal) {
        for rule in rules {
            if rule.site.point == .listen, !hasPort { throw .noPort(rule: rule.line) }
            if rule.endsProcess, !mayCrash { throw .noProcess(rule: rule.line) }
            do throws(FaultRule.Flaw) {
                try rule.validate()
                if let flaw = rule.flaw(under: security) { throw flaw }
            } catch {
                throw .impossible(rule.line, error)
            }
        }
    }

    private func arm(
        _ rules: [FaultRule], _ seed: UInt64?, beside present: [ArmedRule], _ lastNumber: inout Int
    ) throws(Refusal) -> [ArmedRule] {
        guard present.count + rules.count <= Self.ruleCountMax else { throw .tooManyRules }
        var taken = Set(present.map(\.id))
        for id in rules.compactMap(\.id) where !taken.insert(id).inserted { throw .duplicateID(id) }
        let now = now
        let armed = rules.map { rule in
            if let id = rule.id { return ArmedRule(rule, id: id, seed: seed ?? self.seed, now: now) }
            repeat { lastNumber += 1 } while taken.contains("r\(lastNumber)")
            return ArmedRule(rule, id: "r\(lastNumber)", seed: seed ?? self.seed, now: now)
        }
        let ids = (present + armed).map(\.id)
        for rule in rules { try Self.requirePrecedents(of: rule, among: ids) }
        return armed
    }

    /// A rule that waits for one that is not there would never fire, and nobody would know why.
    private static func requirePrecedents(of rule: FaultRule, among ids: [String]) throws(Refusal) {
        for case .rule(let id, _) in rule.match.precedents where !ids.contains(id) {
            throw .noPrecedent(rule: rule.line, awaited: id, nearest: NearestName.of(id, among: ids))
        }
    }

    private static func index(of id: String, in rules: [ArmedRule]) throws(Refusal) -> Int {
        guard let index = rules.firstIndex(where: { $0.id == id }) else {
            throw .noSuchRule(id, nearest: NearestName.of(id, among: rules.map(\.id)))
        }
        return index
    }
}
