import ShoalJSON

extension FaultRule {
    /// Reads the JSON form and validates it; `path` leads to the value in its document.
    package init(json: JSON, at path: [String] = []) throws(RuleError) {
        self = try RuleJSONReader.read(JSONCursor(json, at: path))
    }

    /// The JSON form; reading it gives the same rule.
    package var json: JSON { .object(jsonMembers) }

    /// The members of the JSON form, to be followed by others.
    package var jsonMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        if let id { members.append(JSON.Member("id", .string(id))) }
        if let note { members.append(JSON.Member("note", .string(note))) }
        if let match = MatcherJSON.json(match) { members.append(JSON.Member("match", match)) }
        members.append(JSON.Member("at", site.json))
        members.append(JSON.Member("do", .array(actions.map(ActionJSON.json))))
        var counting = [JSON.Member("per", .string(count.per.rawValue))]
        if let times = count.times { counting.append(JSON.Member("times", .integer(Int64(times)))) }
        if count.skip != 0 { counting.append(JSON.Member("skip", .integer(Int64(count.skip)))) }
        members.append(JSON.Member("count", .object(counting)))
        return members
    }
}

extension FaultSite {
    fileprivate var json: JSON {
        switch position {
        case nil: .string(point.rawValue)
        case .bytes(let count): .object([JSON.Member(point.rawValue, .integer(Int64(clamping: count)))])
        case .percent, .fromEnd: .object([JSON.Member(point.rawValue, .string(position?.text ?? ""))])
        }
    }
}
