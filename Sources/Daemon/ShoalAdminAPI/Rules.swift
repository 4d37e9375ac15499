/// `POST …/scopes/{s}/rules` with a rule in its one-line form.
///
/// The same path takes one rule in JSON form, or a rule file (`{"shoal": 1, "rules": […]}`); `PUT` replaces all.
package struct AddRuleRequest: Codable, Sendable, Equatable {
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
}

/// A fault rule as it stands, with what it did so far.
package struct RuleView: Codable, Sendable, Equatable {
    package let id: String
    /// The one-line form.
    package let line: String
    package let note: String?
    /// Exchanges that the rule was about, whether or not it fired.
    package let matched: UInt64
    package let fired: UInt64
    /// How often it can still fire; nil without a bound, or when each operation counts for itself.
    package let remaining: UInt64?
    /// The JSON form.
    package let rule: JSONValue

    package init(
        id: String, line: String, note: String?, matched: UInt64, fired: UInt64, remaining: UInt64?, rule: JSONValue
    ) {
        self.id = id
        self.line = line
        self.note = note
        self.matched = matched
        self.fired = fired
        self.remaining = remaining
        self.rule = rule
    }
}

/// `GET …/scopes/{s}/rules`, and the rules that a `POST` or `PUT` put in force (201).
package struct RuleList: Codable, Sendable, Equatable {
    package let rules: [RuleView]

    package init(rules: [RuleView]) { self.rules = rules }
}
