import ShoalS3

/// Requests and connections meet the rules.
extension FaultPlan {
    /// Shows a request to the plan when its head is complete. Nil if nothing is armed; then the pipeline may come again
    /// at a later point, when `isArmed` has become true. `earlier` is set for a request of which more is known now.
    package func begin(
        _ subject: any FaultSubject, after earlier: ExchangeFaults? = nil, carrying carried: CarriedRules? = nil
    ) -> ExchangeFaults? {
        isArmed || carried != nil ? ExchangeFaults(self, subject, arrival: earlier?.arrival, carried) : nil
    }

    /// The rules that a request of that operation brings along in `text`. Their counters go on from one request to the
    /// next, until the rules are cleared or five hundred other texts have come.
    package func carried(_ text: String, by operation: S3Operation) throws(RuleError) -> CarriedRules {
        let key = "\(operation.rawValue) \(text)"
        if let known = state.withLock({ $0.carried.value(key) }), let known { return known }
        let read = try CarriedRules.read(text, for: operation)
        for rule in read {
            if let flaw = rule.flaw(under: security) { throw RuleError(.column(1), flaw.message) }
        }
        let rules = CarriedRules(read, seed: seed, now: now)
        return state.withLock { state in
            state.carried.update(key, from: nil) { known in
                known = known ?? rules
                return known ?? rules
            }
        }
    }

    /// Whether a request has to be shown to the plan when its first line has come.
    package var meetsRequestLines: Bool { hasLineRules.load(ordering: .acquiring) }

    /// Decides about a request of which only the first line is known.
    package func strikeRequestLine(_ subject: any FaultSubject) -> Strike? {
        guard meetsRequestLines else { return nil }
        let (rules, version, chance) = state.withLock { state in
            let rules = state.rules.filter { $0.rule.site.point == .requestLine }
            let usesChance = rules.contains { $0.usesChance }
            return (rules, self.version, usesChance ? state.lineArrivals.meet(subject, arrival: nil) : nil)
        }
        let matching = rules.filter { $0.matches(subject) }
        guard !matching.isEmpty else { return nil }
        return ExchangeFaults(self, subject, matching, version, chance).strike(at: .requestLine)
    }

    /// Decides about a connection at a point that precedes its first request. `openCount` is how many there are at its
    /// listener, with it.
    package func strike(at point: FaultPoint, _ subject: ConnectionSubject, openCount: Int = 1) -> Strike? {
        guard isArmed else { return nil }
        let rules = armedRules.filter { $0.rule.site.point == point }
        let chance = meetConnection(rules)
        var builder = StrikeBuilder()
        for rule in rules where rule.rule.match.fits(subject) {
            if builder.hasEnd && rule.endsExchange { continue }
            if let limit = rule.connectionLimit, openCount <= limit { continue }
            let key: UInt64 =
                switch rule.rule.count.per {
                case .connection: subject.connection
                case .client: SipHash.hash(of: subject.client)
                case .rule, .operation, .key: 0
                }
            builder.strike(rule, key, chance, at: now)
        }
        return builder.strike(at: point, offset: nil)
    }

    /// The rules that fit `subject` now, the version they belong to, and what chance goes by: as `known`, or counted now
    /// if a rule of chance is there, whether or not it fits.
    func match(
        _ subject: any FaultSubject, known: ChanceSubject?, arrival: UInt64?, usesChance: Bool = false
    ) -> (rules: [ArmedRule], version: UInt64, chance: ChanceSubject?) {
        let (rules, version, chance) = state.withLock { state in
            let chance =
                known ?? (state.usesChance || usesChance ? state.arrivals.meet(subject, arrival: arrival) : nil)
            return (state.rules, self.version, chance)
        }
        return (rules.filter { $0.matches(subject) }, version, chance)
    }

    /// Takes down what has become visible, for rules that wait for it. One atomic load unless one does.
    package func noteCommit(of operation: S3Operation) {
        guard awaitsCommits.load(ordering: .acquiring) else { return }
        for rule in state.withLock({ $0.rules }) { rule.noteCommit(of: operation) }
    }

    /// Whether what `rule` waits for has happened. A rule that was removed meanwhile has never fired.
    func holds(_ precedent: Matcher.Precedent, for rule: ArmedRule) -> Bool {
        switch precedent {
        case .rule(let id, let fired):
            state.withLock { state in state.rules.first { $0.id == id } }.map { $0.fired >= fired } ?? false
        case .committed(let pattern): rule.hasSeenCommit(of: pattern)
        }
    }

    func expire(_ reach: FaultAction.ExpiryReach, _ subject: some FaultSubject) {
        state.withLock { state in
            state.expired.expire(reach, subject)
            publish(&state)
        }
    }

    func revoke(_ subject: some FaultSubject) {
        guard let key = subject.accessKeyID else { return }
        state.withLock { state in
            state.revoked.update(Array(key), from: true) { _ in }
            publish(&state)
        }
    }

    func hasRevoked(_ subject: some FaultSubject) -> Bool {
        guard hasRevoked.load(ordering: .acquiring), let key = subject.accessKeyID else { return false }
        return state.withLock { $0.revoked.value(Array(key)) } != nil
    }

    func hasExpired(_ subject: some FaultSubject) -> Bool {
        guard hasExpired.load(ordering: .acquiring) else { return false }
        return state.withLock { $0.expired.contains(subject) }
    }
}
