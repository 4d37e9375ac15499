/// What happens to an exchange at one point, decided and counted.
package struct Strike: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// The id of the rule it comes from.
        package let rule: String
        package let action: FaultAction
        /// The how-manieth firing of that rule's counter it is, from 1.
        package let n: Int
    }

    package let point: FaultPoint
    /// Body bytes that have passed, at the points that have a position.
    package let offset: UInt64?
    /// At least one; run in this order. Only the last may end the exchange.
    package let steps: [Step]

    /// Whether the exchange is over after the last step.
    package var endsExchange: Bool { steps.last?.action.endsExchange ?? false }
}

/// Puts the steps of the rules that fire in their order: what does not end first, from every rule; then the one end.
struct StrikeBuilder {
    private var steps: [Strike.Step] = []
    private var end: Strike.Step?

    /// Whether a rule that ends the exchange has fired, so that no other such rule may.
    var hasEnd: Bool { end != nil }

    mutating func add(_ rule: ArmedRule, n: Int) {
        for action in rule.rule.actions {
            let step = Strike.Step(rule: rule.id, action: action, n: n)
            if action.endsExchange { end = step } else { steps.append(step) }
        }
    }

    func strike(at point: FaultPoint, offset: UInt64?) -> Strike? {
        let all = steps + (end.map { [$0] } ?? [])
        return all.isEmpty ? nil : Strike(point: point, offset: offset, steps: all)
    }
}
