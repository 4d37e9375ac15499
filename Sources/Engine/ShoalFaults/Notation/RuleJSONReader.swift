import ShoalJSON
import ShoalS3

/// Reads the JSON form of a rule:
/// `{"id","note","match":{…},"at":"commit.after"|{"body":"50%"},"do":[…],"count":{"per","times","skip",…}}`, with
/// `count.sequence` or `schedule` in place of `do` where not every match is struck alike.
struct RuleJSONReader {
    private let root: JSONCursor

    /// Reads and validates the object at `cursor`. Throws with the pointer of what is wrong.
    static func read(_ cursor: JSONCursor) throws(RuleError) -> FaultRule {
        let rule = try RuleJSONReader(root: cursor).rule()
        do throws(FaultRule.Flaw) {
            try rule.validate()
        } catch {
            throw RuleError(.pointer(JSONPointer.text(cursor.path + rule.path(to: error.part))), error.message)
        }
        return rule
    }

    private func rule() throws(RuleError) -> FaultRule {
        var id: String?
        var note: String?
        var match = Matcher()
        var site: FaultSite?
        var actions: [FaultAction]?
        var count: JSONCursor?
        var schedule: JSONCursor?
        let names = ["id", "note", "match", "at", "do", "count", "schedule"]
        for (name, cursor) in try root.members(of: "a rule", among: names) {
            switch name {
            case "id": id = try cursor.string()
            case "note": note = try cursor.string()
            case "match": match = try MatcherJSON.read(cursor)
            case "at": site = try Self.site(cursor)
            case "do": actions = try Self.actions(cursor)
            case "schedule": schedule = cursor
            default: count = cursor
            }
        }
        guard let site else { throw root.flaw("a rule needs 'at', such as \"commit.after\"") }
        var rule = FaultRule(id: id, note: note, match: match, at: site, do: actions ?? [])
        if let count { try CountJSON.read(count, into: &rule) }
        if let schedule {
            guard rule.script == nil else { throw schedule.flaw("a rule has either a sequence or a schedule") }
            rule.script = .schedule(try CountJSON.schedule(schedule))
        }
        guard actions != nil || rule.script != nil else {
            throw root.flaw("a rule needs 'do', such as [{\"reset\":{}}]")
        }
        return rule
    }

    // MARK: - Members

    /// `"commit.after"`, `"body.at(50%)"`, `{"body":"50%"}` or `{"body.at":1048576}`.
    private static func site(_ cursor: JSONCursor) throws(RuleError) -> FaultSite {
        guard case .object = cursor.value else {
            let text = try cursor.string()
            guard let open = text.firstIndex(of: "("), text.last == ")" else {
                return FaultSite(try point(text, cursor))
            }
            let position = text[text.index(after: open)...].dropLast()
            return FaultSite(try point(String(text[..<open]), cursor), try Self.position(String(position), cursor))
        }
        let members = try cursor.members()
        guard let (name, value) = members.first, members.count == 1 else {
            throw cursor.flaw("one point is due here, as in {\"body\":\"50%\"}")
        }
        let point = try point(name, value)
        if case .integer(let number) = value.value { return FaultSite(point, try position(String(number), value)) }
        return FaultSite(point, try position(try value.string(), value))
    }

    private static func point(_ name: String, _ cursor: JSONCursor) throws(RuleError) -> FaultPoint {
        guard let point = FaultPoint.named(name) else {
            throw cursor.flaw(RuleError.unknown("point", name, among: FaultPoint.names))
        }
        return point
    }

    private static func position(_ text: String, _ cursor: JSONCursor) throws(RuleError) -> BytePosition {
        guard let position = BytePosition(text) else {
            throw cursor.flaw("'\(text)' is no position, such as 1048576, \"50%\", -1 or \"random\"")
        }
        return position
    }

    static func actions(_ cursor: JSONCursor) throws(RuleError) -> [FaultAction] {
        var actions: [FaultAction] = []
        for element in try cursor.elements() { actions.append(try ActionJSON.read(element)) }
        return actions
    }
}

extension FaultRule {
    /// The way from the rule's object to the part.
    fileprivate func path(to part: Part) -> [String] {
        switch part {
        case .id: ["id"]
        case .note: ["note"]
        case .at: ["at"]
        case .actions: ["do"]
        case .skip: ["count", "skip"]
        case .between: ["count", "between"]
        case .every: ["count", "every"]
        case .probability: ["count", "probability"]
        case .stableKey: ["count", "stableKey"]
        case .times: ["count", "times"]
        case .budget: ["count", "budget"]
        case .expires: ["count", "expires"]
        case .per: ["count", "per"]
        case .sequence: ["count", "sequence"]
        case .then: ["count", "then"]
        case .schedule: ["schedule"]
        case .action(let index): ["do", String(index)]
        case .branch(let number, let index): path(toBranch: number, action: index)
        case .match(let field): ["match", field.rawValue]
        case .header(let name): ["match", "header", name]
        case .query(let name): ["match", "query", name]
        case .nested(let field, let index, let inner):
            ["match", field.rawValue, String(index)] + path(to: inner).dropFirst()
        }
    }

    private func path(toBranch number: Int, action index: Int) -> [String] {
        switch script {
        case .schedule: ["schedule", String(number), "do", String(index)]
        case .sequence(let sequence) where sequence.steps[number].count > 1:
            ["count", "sequence", String(number), String(index)]
        case .sequence, nil: ["count", "sequence", String(number)]
        }
    }
}
