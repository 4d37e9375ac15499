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
}
