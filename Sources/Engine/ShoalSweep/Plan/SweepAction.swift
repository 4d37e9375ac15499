import ShoalFaults

/// What a run does to the requests it strikes: the action of a rule in its one-line form, such as `hang(8s)->reset`.
package struct SweepAction: Hashable, Sendable {
    package let text: String
    /// Whether a client waits for it as long as it can wait at all, so that striking every attempt would only take longer.
    let isSilence: Bool

    /// One of each kind: RST, FIN, silence, and the answer that asks for patience.
    package static var usual: [SweepAction] {
        [
            SweepAction("reset", isSilence: false), SweepAction("close", isSilence: false),
            SweepAction("hang", isSilence: true), SweepAction("SlowDown", isSilence: false),
        ]
    }

    private init(_ text: String, isSilence: Bool) {
        self.text = text
        self.isSilence = isSilence
    }

    /// Throws, in the words of the rule's reader, for an action that is possible at no point of any request.
    package init(_ text: String) throws(SweepFlaw) {
        var reason = ""
        for site in FaultSite.usual {
            do throws(RuleError) {
                let rule = try FaultRule(line: "any @\(site.text) \(text)")
                // What stands behind the action would be an option, and those are the sweep's own.
                guard rule.match.isUnconditional, rule.count == FaultRule.usualCount(at: site.point),
                    rule.id == nil, rule.note == nil, rule.script == nil
                else { throw RuleError(.pointer(""), "only an action is due here, such as reset or hang(8s)->reset") }
                self.init(rule.actionText, isSilence: rule.actions.contains(where: \.isSilence))
                return
            } catch {
                reason = error.message
            }
        }
        throw SweepFlaw("'\(text)' is no action: \(reason)")
    }

    /// The attempts that are struck unless somebody says otherwise.
    var usualAttempts: [SweepAttempts] { isSilence ? [.first] : [.first, .all] }
}

extension FaultAction {
    fileprivate var isSilence: Bool {
        switch self {
        case .hang(nil), .blackhole: true
        default: false
        }
    }
}

/// Why a sweep cannot be planned, in words.
package struct SweepFlaw: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
