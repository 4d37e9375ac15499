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

        package var message: String {
            switch self {
            case .duplicateID(let id): "a rule with the id '\(id)' is already there"
            case .tooManyRules: "a scope holds at most \(FaultPlan.ruleCountMax) rules"
            case .noSuchRule(let id, let nearest):
                "no rule has the id '\(id)'" + (nearest.map { "; the nearest is '\($0)'" } ?? "")
            case .impossible(let line, let flaw): "the rule '\(line)' is impossible: \(flaw.message)"
            }
        }
    }

    private struct State {
        var rules: [ArmedRule] = []
        var expired = ExpiredSignatures()
        /// For rules without an id: r1, r2 …
        var lastNumber = 0
    }

    private let state = Mutex(State())
    /// Bit 0: something is armed. The bits above count the changes.
    private let word = Atomic<UInt64>(0)
    private let hasExpired = Atomic<Bool>(false)

    package init() {}

    /// Whether a request has to be shown to the plan at all: one atomic load.
    package var isArmed: Bool { word.load(ordering: .acquiring) & 1 == 1 }

    var version: UInt64 { word.load(ordering: .acquiring) }
}

// MARK: - Changing the rules

extension FaultPlan {
    /// Adds rules behind those that are there, all or none; the result is their ids.
    @discardableResult
    package func add(_ rules: [FaultRule]) throws(Refusal) -> [String] {
        try Self.validate(rules)
        return try state.withLock { (state) throws(Refusal) in
            let armed = try Self.arm(rules, beside: state.rules, &state.lastNumber)
            state.rules += armed
            publish(&state)
            return armed.map(\.id)
        }
    }

    @discardableResult
    package func add(_ rule: FaultRule) throws(Refusal) -> String { try add([rule])[0] }

    /// Puts `rules` in place of all that are there; their counters begin anew.
    @discardableResult
    package func replaceAll(with rules: [FaultRule]) throws(Refusal) -> [String] {
        try Self.validate(rules)
        return try state.withLock { (state) throws(Refusal) in
            let armed = try Self.arm(rules, beside: [], &state.lastNumber)
            state.rules.forEach { $0.remove() }
            state.rules = armed
            publish(&state)
            return armed.map(\.id)
        }
    }

    /// Puts `rule` in the place of the one called `id`, whose id it takes; its counters begin anew.
    package func replace(_ id: String, with rule: FaultRule) throws(Refusal) {
        try Self.validate([rule])
        try state.withLock { (state) throws(Refusal) in
            let index = try Self.index(of: id, in: state.rules)
            state.rules[index].remove()
            state.rules[index] = ArmedRule(rule, id: id)
            publish(&state)
        }
    }

    /// Once it has returned, the rule fires no more, not even for an exchange that met it.
    package func remove(_ id: String) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            let index = try Self.index(of: id, in: state.rules)
            state.rules.remove(at: index).remove()
            publish(&state)
        }
    }

    /// Removes every rule and forgets which signatures were struck.
    package func reset() {
        state.withLock { state in
            state.rules.forEach { $0.remove() }
            state = State()
            publish(&state)
        }
    }

    /// All rules in their order.
    package func list() -> [RuleStatus] { state.withLock { $0.rules }.map(\.status) }

    package func status(of id: String) throws(Refusal) -> RuleStatus {
        try state.withLock { (state) throws(Refusal) in state.rules[try Self.index(of: id, in: state.rules)] }.status
    }

    // MARK: Under the lock

    private func publish(_ state: inout State) {
        let isArmed = !state.rules.isEmpty || !state.expired.isEmpty
        hasExpired.store(!state.expired.isEmpty, ordering: .releasing)
        let version = (word.load(ordering: .relaxed) >> 1 &+ 1) << 1
        word.store(version | (isArmed ? 1 : 0), ordering: .releasing)
    }

    private static func validate(_ rules: [FaultRule]) throws(Refusal) {
        for rule in rules {
            do throws(FaultRule.Flaw) {
                try rule.validate()
            } catch {
                throw .impossible(rule.line, error)
            }
        }
    }

    private static func arm(
        _ rules: [FaultRule], beside present: [ArmedRule], _ lastNumber: inout Int
    ) throws(Refusal) -> [ArmedRule] {
        guard present.count + rules.count <= ruleCountMax else { throw .tooManyRules }
        var taken = Set(present.map(\.id))
        for id in rules.compactMap(\.id) where !taken.insert(id).inserted { throw .duplicateID(id) }
        return rules.map { rule in
            if let id = rule.id { return ArmedRule(rule, id: id) }
            repeat { lastNumber += 1 } while taken.contains("r\(lastNumber)")
            return ArmedRule(rule, id: "r\(lastNumber)")
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
    /// at a later point, when `isArmed` has become true.
    package func begin(_ subject: any FaultSubject) -> ExchangeFaults? {
        isArmed ? ExchangeFaults(self, subject) : nil
    }

    /// Decides about a connection of which nothing is known but its number.
    package func strikeAccept(connection: UInt64) -> Strike? {
        guard isArmed else { return nil }
        var builder = StrikeBuilder()
        for rule in state.withLock({ $0.rules }) where rule.rule.site.point == .accept {
            if builder.hasEnd && rule.rule.endsExchange { continue }
            if let n = rule.strike(rule.rule.count.per == .connection ? connection : 0) { builder.add(rule, n: n) }
        }
        return builder.strike(at: .accept, offset: nil)
    }

    /// The rules that fit `subject` now, and the version they belong to.
    func match(_ subject: any FaultSubject) -> (rules: [ArmedRule], version: UInt64) {
        let (rules, version) = state.withLock { ($0.rules, self.version) }
        return (rules.filter { $0.matches(subject) }, version)
    }

    func expire(_ reach: FaultAction.ExpiryReach, _ subject: some FaultSubject) {
        state.withLock { state in
            state.expired.expire(reach, subject)
            publish(&state)
        }
    }

    func hasExpired(_ subject: some FaultSubject) -> Bool {
        guard hasExpired.load(ordering: .acquiring) else { return false }
        return state.withLock { $0.expired.contains(subject) }
    }
}
