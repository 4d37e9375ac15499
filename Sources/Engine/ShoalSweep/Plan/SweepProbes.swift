import ShoalFaults
import ShoalS3

/// A point that requests of an operation came by without any fault, on connections of one age.
package struct SweepReach: Hashable, Sendable {
    package let operation: S3Operation
    package let connection: Matcher.ConnectionAge
    package let site: FaultSite

    package init(_ operation: S3Operation, _ connection: Matcher.ConnectionAge, at site: FaultSite) {
        self.operation = operation
        self.connection = connection
        self.site = site
    }
}

/// Rules that never strike and count who comes by: the engine itself tells which points an operation reaches.
package struct SweepProbes: Sendable {
    package let rules: [FaultRule]
    private let reaches: [String: SweepReach]
    /// Operations that did not fit into one scope's rules.
    package let leftOut: [S3Operation]

    /// For every possible pair of these operations and sites.
    package init(_ operations: [S3Operation], at sites: [FaultSite]) {
        var rules: [FaultRule] = []
        var reaches: [String: SweepReach] = [:]
        var leftOut: [S3Operation] = []
        for operation in operations {
            let wanted = sites.flatMap { site in
                Matcher.ConnectionAge.allCases.map { SweepReach(operation, $0, at: site) }
            }
            guard rules.count + wanted.count <= RuleDocument.ruleCountMax else {
                leftOut.append(operation)
                continue
            }
            for reach in wanted {
                let id = "probe-\(rules.count + 1)"
                guard let rule = Self.rule(reach, id: id) else { continue }
                rules.append(rule)
                reaches[id] = reach
            }
        }
        (self.rules, self.reaches, self.leftOut) = (rules, reaches, leftOut)
    }

    /// Nil for a pair that cannot be.
    private static func rule(_ reach: SweepReach, id: String) -> FaultRule? {
        let match = Matcher(operations: [.operation(reach.operation)], connection: reach.connection)
        let rule = FaultRule(
            id: id, match: match, at: reach.site, do: [.reset],
            count: FaultCount(skip: FaultCount.numberMax, per: .rule))
        do throws(FaultRule.Flaw) {
            try rule.validate()
            return rule
        } catch {
            return nil
        }
    }

    /// What was reached, by how often each rule was matched, in the order of the operations and sites.
    package func reached(_ matched: [String: Int]) -> [SweepReach] {
        rules.compactMap { rule in
            guard let id = rule.id, matched[id] ?? 0 > 0 else { return nil }
            return reaches[id]
        }
    }
}
