import ShoalFaults
import ShoalJSON

/// `POST …/scopes/{s}/verify`: checks in either form, judged once nothing is under way any more.
///
/// A body may name a `preset`, with its `parameters`: then that preset's checks come first.
package struct VerifyRequest: AdminMessage, Equatable {
    /// Milliseconds.
    package static let quiesceMax: UInt64 = 600_000
    package static let quiesceUsual: UInt64 = 2_000

    package let checks: [Check]
    /// Only events behind this number are looked at.
    package let since: UInt64
    /// So many milliseconds at most the verdict waits for exchanges under way.
    package let quiesceMs: UInt64
    /// Whether every rule in force has to have struck, too.
    package let allFired: Bool

    package init(
        checks: [Check], since: UInt64 = 0, quiesceMs: UInt64 = quiesceUsual, allFired: Bool = true
    ) {
        self.checks = checks
        self.since = since
        self.quiesceMs = quiesceMs
        self.allFired = allFired
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["checks", "preset", "parameters", "since", "quiesceMs", "allFired"])
        let scene = try reader.scene()
        checks = try (scene?.checks ?? []) + (reader.member("checks")?.checks() ?? [])
        since = try reader.member("since")?.integer() ?? 0
        quiesceMs = try reader.member("quiesceMs")?.milliseconds(max: Self.quiesceMax) ?? Self.quiesceUsual
        allFired = try reader.member("allFired")?.bool() ?? scene?.allFired ?? true
    }

    package var json: JSON {
        [
            "checks": .array(checks.map(\.json)), "since": .count(since), "quiesceMs": .count(quiesceMs),
            "allFired": .bool(allFired),
        ]
    }
}

/// What became of one check.
package struct CheckResultView: AdminMessage, Equatable {
    /// In its one-line form.
    package let check: String
    package let outcome: JournalVerdict.Outcome
    package let reason: String
    /// Of a failure: the attempts it rests on, drawn.
    package let timeline: [String]
    /// Of a failure: the lines of the rules that struck these attempts.
    package let rules: [String]
    /// Of a failure: the nearest thing that would have passed.
    package let wouldPass: String?

    package init(_ result: JournalVerdict.Result) {
        check = result.check.line
        outcome = result.outcome
        reason = result.reason
        timeline = result.timeline
        rules = result.rules
        wouldPass = result.wouldPass
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        check = try reader.required("check").string()
        outcome = try reader.required("outcome").choice()
        reason = try reader.required("reason").string()
        timeline = try reader.member("timeline")?.strings() ?? []
        rules = try reader.member("rules")?.strings() ?? []
        wouldPass = try reader.member("wouldPass")?.string()
    }

    package var json: JSON {
        .members([
            ("check", .string(check)), ("outcome", .string(outcome.rawValue)), ("reason", .string(reason)),
            ("timeline", timeline.isEmpty ? nil : .strings(timeline)), ("rules", rules.isEmpty ? nil : .strings(rules)),
            ("wouldPass", .text(wouldPass)),
        ])
    }
}

/// The answer to `verify`: 200 whatever the outcome is.
package struct VerdictView: AdminMessage, Equatable {
    package let outcome: JournalVerdict.Outcome
    /// Whether the only failures are rules that never struck.
    package let onlyMissesFirings: Bool
    package let results: [CheckResultView]

    package init(_ verdict: JournalVerdict) {
        outcome = verdict.outcome
        onlyMissesFirings = verdict.onlyMissesFirings
        results = verdict.results.map(CheckResultView.init)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        outcome = try reader.required("outcome").choice()
        onlyMissesFirings = try reader.required("onlyMissesFirings").bool()
        results = try reader.required("results").list()
    }

    package var json: JSON {
        [
            "outcome": .string(outcome.rawValue), "onlyMissesFirings": .bool(onlyMissesFirings),
            "results": .list(results),
        ]
    }
}

/// `POST …/scopes/{s}/wait`: the answer comes when every check passes, or when the time is over.
package struct WaitRequest: AdminMessage, Equatable {
    /// Milliseconds.
    package static let timeoutMax: UInt64 = 600_000
    package static let timeoutUsual: UInt64 = 10_000

    /// One check at least.
    package let until: [Check]
    package let since: UInt64
    package let timeoutMs: UInt64

    package init(until: [Check], since: UInt64 = 0, timeoutMs: UInt64 = timeoutUsual) {
        self.until = until
        self.since = since
        self.timeoutMs = timeoutMs
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["until", "since", "timeoutMs"])
        let condition = try reader.required("until")
        if case .array = condition.value {
            until = try condition.checks()
        } else {
            until = [try condition.check()]
        }
        guard !until.isEmpty else { throw condition.flaw("a check is due here, such as \"fired rule=lost\"") }
        since = try reader.member("since")?.integer() ?? 0
        timeoutMs = try reader.member("timeoutMs")?.milliseconds(max: Self.timeoutMax) ?? Self.timeoutUsual
    }

    package var json: JSON {
        ["until": .array(until.map(\.json)), "since": .count(since), "timeoutMs": .count(timeoutMs)]
    }
}

/// The answer to `wait`.
package struct WaitResult: AdminMessage, Equatable {
    /// False if the time was over first.
    package let met: Bool
    package let results: [CheckResultView]

    /// Met is what passes; that nothing has happened yet is no pass.
    package init(_ verdict: JournalVerdict) {
        met = verdict.results.allSatisfy { $0.outcome == .pass }
        results = verdict.results.map(CheckResultView.init)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        met = try reader.required("met").bool()
        results = try reader.required("results").list()
    }

    package var json: JSON { ["met": .bool(met), "results": .list(results)] }
}

extension MessageReader {
    /// What `preset` and `parameters` say; nil without either.
    fileprivate func scene() throws(MalformedMessage) -> PresetScene? {
        let parameters = try member("parameters")
        guard let name = try member("preset") else {
            if let parameters { throw parameters.flaw("'parameters' goes with 'preset'") }
            return nil
        }
        let (word, values) = (try name.string(), try parameters.map(Self.values) ?? [])
        do throws(PresetError) {
            return try Preset.named(word).filled(with: values)
        } catch {
            throw (error.isOfName ? name : parameters ?? name).flaw(error.description, nearest: error.nearest)
        }
    }

    private static func values(
        _ reader: MessageReader
    ) throws(MalformedMessage) -> [(name: String, value: String)] {
        try PresetParameters(reader).values
    }

    /// At most `Check.countMax` checks, each an object or a line.
    fileprivate func checks() throws(MalformedMessage) -> [Check] {
        let elements = try elements()
        guard elements.count <= Check.countMax else { throw flaw("there are more than \(Check.countMax) checks") }
        var checks: [Check] = []
        for element in elements { checks.append(try element.check()) }
        return checks
    }

    fileprivate func check() throws(MalformedMessage) -> Check {
        do throws(RuleError) {
            return try Check(json: value)
        } catch {
            let flaw = flaw(error.message)
            guard case .pointer(let inner) = error.place else { throw flaw }
            throw MalformedMessage(pointer: flaw.pointer + inner, reason: error.message)
        }
    }

    fileprivate func milliseconds(max: UInt64) throws(MalformedMessage) -> UInt64 {
        let number: UInt64 = try integer()
        guard number <= max else { throw flaw("at most \(max) milliseconds are allowed here") }
        return number
    }
}
