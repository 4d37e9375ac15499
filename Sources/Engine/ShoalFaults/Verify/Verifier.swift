import ShoalS3

/// Judges checks by a journal and by what the store holds. Pure: the same evidence gives the same verdict.
package struct Verifier: Sendable {
    let history: JournalHistory
    let facts: StoreFacts
    /// The rules in force.
    let rules: [RuleStatus]
    /// Nanoseconds of the monotonic clock at which the journal was read.
    let now: UInt64

    package init(_ history: JournalHistory, facts: StoreFacts = StoreFacts(), rules: [RuleStatus] = [], now: UInt64) {
        self.history = history
        self.facts = facts
        self.rules = rules
        self.now = now
    }

    /// The verdict on the checks in their order, and on `all-fired` behind them unless that is not wanted or there.
    package func verdict(on checks: [Check], allFired: Bool = true) -> JournalVerdict {
        let asked = allFired && !checks.contains(.allFired) ? checks + [.allFired] : checks
        return JournalVerdict(asked.map(result), isComplete: history.isComplete)
    }

    private func result(_ check: Check) -> JournalVerdict.Result {
        guard history.isComplete || !check.name.readsJournal else {
            return plain(
                check, .incomplete,
                "events were dropped from the journal for want of room; reset between tests, or ask with a later since")
        }
        switch judge(check) {
        case .pass(let reason): return plain(check, .pass, reason)
        case .notApplicable(let reason): return plain(check, .notApplicable, reason)
        case .fail(let failure):
            let timeline =
                failure.attempts.isEmpty && failure.notes.isEmpty
                ? [] : Timeline(failure.attempts, title: failure.title, notes: failure.notes).lines
            return JournalVerdict.Result(
                check: check, outcome: .fail, reason: failure.reason, timeline: timeline,
                rules: failure.rules + lines(ofRulesThatStruck: failure.attempts), wouldPass: failure.wouldPass)
        }
    }

    private func plain(_ check: Check, _ outcome: JournalVerdict.Outcome, _ reason: String) -> JournalVerdict.Result {
        JournalVerdict.Result(check: check, outcome: outcome, reason: reason, timeline: [], rules: [], wouldPass: nil)
    }

    private func judge(_ check: Check) -> Judgement {
        switch check.name {
        case .oneCommit: judgeOneCommit(check)
        case .oneVersion: judgeOneVersion(check)
        case .noCommit: judgeNoCommit(check)
        case .content: judgeContent(check)
        case .attempts: judgeAttempts(check)
        case .backoff: judgeBackoff(check)
        case .honoursRetryAfter: judgeRetryAfter(check)
        case .noRetryAfter: judgeNoRetry(check)
        case .freshUrlAfter: judgeFreshURL(check)
        case .neverResent: judgeNeverResent(check)
        case .noOverlap: judgeNoOverlap(check)
        case .verifiedAfterUnknown: judgeVerifiedAfterUnknown(check)
        case .resumed: judgeResumed(check)
        case .wastedBytes: judgeWastedBytes(check)
        case .noOrphanUpload: judgeNoOrphanUpload(check)
        case .completedOnce: judgeCompletedOnce(check)
        case .notifiedAfterCommit: judgeNotifiedAfterCommit(check)
        case .quiet: judgeQuiet(check)
        case .concurrency: judgeConcurrency(check)
        case .connections: judgeConnections(check)
        case .order: judgeOrder(check)
        case .allFired: judgeAllFired()
        case .fired: judgeFired(check)
        case .readsVerified: judgeReadsVerified(check)
        case .readsFinished: judgeReadsFinished(check)
        }
    }

    private func lines(ofRulesThatStruck attempts: [Attempt]) -> [String] {
        var lines: [String] = []
        for fault in attempts.flatMap(\.faults) {
            let line = line(ofRule: fault.fault.rule)
            if !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    /// As it is in force, or as it was added, and its seed; the id alone if neither is known any more.
    func line(ofRule id: String) -> String {
        let status = rules.first { $0.rule.id == id }
        let seed = (status?.seed ?? history.ruleSeeds[id]).map { " (seed \($0))" } ?? ""
        return (status?.rule.line ?? history.ruleLines[id] ?? id) + seed
    }
}

// MARK: - What a check is about

extension Verifier {
    /// The operations a check is about.
    func operations(_ check: Check) -> [OperationHistory] {
        if let name = check.text(.op) { return history.operations.filter { $0.isCalled(name) } }
        return history.operations.filter { operation in
            operation.attempts.contains { isMeant($0, by: check) }
        }
    }

    /// Whether an attempt's object is one of those a check is about.
    func isMeant(_ attempt: Attempt, by check: Check) -> Bool {
        if let key = check.pattern(.key), !key.matches(attempt.key.map { $0.bytes[...] }) { return false }
        guard let bucket = check.pattern(.bucket) else { return true }
        return bucket.matches(attempt.head.bucket.map { Array($0.utf8)[...] })
    }

    /// All attempts about one object, of whatever operation, in order of arrival.
    struct ObjectAttempts {
        let title: String
        var attempts: [Attempt]
    }

    /// By object, for those a check is about; the attempts of the operation alone if it names one.
    func objects(_ check: Check) -> [ObjectAttempts] {
        var places: [String: Int] = [:]
        var objects: [ObjectAttempts] = []
        let attempts =
            check.has(.op)
            ? operations(check).flatMap(\.attempts) : history.attempts.filter { isMeant($0, by: check) }
        for attempt in attempts where attempt.key != nil {
            let target = attempt.target
            if let place = places[target] {
                objects[place].attempts.append(attempt)
            } else {
                places[target] = objects.count
                objects.append(ObjectAttempts(title: target, attempts: [attempt]))
            }
        }
        return objects
    }

    /// Judges each operation by itself.
    func each(_ check: Check, _ judge: (OperationHistory) -> Judgement) -> Judgement {
        .all(operations(check).map(judge), otherwise: nothing(for: check))
    }

    /// Why a check has nothing to judge.
    func nothing(for check: Check) -> String {
        if let name = check.text(.op), history.operation(called: name) == nil {
            let nearest = NearestName.of(name, among: history.operations.map(\.id))
            return "no operation is called '\(name)'" + (nearest.map { "; the nearest is '\($0)'" } ?? "")
        }
        if operations(check).isEmpty {
            return history.operations.isEmpty ? "no request came" : "no request is about such an object"
        }
        return "nothing happened that the check is about"
    }

    func failure(_ operation: OperationHistory, _ reason: String, wouldPass: String? = nil) -> Judgement {
        .fail(
            .init(
                reason: reason, title: "\(operation.title) (\(operation.id))", attempts: operation.attempts,
                wouldPass: wouldPass))
    }

    func failure(_ object: ObjectAttempts, _ reason: String, wouldPass: String? = nil) -> Judgement {
        .fail(.init(reason: reason, title: object.title, attempts: object.attempts, wouldPass: wouldPass))
    }
}

extension Attempt {
    /// `#2`, as timelines call it.
    var mark: String { "#\(ordinal)" }
}
