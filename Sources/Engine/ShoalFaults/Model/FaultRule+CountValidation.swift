extension FaultRule {
    func validateCount() throws(Flaw) {
        if let times = count.times, !(1...FaultCount.numberMax).contains(times) {
            throw Flaw(
                .times, "times is \(times), so the rule would never fire; 1 to \(FaultCount.numberMax) are possible")
        }
        guard (0...FaultCount.numberMax).contains(count.skip) else {
            throw Flaw(.skip, "skip is not between 0 and \(FaultCount.numberMax)")
        }
        try validateStages()
        try validateTime()
        try validateChance()
        if script != nil { try validateBesideScript() }
    }

    private func validateStages() throws(Flaw) {
        if let every = count.every, !(1...FaultCount.numberMax).contains(every) {
            throw Flaw(.every, "every is \(every); 1 to \(FaultCount.numberMax) are possible")
        }
        guard let between = count.between else { return }
        guard between.first >= 1, between.first <= between.last, between.last <= FaultCount.numberMax else {
            throw Flaw(
                .between, "between takes the first and the last match that may be struck, such as 4 and 6, from 1 on")
        }
        if let every = count.every, every > between.last - between.first + 1 {
            throw Flaw(.every, "fewer than \(every) matches lie between, so the rule would never fire")
        }
    }

    private func validateTime() throws(Flaw) {
        let shortest = Duration.milliseconds(1)
        if let budget = count.budget {
            guard (1...FaultCount.numberMax).contains(budget.firings), budget.per >= shortest,
                budget.per <= Self.waitMax
            else {
                throw Flaw(.budget, "a budget is 1 to \(FaultCount.numberMax) firings in 1 ms to 7 days")
            }
        }
        if let expires = count.expires, expires < shortest || expires > Self.waitMax {
            throw Flaw(.expires, "a rule expires after 1 ms to 7 days")
        }
    }

    private func validateChance() throws(Flaw) {
        if let probability = count.probability, probability > .one {
            throw Flaw(.probability, "a probability is 0 to 1, or 0% to 100%")
        }
        guard count.stableKey == .request || usesChance else {
            throw Flaw(.stableKey, "'stableKey' says what chance goes by, and nothing in this rule is left to chance")
        }
    }

    /// A sequence says itself which matches are struck, and a schedule whose they are as well.
    private func validateBesideScript() throws(Flaw) {
        let usual = FaultCount()
        var given: [(Part, String, Bool)] = [
            (.between, "between", count.between != nil), (.every, "every", count.every != nil),
            (.probability, "probability", count.probability != nil), (.times, "times", count.times != nil),
        ]
        if case .schedule = script {
            given += [
                (.skip, "skip", count.skip != usual.skip), (.budget, "budget", count.budget != nil),
                (.expires, "expires", count.expires != nil),
            ]
        }
        guard let (part, name, _) = given.first(where: { $0.2 }) else { return }
        let what = if case .schedule = script { "schedule" } else { "sequence" }
        throw Flaw(part, "a \(what) says itself which matches are struck, so '\(name)' cannot go with it")
    }
}
