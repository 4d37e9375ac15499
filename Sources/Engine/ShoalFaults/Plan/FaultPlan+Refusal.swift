extension FaultPlan {
    /// Why a change of the rules is not made.
    package enum Refusal: Error, Equatable, Sendable {
        case duplicateID(String)
        /// More than `ruleCountMax`.
        case tooManyRules
        /// The nearest id there is, if any.
        case noSuchRule(String, nearest: String?)
        case impossible(String, FaultRule.Flaw)
        /// A rule waits for one of another id, which is not there.
        case noPrecedent(rule: String, awaited: String, nearest: String?)
        /// A rule at `listen` in a scope without a port.
        case noPort(rule: String)
        /// A rule that would end a process which is not the server's alone.
        case noProcess(rule: String)

        package var message: String {
            switch self {
            case .duplicateID(let id): "a rule with the id '\(id)' is already there"
            case .tooManyRules: "a scope holds at most \(FaultPlan.ruleCountMax) rules"
            case .noSuchRule(let id, let nearest):
                "no rule has the id '\(id)'" + (nearest.map { "; the nearest is '\($0)'" } ?? "")
            case .impossible(let line, let flaw): "the rule '\(line)' is impossible: \(flaw.message)"
            case .noPort(let line):
                "the rule '\(line)' acts on a port, and this scope has none of its own; make one that has: "
                    + "`shoal scope new NAME --port`, or {\"port\":true} in the admin API"
            case .noProcess(let line):
                "the rule '\(line)' would end the process, and this server runs inside of another program; start "
                    + "`shoal serve --supervise` for it"
            case .noPrecedent(let line, let awaited, let nearest):
                "the rule '\(line)' waits for the rule '\(awaited)', which is not there"
                    + (nearest.map { "; the nearest is '\($0)'" } ?? "")
            }
        }
    }
}
