/// What was under way at the same time, in which order, and whether the rules struck.
extension Verifier {
    /// A client that gives up may be back before its end has been seen here.
    private static let overlapTolerance: Int64 = 5_000_000

    func judgeNoOverlap(_ check: Check) -> Judgement {
        let tolerance = check.duration(.tolerance) ?? Self.overlapTolerance
        return each(check) { operation in
            guard operation.attempts.count > 1 else { return .notApplicable("there was one attempt only") }
            var latest = operation.attempts[0]
            for attempt in operation.attempts.dropFirst() {
                let common = Int64(clamping: min(end(latest), end(attempt))) - Int64(clamping: attempt.mono)
                if common > tolerance {
                    return failure(
                        operation,
                        "\(latest.mark) and \(attempt.mark) were under way together for \(Self.text([common]))",
                        wouldPass: check.with(.tolerance, .milliseconds(common / 1_000_000 + 1)).line)
                }
                if end(attempt) > end(latest) { latest = attempt }
            }
            return .pass("the attempts of \(operation.title) came one after the other")
        }
    }

    private func end(_ attempt: Attempt) -> UInt64 { attempt.end ?? now }

    func judgeConcurrency(_ check: Check) -> Judgement {
        let allowed = check.count(.max) ?? 0
        let attempts = history.attempts
        guard !attempts.isEmpty else { return .notApplicable("no request came") }
        var running: [Attempt] = []
        var most: [Attempt] = []
        for attempt in attempts {
            running.removeAll { end($0) <= attempt.mono }
            running.append(attempt)
            if running.count > most.count { most = running }
        }
        let text = "\(most.count) \(most.count == 1 ? "request was" : "requests were") under way together"
        guard UInt64(most.count) > allowed else { return .pass(text) }
        let right = check.with(.max, .count(UInt64(most.count))).line
        return .fail(.init(reason: text, title: "under way together", attempts: most, wouldPass: right))
    }

    func judgeConnections(_ check: Check) -> Judgement {
        let allowed = check.count(.max) ?? 0
        let attempts = history.attempts
        guard !attempts.isEmpty else { return .notApplicable("no request came") }
        let firsts = Dictionary(grouping: attempts, by: \.number.connection).values.map { $0[0] }
        let text = "\(firsts.count) \(firsts.count == 1 ? "connection" : "connections") carried requests"
        guard UInt64(firsts.count) > allowed else { return .pass(text) }
        let right = check.with(.max, .count(UInt64(firsts.count))).line
        return .fail(.init(reason: text, title: "the first of each", attempts: firsts, wouldPass: right))
    }

    func judgeQuiet(_ check: Check) -> Judgement {
        let span = UInt64(clamping: check.duration(.span) ?? 0)
        let start = now > span ? now - span : 0
        let late = history.attempts.filter { $0.mono > start || $0.end == nil }
        guard let first = late.first else { return .pass("nothing arrived") }
        let age = Int64(clamping: now) - Int64(clamping: first.mono)
        let right = first.mono > start ? check.with(.span, .milliseconds(max(0, age / 1_000_000))).line : nil
        return .fail(
            .init(
                reason: "\(first.operation.rawValue) \(first.target) "
                    + (first.mono > start ? "arrived \(Self.text([age])) before the end" : "is still under way"),
                title: "what arrived", attempts: late, wouldPass: right))
    }

    func judgeOrder(_ check: Check) -> Judgement {
        let attempts = history.attempts
        var after: UInt64 = 0
        for (index, step) in check.steps.enumerated() {
            guard let found = firstArrival(of: step, after: after, among: attempts) else {
                let steps = check.steps.prefix(index).map(\.text).joined(separator: ",")
                let reason = index == 0 ? "\(step.text) never came" : "\(step.text) did not come after \(steps)"
                let right = index == 0 ? nil : check.with(.of, .steps(Array(check.steps.prefix(index)))).line
                return .fail(
                    .init(
                        reason: reason, title: "what came", attempts: attempts, notes: history.notes, wouldPass: right))
            }
            after = found
        }
        return .pass("all came in this order")
    }

    /// When the first of them came behind `mono`; requests count from their heads.
    private func firstArrival(of step: OrderedStep, after mono: UInt64, among attempts: [Attempt]) -> UInt64? {
        switch step.subject {
        case .note:
            return history.notes.first {
                $0.mono > mono && step.pattern?.matches(Array($0.text.utf8)[...]) ?? true
            }?.mono
        case .operation(let operation):
            return attempts.first { attempt in
                attempt.mono > mono && operation.contains(attempt.operation)
                    && step.pattern.map { $0.matches((attempt.key?.bytes ?? [])[...]) } ?? true
            }?.mono
        }
    }

    // MARK: Rules

    func judgeAllFired() -> Judgement {
        guard !rules.isEmpty else { return .notApplicable("no rule is in force") }
        let silent = rules.filter { $0.fired == 0 }
        guard !silent.isEmpty else {
            return .pass(rules.count == 1 ? "the rule struck" : "all \(rules.count) rules struck")
        }
        let names = silent.map { "\($0.rule.id ?? "") (matched \($0.matched))" }.joined(separator: ", ")
        return .fail(
            .init(
                reason: "never struck: \(names)", rules: silent.compactMap(\.rule.id).map(line),
                wouldPass: "a request that reaches the rule's point, or the test without the rule"))
    }

    func judgeFired(_ check: Check) -> Judgement {
        let id = check.text(.rule) ?? ""
        let status = rules.first { $0.rule.id == id }
        guard status != nil || history.ruleLines[id] != nil else {
            let known = rules.compactMap(\.rule.id) + history.ruleLines.keys.sorted()
            let nearest = NearestName.of(id, among: known).map { "; the nearest is '\($0)'" } ?? ""
            return .fail(.init(reason: "no rule has the id '\(id)'\(nearest)"))
        }
        // What was removed is known by the journal alone.
        let fired = UInt64(status?.fired ?? history.firings[id] ?? 0)
        let text = "\(id) struck \(fired) \(fired == 1 ? "time" : "times")"
        guard check.count(.n).map({ $0 == fired }) ?? (fired > 0) else {
            let right = fired > 0 ? check.with(.n, .count(fired)).line : nil
            let struck = history.attempts.filter { attempt in attempt.faults.contains { $0.fault.rule == id } }
            return .fail(
                .init(
                    reason: text, title: "what it struck", attempts: struck,
                    rules: struck.isEmpty ? [line(ofRule: id)] : [], wouldPass: right))
        }
        return .pass(text)
    }
}
