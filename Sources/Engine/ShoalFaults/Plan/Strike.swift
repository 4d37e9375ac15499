/// What happens to an exchange at one point, decided and counted.
package struct Strike: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// The id of the rule it comes from.
        package let rule: String
        /// As it is carried out: a delay of chance is drawn.
        package let action: FaultAction
        /// The how-manieth firing of that rule's counter it is, from 1.
        package let n: Int
        /// Which counter of the rule that is, from 1 in the order of their first match.
        package let counter: Int
        /// The how-manieth match of that counter it is, from 1.
        package let arrival: Int
        /// What chance said, in parts of 2^64: whether the rule fires if it has a probability, else how long the delay
        /// is or where in a body it strikes; nil if nothing was left to chance.
        package let u: UInt64?
    }

    package let point: FaultPoint
    /// Body bytes that have passed, at the points that have a position.
    package let offset: UInt64?
    /// At least one; run in this order. Only the last may end the exchange.
    package let steps: [Step]

    /// Whether the exchange is over after the last step.
    package var endsExchange: Bool { steps.last?.action.endsExchange ?? false }

    /// Whether the whole process is over after it, so that what is to be known of it has to be said before.
    package var endsProcess: Bool { if case .crash? = steps.last?.action { true } else { false } }
}

/// Puts the steps of the rules that fire in their order: what does not end first, from every rule; then the one end.
struct StrikeBuilder {
    private var steps: [Strike.Step] = []
    private var end: Strike.Step?

    /// Whether a rule that ends the exchange has fired, so that no other such rule may.
    var hasEnd: Bool { end != nil }

    /// Counts the arrival of a request at the rule, and adds the rule's steps if it fires. `chance` is set if the rule
    /// leaves anything to it.
    mutating func strike(_ rule: ArmedRule, _ key: UInt64, _ chance: ChanceSubject?, at now: UInt64) {
        let decides = rule.rule.count.probability != nil
        let u = decides ? chance?.draw(.firing, for: rule) : nil
        guard let firing = rule.strike(key, u: u ?? 0, at: now) else { return }
        let position = rule.rule.site.position == .random ? chance?.draw(.position, for: rule) : nil
        for (index, action) in firing.actions.enumerated() {
            var (drawn, action) = (u ?? position, action)
            if case .drawnDelay(let distribution) = action {
                let length = chance?.draw(.delay(index), for: rule) ?? 0
                drawn = u ?? length
                action = .delay(distribution.delay(at: length))
            }
            let step = Strike.Step(
                rule: rule.id, action: action, n: firing.n, counter: firing.counter, arrival: firing.arrival, u: drawn)
            if action.endsExchange { end = step } else { steps.append(step) }
        }
    }

    func strike(at point: FaultPoint, offset: UInt64?) -> Strike? {
        let all = steps + (end.map { [$0] } ?? [])
        return all.isEmpty ? nil : Strike(point: point, offset: offset, steps: all)
    }
}
