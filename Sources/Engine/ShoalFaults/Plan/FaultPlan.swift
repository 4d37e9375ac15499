import ShoalLog
import ShoalS3
import Synchronization

/// The rules of one scope, in their order of priority.
///
/// Every change is in force when its call returns, for new and for existing connections: each strike looks whether the
/// rules have changed since the exchange met them.
package final class FaultPlan: Sendable {
    package static let ruleCountMax = RuleDocument.ruleCountMax

    package enum Refusal: Error, Equatable, Sendable {
        case duplicateID(String)
        /// More than `ruleCountMax`.
        case tooManyRules
        /// The nearest id there is, if any.
        case noSuchRule(String, nearest: String?)
        case impossible(String, FaultRule.Flaw)
        /// A rule waits for one of another id, which is not there.
        case noPrecedent(rule: String, awaited: String, nearest: String?)
        /// A rule at `listen` in a scope without a port.
        case noPort(rule: String)
        /// A rule that would end a process which is not the server's alone.
        case noProcess(rule: String)

        package var message: String {
            switch self {
            case .duplicateID(let id): "a rule with the id '\(id)' is already there"
            case .tooManyRules: "a scope holds at most \(FaultPlan.ruleCountMax) rules"
            case .noSuchRule(let id, let nearest):
                "no rule has the id '\(id)'" + (nearest.map { "; the nearest is '\($0)'" } ?? "")
            case .impossible(let line, let flaw): "the rule '\(line)' is impossible: \(flaw.message)"
            case .noPort(let line):
                "the rule '\(line)' acts on a port, and this scope has none of its own; make one that has: "
                    + "`shoal scope new NAME --port`, or {\"port\":true} in the admin API"
            case .noProcess(let line):
                "the rule '\(line)' would end the process, and this server runs inside of another program; start "
                    + "`shoal serve --supervise` for it"
            case .noPrecedent(let line, let awaited, let nearest):
                "the rule '\(line)' waits for the rule '\(awaited)', which is not there"
                    + (nearest.map { "; the nearest is '\($0)'" } ?? "")
            }
        }
    }

    private struct State {
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

    private let state = Mutex(State())
    /// Bit 0: something is armed. The bits above count the changes.
    private let word = Atomic<UInt64>(0)
    private let hasExpired = Atomic<Bool>(false)
    private let hasRevoked = Atomic<Bool>(false)
    /// Whether a rule is at `request.line`.
    private let hasLineRules = Atomic<Bool>(false)
    /// Whether a rule waits for a commit.
    private let awaitsCommits = Atomic<Bool>(false)
    private let keepsPastStates = Atomic<Bool>(false)
    private let hidesAnyWrites = Atomic<Bool>(false)
    private let clock: @Sendable () -> UInt64

    /// Whether the scope has a port of its own, which rules at `listen` act on.
    private let hasPort: Bool
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    /// What chances are drawn from, unless a document of rules has a seed of its own.
    package let seed: UInt64

    private let security: TransportSecurity
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

    private func publish(_ state: inout State) {
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

// MARK: - Meeting requests

extension FaultPlan {
    /// Shows a request to the plan when its head is complete. Nil if nothing is armed; then the pipeline may come again
    /// at a later point, when `isArmed` has become true. `earlier` is set for a request of which more is known now.
    package func begin(
        _ subject: any FaultSubject, after earlier: ExchangeFaults? = nil, carrying carried: CarriedRules? = nil
    ) -> ExchangeFaults? {
        isArmed || carried != nil ? ExchangeFaults(self, subject, arrival: earlier?.arrival, carried) : nil
    }

    /// The rules that a request of that operation brings along in `text`. Their counters go on from one request to the
    /// next, until the rules are cleared or five hundred other texts have come.
    package func carried(_ text: String, by operation: S3Operation) throws(RuleError) -> CarriedRules {
        let key = "\(operation.rawValue) \(text)"
        if let known = state.withLock({ $0.carried.value(key) }), let known { return known }
        let read = try CarriedRules.read(text, for: operation)
        for rule in read {
            if let flaw = rule.flaw(under: security) { throw RuleError(.column(1), flaw.message) }
        }
        let rules = CarriedRules(read, seed: seed, now: now)
        return state.withLock { state in
            state.carried.update(key, from: nil) { known in
                known = known ?? rules
                return known ?? rules
            }
        }
    }

    /// Whether a request has to be shown to the plan when its first line has come.
    package var meetsRequestLines: Bool { hasLineRules.load(ordering: .acquiring) }

    /// Decides about a request of which only the first line is known.
    package func strikeRequestLine(_ subject: any FaultSubject) -> Strike? {
        guard meetsRequestLines else { return nil }
        let (rules, version, chance) = state.withLock { state in
            let rules = state.rules.filter { $0.rule.site.point == .requestLine }
            let usesChance = rules.contains { $0.usesChance }
            return (rules, self.version, usesChance ? state.lineArrivals.meet(subject, arrival: nil) : nil)
        }
        let matching = rules.filter { $0.matches(subject) }
        guard !matching.isEmpty else { return nil }
        return ExchangeFaults(self, subject, matching, version, chance).strike(at: .requestLine)
    }

    /// Decides about a connection at a point that precedes its first request. `openCount` is how many there are at its
    /// listener, with it.
    package func strike(at point: FaultPoint, _ subject: ConnectionSubject, openCount: Int = 1) -> Strike? {
        guard isArmed else { return nil }
        let rules = armedRules.filter { $0.rule.site.point == point }
        let chance = meetConnection(rules)
        var builder = StrikeBuilder()
        for rule in rules where rule.rule.match.fits(subject) {
            if builder.hasEnd && rule.endsExchange { continue }
            if let limit = rule.connectionLimit, openCount <= limit { continue }
            let key: UInt64 =
                switch rule.rule.count.per {
                case .connection: subject.connection
                case .client: SipHash.hash(of: subject.client)
                case .rule, .operation, .key: 0
                }
            builder.strike(rule, key, chance, at: now)
        }
        return builder.strike(at: point, offset: nil)
    }

    /// The rules that fit `subject` now, the version they belong to, and what chance goes by: as `known`, or counted now
    /// if a rule of chance is there, whether or not it fits.
    func match(
        _ subject: any FaultSubject, known: ChanceSubject?, arrival: UInt64?, usesChance: Bool = false
    ) -> (rules: [ArmedRule], version: UInt64, chance: ChanceSubject?) {
        let (rules, version, chance) = state.withLock { state in
            let chance =
                known ?? (state.usesChance || usesChance ? state.arrivals.meet(subject, arrival: arrival) : nil)
            return (state.rules, self.version, chance)
        }
        return (rules.filter { $0.matches(subject) }, version, chance)
    }

    /// Takes down what has become visible, for rules that wait for it. One atomic load unless one does.
    package func noteCommit(of operation: S3Operation) {
        guard awaitsCommits.load(ordering: .acquiring) else { return }
        for rule in state.withLock({ $0.rules }) { rule.noteCommit(of: operation) }
    }

    /// Whether what `rule` waits for has happened. A rule that was removed meanwhile has never fired.
    func holds(_ precedent: Matcher.Precedent, for rule: ArmedRule) -> Bool {
        switch precedent {
        case .rule(let id, let fired):
            state.withLock { state in state.rules.first { $0.id == id } }.map { $0.fired >= fired } ?? false
        case .committed(let pattern): rule.hasSeenCommit(of: pattern)
        }
    }

    func expire(_ reach: FaultAction.ExpiryReach, _ subject: some FaultSubject) {
        state.withLock { state in
            state.expired.expire(reach, subject)
            publish(&state)
        }
    }

    func revoke(_ subject: some FaultSubject) {
        guard let key = subject.accessKeyID else { return }
        state.withLock { state in
            state.revoked.update(Array(key), from: true) { _ in }
            publish(&state)
        }
    }

    func hasRevoked(_ subject: some FaultSubject) -> Bool {
        guard hasRevoked.load(ordering: .acquiring), let key = subject.accessKeyID else { return false }
        return state.withLock { $0.revoked.value(Array(key)) } != nil
    }

    func hasExpired(_ subject: some FaultSubject) -> Bool {
        guard hasExpired.load(ordering: .acquiring) else { return false }
        return state.withLock { $0.expired.contains(subject) }
    }
}
