/// What became of all checks together.
package struct JournalVerdict: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case pass, fail
        /// Nothing happened that the check is about.
        case notApplicable
        /// Events were dropped from the journal for want of room, so that it proves nothing.
        case incomplete
    }

    package let results: [Result]

    /// One failure fails all; a gap in the journal lets nothing pass.
    package let outcome: Outcome

    /// Whether the only failures are rules that never struck: the test did not test what it should.
    package var onlyMissesFirings: Bool {
        outcome == .fail
            && results.allSatisfy { $0.outcome != .fail || $0.check.name == .allFired || $0.check.name == .fired }
    }

    init(_ results: [Result], isComplete: Bool) {
        self.results = results
        if results.contains(where: { $0.outcome == .fail }) {
            outcome = .fail
        } else if !isComplete || results.contains(where: { $0.outcome == .incomplete }) {
            outcome = .incomplete
        } else {
            outcome = .pass
        }
    }

    /// One check's part.
    package struct Result: Sendable {
        package let check: Check
        package let outcome: Outcome
        /// In one sentence.
        package let reason: String
        /// Of a failure: the attempts it rests on, drawn.
        package let timeline: [String]
        /// Of a failure: the lines of the rules that struck these attempts.
        package let rules: [String]
        /// Of a failure: the nearest thing that would have passed; a check in its one-line form, or a sentence.
        package let wouldPass: String?
    }
}

/// What a check says about one operation or object.
enum Judgement {
    case pass(String)
    case fail(Failure)
    case notApplicable(String)

    struct Failure {
        var reason: String
        /// What the failure rests on.
        var title = ""
        var attempts: [Attempt] = []
        var notes: [JournalHistory.Note] = []
        var rules: [String] = []
        var wouldPass: String?
    }

    /// One for many: the first failure, with how many others there are; else a pass; else that nothing applies.
    static func all(_ judgements: [Judgement], otherwise nothing: String) -> Judgement {
        var failures: [Failure] = []
        var passes: [String] = []
        for judgement in judgements {
            switch judgement {
            case .pass(let reason): passes.append(reason)
            case .fail(let failure): failures.append(failure)
            case .notApplicable: break
            }
        }
        if var first = failures.first {
            if failures.count > 1 { first.reason += "; \(failures.count - 1) more like it" }
            return .fail(first)
        }
        guard let first = passes.first else { return .notApplicable(nothing) }
        return .pass(passes.count == 1 ? first : "held \(passes.count) times; " + first)
    }
}
