/// What happens at each arrival, written down beforehand: in place of one list of actions that a count lets through.
package enum FaultScript: Hashable, Sendable {
    case sequence(FaultSequence)
    case schedule(FaultSchedule)

    /// What happens at the `arrival`th match of the counter that was the `counter`th to appear, both from 1; empty if it
    /// passes.
    package func actions(counter: Int, arrival: Int) -> [FaultAction] {
        switch self {
        case .sequence(let sequence): sequence.actions(at: arrival)
        case .schedule(let schedule): schedule.actions[.init(counter: counter, arrival: arrival)] ?? []
        }
    }

    /// The lists of actions it may run, in its order.
    package var branches: [[FaultAction]] {
        switch self {
        case .sequence(let sequence): sequence.steps
        case .schedule(let schedule): schedule.places.map { schedule.actions[$0] ?? [] }
        }
    }
}

/// One list of actions after the other, one for each match of a counter; an empty list lets the match pass.
package struct FaultSequence: Hashable, Sendable {
    package static let stepCountMax = 64

    /// What happens once every step has had its turn.
    package enum Ending: String, CaseIterable, Sendable {
        case pass
        /// From the first step on.
        case `repeat`
        /// The last step for ever.
        case last
    }

    /// 2 to 64.
    package let steps: [[FaultAction]]
    package let then: Ending

    package init(_ steps: [[FaultAction]], then: Ending = .pass) {
        self.steps = steps
        self.then = then
    }

    func actions(at ordinal: Int) -> [FaultAction] {
        let index = ordinal - 1
        guard index >= steps.count else { return index < 0 ? [] : steps[index] }
        switch then {
        case .pass: return []
        case .repeat: return steps[index % steps.count]
        case .last: return steps[steps.count - 1]
        }
    }
}

/// What became of a rule's matches in an earlier run, to be done again whatever chance would say now.
///
/// Counters are told apart by the order in which they appeared: "the third upload", since neither signatures nor
/// invocation IDs, and often not even keys, come a second time.
package struct FaultSchedule: Hashable, Sendable {
    package static let placeCountMax = 1_000

    /// One match: the `arrival`th of the counter that was the `counter`th to appear, both from 1.
    package struct Place: Hashable, Comparable, Sendable {
        package let counter: Int
        package let arrival: Int

        package init(counter: Int, arrival: Int) {
            self.counter = counter
            self.arrival = arrival
        }

        package static func < (left: Place, right: Place) -> Bool {
            (left.counter, left.arrival) < (right.counter, right.arrival)
        }
    }

    /// 1 to 1,000; a match that is not among them passes.
    package let actions: [Place: [FaultAction]]

    package init(_ actions: [Place: [FaultAction]]) { self.actions = actions }

    package var places: [Place] { actions.keys.sorted() }
}
