/// Whose requests, where in their life, what happens, how often.
///
/// A value that came from a parser or passed `validate()` is possible; `FaultPlan` takes no other.
package struct FaultRule: Hashable, Sendable {
    package static let actionCountMax = 16
    package static let idByteCountMax = 64
    package static let noteByteCountMax = 1_024

    /// The name in journal and admin API; the plan gives one if there is none.
    package var id: String?
    /// A sentence for people.
    package var note: String?
    package var match: Matcher
    package var site: FaultSite
    /// Run in order; only the last may end the exchange. Empty if there is a script.
    package var actions: [FaultAction]
    /// What happens at each match, if not always the same.
    package var script: FaultScript?
    package var count: FaultCount

    package init(
        id: String? = nil, note: String? = nil, match: Matcher = Matcher(), at site: FaultSite,
        do actions: [FaultAction], script: FaultScript? = nil, count: FaultCount? = nil
    ) {
        self.id = id
        self.note = note
        self.match = match
        self.site = site
        self.actions = actions
        self.script = script
        self.count = count ?? Self.usualCount(at: site.point)
    }

    /// `per: operation`, except before a byte is read, where no operation is known.
    package static func usualCount(at point: FaultPoint) -> FaultCount {
        FaultCount(per: point.precedesRequest ? .rule : .operation)
    }

    /// Every list of actions that the rule may run.
    package var branches: [[FaultAction]] { script?.branches ?? [actions] }

    /// Whether the rule ends an exchange that it strikes, or may.
    package var endsExchange: Bool { branches.contains { $0.last?.endsExchange ?? false } }

    /// Whether an action of it strikes only what it says itself.
    package var isConditional: Bool { branches.contains { $0.contains(where: \.isConditional) } }

    /// Whether chance has a say in it, so that the seed matters.
    package var usesChance: Bool {
        count.probability != nil || site.position == .random
            || branches.contains { $0.contains { if case .drawnDelay = $0 { true } else { false } } }
    }
}
