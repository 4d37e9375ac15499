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
    /// Run in order; only the last may end the exchange.
    package var actions: [FaultAction]
    package var count: FaultCount

    package init(
        id: String? = nil, note: String? = nil, match: Matcher = Matcher(), at site: FaultSite,
        do actions: [FaultAction], count: FaultCount? = nil
    ) {
        self.id = id
        self.note = note
        self.match = match
        self.site = site
        self.actions = actions
        self.count = count ?? Self.usualCount(at: site.point)
    }

    /// `per: operation`, except before a byte is read, where no operation is known.
    package static func usualCount(at point: FaultPoint) -> FaultCount {
        FaultCount(per: point == .accept ? .rule : .operation)
    }

    /// Whether the rule ends the exchange it strikes.
    package var endsExchange: Bool { actions.last?.endsExchange ?? false }
}
