import ShoalAdminAPI
import ShoalFaults

/// What a rule may ask of this server, beside what rules may ask for at all.
extension World {
    /// Throws in words for what this server cannot do.
    func check(_ rules: [FaultRule]) throws(Problem) {
        for rule in rules where rule.endsProcess && !options.mayCrash {
            throw .badRequest(
                "the rule '\(rule.line)' would end the process, and this server runs inside of another program; start "
                    + "`shoal serve --supervise` for it")
        }
    }
}
