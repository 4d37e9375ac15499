import ShoalFaults
import ShoalS3

/// Which runs a sweep makes, in the order of their numbers.
package struct SweepPlan: Sendable {
    /// Runs without faults come first and take the numbers before this one.
    package static let firstNumber = 3

    package let cells: [SweepCell]

    /// What is struck how often; the usual values make about sixty runs of a client that puts one object.
    package struct Settings: Sendable {
        package var actions = SweepAction.usual
        package var sites = FaultSite.usual
        /// Nil for what suits each action.
        package var attempts: [SweepAttempts]?
        /// Empty for everything.
        package var filters: [SweepFilter] = []

        package init() {}
    }

    /// Every possible pair of what was reached with the actions, by operation, point, action and attempts.
    ///
    /// `counters`: what tells one attempt from the next, where it is not `operation`.
    package init(_ reached: [SweepReach], counters: [S3Operation: FaultCount.Key] = [:], _ settings: Settings) {
        var rules: [FaultRule] = []
        var seen: Set<FaultRule> = []
        for reach in reached where settings.filters.isEmpty || settings.filters.contains(where: { $0.lets(reach) }) {
            for action in settings.actions {
                for attempts in settings.attempts ?? action.usualAttempts {
                    let counter = counters[reach.operation] ?? .operation
                    guard let rule = Self.rule(reach, action, attempts, counter), seen.insert(rule).inserted else {
                        continue
                    }
                    rules.append(rule)
                }
            }
        }
        self.init(Self.sorted(rules, operations: reached.map(\.operation)))
    }

    /// One run for each of somebody's own rules.
    package init(_ rules: [FaultRule]) {
        cells = rules.enumerated().map { SweepCell(number: Self.firstNumber + $0.offset, rule: $0.element) }
    }

    /// What tells an attempt of an operation from the next one.
    ///
    /// Where a run without faults did it once only, everything else is a further attempt, be it under another key. A new
    /// presigned URL is a new operation to the engine, although its client is at the second attempt; keys tell these apart,
    /// but not the parts of one upload.
    package static func counter(of operation: S3Operation, count: Int, isLinked: Bool) -> FaultCount.Key {
        if count == 1 { return .rule }
        return isLinked && operation != .uploadPart ? .key : .operation
    }

    /// Nil for a pair that cannot be. Which connection the first attempt comes on is the client's doing and so part of the
    /// rule; later attempts come on any.
    private static func rule(
        _ reach: SweepReach, _ action: SweepAction, _ attempts: SweepAttempts, _ counter: FaultCount.Key
    ) -> FaultRule? {
        let connection = attempts == .first ? " connection=\(reach.connection.rawValue)" : ""
        let per = counter == .operation || attempts == .all ? "" : " per=\(counter.rawValue)"
        do throws(RuleError) {
            return try FaultRule(
                line: "\(reach.operation.rawValue) @\(reach.site.text) \(attempts.prefix)\(action.text)"
                    + connection + per)
        } catch {
            return nil
        }
    }

    /// By operation as reached, then by point; the sort keeps the order of actions.
    private static func sorted(_ rules: [FaultRule], operations: [S3Operation]) -> [FaultRule] {
        let places = rules.enumerated().map { index, rule in
            let operation = operations.firstIndex { rule.match.operations == [.operation($0)] } ?? 0
            return (operation, rule.site.point, index)
        }
        return rules.indices.sorted { places[$0] < places[$1] }.map { rules[$0] }
    }
}

extension SweepFilter {
    fileprivate func lets(_ reach: SweepReach) -> Bool { lets(reach.operation, reach.site) }
}
