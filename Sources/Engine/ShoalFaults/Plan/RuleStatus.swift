import ShoalJSON

/// A rule and what became of it so far.
package struct RuleStatus: Sendable, Equatable {
    /// Its id is set.
    package let rule: FaultRule
    /// Arrivals of matching requests at the rule's point.
    package let matched: Int
    package let fired: Int
    /// Firings left, none if the rule has expired; nil if unlimited or if every operation, key or connection has its own.
    package let remaining: Int?
    /// What its chances are drawn from; nil if nothing is left to chance.
    package let seed: UInt64?

    /// The rule's JSON form with `line`, `matched`, `fired`, `remaining` and, for a rule of chance, `seed` behind it.
    package var json: JSON {
        let seed = seed.map { [JSON.Member("seed", .integer(Int64(clamping: $0)))] } ?? []
        return .object(
            rule.jsonMembers + [
                JSON.Member("line", .string(rule.line)), JSON.Member("matched", .integer(Int64(matched))),
                JSON.Member("fired", .integer(Int64(fired))),
                JSON.Member("remaining", remaining.map { .integer(Int64($0)) } ?? .null),
            ] + seed)
    }
}
