// What rules say about the port of a scope. Whoever has the port carries it out.

extension FaultPlan {
    /// A rule at `listen`: it acts by itself, from when it is put in force until it has run or is gone.
    package struct Listening: Sendable, Equatable {
        fileprivate let rule: ArmedRule

        package var id: String { rule.id }

        package static func == (left: Listening, right: Listening) -> Bool { left.rule === right.rule }
    }

    /// Those in force, in their order.
    package var listening: [Listening] {
        guard isArmed else { return [] }
        return armedRules.filter { $0.rule.site.point == .listen }.map(Listening.init)
    }

    /// What the rule does, counted as its one firing: nobody sees the SYNs that it meets. Nil if it is gone.
    package func strike(_ listening: Listening) -> Strike? {
        var builder = StrikeBuilder()
        builder.strike(listening.rule, 0, meetConnection([listening.rule]), at: now)
        return builder.strike(at: .listen, offset: nil)
    }

    /// The most connections that a rule at `accept` lets be open; nil if no rule limits them.
    package var connectionLimit: Int? {
        guard isArmed else { return nil }
        return armedRules.compactMap(\.connectionLimit).min()
    }
}
