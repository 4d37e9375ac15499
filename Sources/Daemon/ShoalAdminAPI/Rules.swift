import ShoalFaults
import ShoalJSON

/// A fault rule as it stands, with what it did so far.
package struct RuleView: AdminMessage, Equatable {
    package let id: String
    /// The one-line form.
    package let line: String
    package let note: String?
    /// Exchanges that the rule was about, whether or not it fired.
    package let matched: Int
    package let fired: Int
    /// How often it can still fire; nil without a bound, or when each operation counts for itself.
    package let remaining: Int?
    /// What its chances are drawn from; nil if nothing is left to chance.
    package let seed: UInt64?
    /// The JSON form.
    package let rule: JSON

    package init(
        id: String, line: String, note: String?, matched: Int, fired: Int, remaining: Int?, seed: UInt64? = nil,
        rule: JSON
    ) {
        self.id = id
        self.line = line
        self.note = note
        self.matched = matched
        self.fired = fired
        self.remaining = remaining
        self.seed = seed
        self.rule = rule
    }

    /// A rule of the engine; its id is set there.
    package init(_ status: RuleStatus) {
        self.init(
            id: status.rule.id ?? "", line: status.rule.line, note: status.rule.note, matched: status.matched,
            fired: status.fired, remaining: status.remaining, seed: status.seed, rule: status.rule.json)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        id = try reader.required("id").string()
        line = try reader.required("line").string()
        note = try reader.member("note")?.string()
        matched = try reader.required("matched").integer()
        fired = try reader.required("fired").integer()
        remaining = try reader.member("remaining")?.integer()
        seed = try reader.member("seed")?.integer()
        rule = try reader.required("rule").value
    }

    package var json: JSON {
        .members([
            ("id", .string(id)), ("line", .string(line)), ("note", .text(note)), ("matched", .count(matched)),
            ("fired", .count(fired)), ("remaining", remaining.map { .count($0) }), ("seed", seed.map { .count($0) }),
            ("rule", rule),
        ])
    }
}

/// `GET …/scopes/{s}/rules`, and the rules that a `POST` added (201) or a `PUT` put in place of all.
///
/// What is posted is a `RuleDocument`: a rule in JSON form, a rule file, or one-line rules.
package struct RuleList: AdminMessage, Equatable {
    package let rules: [RuleView]

    package init(rules: [RuleView]) { self.rules = rules }

    package init(_ reader: MessageReader) throws(MalformedMessage) { rules = try reader.required("rules").list() }

    package var json: JSON { ["rules": .list(rules)] }
}
