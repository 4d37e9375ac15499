import ShoalFaults

/// `POST …/scopes/{s}/rules` with a rule in its one-line form.
///
/// The same path takes one rule in JSON form, or a rule file (`{"shoal": 1, "rules": […]}`); `PUT` replaces all.
package struct AddRuleRequest: AdminMessage, Equatable {
    /// `PutObject photos/* @commit.after 2*reset`
    package let line: String
    package let id: String?
    package let note: String?
    /// Fires at most that often per counter; overrides the line's own count.
    package let times: Int?
    /// The first so many matches pass.
    package let skip: Int?
    /// Which counter: `rule`, `operation`, `key` or `connection`.
    package let per: String?

    package init(
        line: String, id: String? = nil, note: String? = nil, times: Int? = nil, skip: Int? = nil, per: String? = nil
    ) {
        self.line = line
        self.id = id
        self.note = note
        self.times = times
        self.skip = skip
        self.per = per
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["line", "id", "note", "times", "skip", "per"])
        line = try reader.required("line").string()
        id = try reader.member("id")?.string()
        note = try reader.member("note")?.string()
        times = try reader.member("times")?.integer()
        skip = try reader.member("skip")?.integer()
        per = try reader.member("per")?.string()
    }

    package var json: JSON {
        .members([
            ("line", .string(line)), ("id", .text(id)), ("note", .text(note)), ("times", times.map { .count($0) }),
            ("skip", skip.map { .count($0) }), ("per", .text(per)),
        ])
    }
}

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
    /// The JSON form.
    package let rule: JSON

    package init(
        id: String, line: String, note: String?, matched: Int, fired: Int, remaining: Int?, rule: JSON
    ) {
        self.id = id
        self.line = line
        self.note = note
        self.matched = matched
        self.fired = fired
        self.remaining = remaining
        self.rule = rule
    }

    /// A rule of the engine; its id is set there.
    package init(_ status: RuleStatus) {
        self.init(
            id: status.rule.id ?? "", line: status.rule.line, note: status.rule.note, matched: status.matched,
            fired: status.fired, remaining: status.remaining, rule: status.rule.json)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        id = try reader.required("id").string()
        line = try reader.required("line").string()
        note = try reader.member("note")?.string()
        matched = try reader.required("matched").integer()
        fired = try reader.required("fired").integer()
        remaining = try reader.member("remaining")?.integer()
        rule = try reader.required("rule").value
    }

    package var json: JSON {
        .members([
            ("id", .string(id)), ("line", .string(line)), ("note", .text(note)), ("matched", .count(matched)),
            ("fired", .count(fired)), ("remaining", remaining.map { .count($0) }), ("rule", rule),
        ])
    }
}

/// `GET …/scopes/{s}/rules`, and the rules that a `POST` or `PUT` put in force (201).
package struct RuleList: AdminMessage, Equatable {
    package let rules: [RuleView]

    package init(rules: [RuleView]) { self.rules = rules }

    package init(_ reader: MessageReader) throws(MalformedMessage) { rules = try reader.required("rules").list() }

    package var json: JSON { ["rules": .list(rules)] }
}
