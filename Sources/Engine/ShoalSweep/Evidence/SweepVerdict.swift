import ShoalFaults

/// The outcome of a run, with its reason in a sentence.
package struct SweepVerdict: Equatable, Sendable {
    package let outcome: SweepOutcome
    package let reason: String

    package init(_ outcome: SweepOutcome, _ reason: String) {
        self.outcome = outcome
        self.reason = reason
    }

    /// Judges a run by what is stored, by what arrived and by what the command says. Pure: the same evidence gives the same
    /// verdict. What is worst counts.
    package init(on evidence: SweepEvidence, of cell: SweepCell, expecting wanted: SweepExpectation) {
        let difference = wanted.difference(evidence.objects)
        self =
            Self.unstruck(evidence) ?? Self.untimely(evidence)
            ?? Self.duplication(evidence, difference, wanted) ?? Self.lie(evidence, difference)
            ?? Self.brokenCheck(evidence, cell, wanted) ?? Self.failure(evidence, cell, difference)
            ?? Self.success(evidence, wanted)
    }

    private static func unstruck(_ evidence: SweepEvidence) -> SweepVerdict? {
        guard evidence.firings == 0 else { return nil }
        guard evidence.saysSuccess else {
            return SweepVerdict(.unsteady, "\(evidence.endingText) without having been struck")
        }
        return SweepVerdict(.notStruck, "no request came that the rule would have struck")
    }

    private static func untimely(_ evidence: SweepEvidence) -> SweepVerdict? {
        if evidence.ending == .timedOut {
            let seconds = evidence.milliseconds / 1_000
            return SweepVerdict(.hung, "still ran after \(seconds) seconds and was killed")
        }
        return evidence.crash.map { SweepVerdict(.crashed, "was ended by signal \($0)") }
    }

    private static func duplication(
        _ evidence: SweepEvidence, _ difference: SweepExpectation.Difference, _ wanted: SweepExpectation
    ) -> SweepVerdict? {
        if evidence.objects.count > wanted.objectCount {
            return SweepVerdict(.duplicated, difference.words)
        }
        let (changes, usual) = (evidence.commits.changes, wanted.commits.changes)
        guard changes > usual else { return nil }
        return SweepVerdict(.duplicated, "content was changed \(changes) times, and \(usual) times without faults")
    }

    private static func lie(
        _ evidence: SweepEvidence, _ difference: SweepExpectation.Difference
    ) -> SweepVerdict? {
        guard evidence.saysSuccess, !difference.isEmpty else { return nil }
        return SweepVerdict(.lied, "exit code 0, and \(difference.words)")
    }

    private static func brokenCheck(
        _ evidence: SweepEvidence, _ cell: SweepCell, _ wanted: SweepExpectation
    ) -> SweepVerdict? {
        let number = evidence.orphanCount
        if number > wanted.orphanCount, !cell.forbidsAborting {
            return SweepVerdict(
                .brokeCheck, "left \(number == 1 ? "an upload" : "\(number) uploads") in parts open")
        }
        let failed = evidence.findings.first { finding in
            switch finding.outcome {
            case .fail: evidence.saysSuccess || !finding.demandsSuccess
            case .incomplete: true
            case .pass, .notApplicable: false
            }
        }
        return failed.map { SweepVerdict(.brokeCheck, "\($0.check): \($0.reason)") }
    }

    private static func failure(
        _ evidence: SweepEvidence, _ cell: SweepCell, _ difference: SweepExpectation.Difference
    ) -> SweepVerdict? {
        guard !evidence.saysSuccess else { return nil }
        let stored = difference.isEmpty ? "everything is stored" : difference.words
        let reason = "\(evidence.endingText); \(stored)"
        if evidence.wasToldSuccess, difference.isEmpty { return SweepVerdict(.falseAlarm, reason) }
        let isFinal = !cell.leavesSuccess || cell.isPermanentRefusal
        return SweepVerdict(isFinal ? .gaveUp : .gaveUpEarly, reason)
    }

    private static func success(_ evidence: SweepEvidence, _ wanted: SweepExpectation) -> SweepVerdict {
        let surplus = evidence.commits.all - wanted.commits.all
        let stored = "everything is stored" + (wanted.isMoved(evidence.objects) ? ", under another key" : "")
        guard surplus > 0 else { return SweepVerdict(.survived, stored) }
        return SweepVerdict(
            .rewritten, "\(stored); \(surplus == 1 ? "once" : "\(surplus) times") the same bytes again")
    }
}

extension SweepEvidence {
    /// `exit code 56`
    package var endingText: String {
        switch ending {
        case .exit(let code): "exit code \(code)"
        case .signal(let number): "signal \(number)"
        case .timedOut: "killed"
        }
    }
}

extension SweepEvidence.Finding {
    /// Whether its check can only hold once something is stored, so that it says nothing of a command that gave up.
    fileprivate var demandsSuccess: Bool {
        switch CheckName.allCases.first(where: { $0.word == check.prefix(while: { $0 != " " }) }) {
        case .oneCommit, .oneVersion, .content, .completedOnce, .notifiedAfterCommit, .order, .readsVerified: true
        default: false
        }
    }
}
