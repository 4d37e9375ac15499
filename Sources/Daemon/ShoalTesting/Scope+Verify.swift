import ShoalAdminAPI
import ShoalFaults

extension Shoal {
    /// Whether the client did right.
    public struct Verdict: Sendable, CustomStringConvertible {
        public enum Outcome: String, Sendable {
            case pass, fail
            /// Nothing happened that the check is about.
            case notApplicable
            /// Events were dropped from the journal for want of room, so that it proves nothing.
            case incomplete
        }

        public struct Result: Sendable {
            /// In its one-line form.
            public let check: String
            public let outcome: Outcome
            public let reason: String
            /// Of a failure: the rules that struck, the attempts it rests on, and what would have passed.
            public let evidence: [String]

            init(_ view: CheckResultView) {
                check = view.check
                outcome = Outcome(view.outcome)
                reason = view.reason
                evidence =
                    view.rules.map { "rule: \($0)" } + view.timeline
                    + (view.wouldPass.map { ["would pass: \($0)"] } ?? [])
            }
        }

        /// One for each check, and for `all-fired`.
        public let results: [Result]

        /// No check failed, and the journal is whole.
        public var isGood: Bool { results.allSatisfy { $0.outcome == .pass || $0.outcome == .notApplicable } }

        /// For the message of a failed test.
        public var description: String {
            results.flatMap {
                ["\($0.outcome.rawValue)  \($0.check): \($0.reason)"] + $0.evidence.map { "      \($0)" }
            }
            .joined(separator: "\n")
        }
    }
}

extension Shoal.Verdict.Outcome {
    fileprivate init(_ outcome: JournalVerdict.Outcome) {
        switch outcome {
        case .pass: self = .pass
        case .fail: self = .fail
        case .notApplicable: self = .notApplicable
        case .incomplete: self = .incomplete
        }
    }
}

extension Shoal.Scope {
    /// Judges what the client did, by the journal and by what is stored: checks such as `one-commit key=a.jpg` or
    /// `backoff min=1s`, and besides that every rule struck. `shoal verify --help` lists them all.
    ///
    /// It waits first until requests under way have ended, for `patience` at most. Throws for a check that is none.
    ///
    /// ```swift
    /// let verdict = try scope.verify("one-commit key=a.jpg", "no-orphan-upload")
    /// #expect(verdict.isGood, "\\(verdict)")
    /// ```
    public func verify(
        _ checks: String..., since sequence: UInt64 = 0, patience: Duration = .seconds(2),
        silentRulesAreFine: Bool = false
    ) throws -> Shoal.Verdict {
        let wanted = VerifyRequest(
            checks: try checks.map(Shoal.check), since: sequence,
            quiesceMs: min(VerifyRequest.quiesceMax, UInt64(max(0, patience.milliseconds))),
            allFired: !silentRulesAreFine)
        let verdict: VerdictView = try shoal.ask(.post, path("verify"), wanted.bytes)
        return Shoal.Verdict(results: verdict.results.map(Shoal.Verdict.Result.init))
    }

    /// Judges what the client did under a preset, by the checks that the preset implies; where it says so, rules need not
    /// have struck. Parameters are those of `preset(_:_:)`.
    ///
    /// ```swift
    /// try scope.preset("lost-answer")
    /// // … let the app upload …
    /// let verdict = try scope.verify(preset: "lost-answer")
    /// #expect(verdict.isGood, "\\(verdict)")
    /// ```
    public func verify(
        preset name: String, _ parameters: [String: String] = [:], since sequence: UInt64 = 0,
        patience: Duration = .seconds(2)
    ) throws -> Shoal.Verdict {
        let scene: PresetScene
        do throws(PresetError) {
            scene = try Preset.named(name).filled(
                with: parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        } catch {
            throw ShoalError(error.description)
        }
        let wanted = VerifyRequest(
            checks: scene.checks, since: sequence,
            quiesceMs: min(VerifyRequest.quiesceMax, UInt64(max(0, patience.milliseconds))), allFired: scene.allFired)
        let verdict: VerdictView = try shoal.ask(.post, path("verify"), wanted.bytes)
        return Shoal.Verdict(results: verdict.results.map(Shoal.Verdict.Result.init))
    }

    /// Waits until every one of these checks passes, for `timeout` at most; whether they do.
    public func wait(until checks: String..., timeout: Duration = .seconds(10)) throws -> Bool {
        let wanted = WaitRequest(
            until: try checks.map(Shoal.check),
            timeoutMs: min(WaitRequest.timeoutMax, UInt64(max(0, timeout.milliseconds))))
        let result: WaitResult = try shoal.ask(.post, path("wait"), wanted.bytes)
        return result.met
    }

    /// Puts a sentence of the test among the events of the journal, for checks such as `notified-after-commit`.
    public func note(_ text: String) throws {
        try shoal.send(.post, path("notes"), NoteRequest(text: text).bytes)
    }
}

extension Shoal {
    fileprivate static func check(_ line: String) throws(ShoalError) -> Check {
        do throws(RuleError) {
            return try Check(line: line)
        } catch {
            throw ShoalError("\(error) in '\(line)'")
        }
    }
}
