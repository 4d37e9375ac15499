import ShoalJSON

extension FaultRule {
    /// Reads the JSON form and validates it; `path` leads to the value in its document.
    package init(json: JSON, at path: [String] = []) throws(RuleError) {
        self = try RuleJSONReader.read(JSONCursor(json, at: path))
    }

    /// The JSON form; reading it gives the same rule.
    package var json: JSON {
        var members: [JSON.Member] = []
        if let id { members.append(JSON.Member("id", .string(id))) }
        if let note { members.append(JSON.Member("note", .string(note))) }
        if let match = MatcherJSON.json(match) { members.append(JSON.Member("match", match)) }
        members.append(JSON.Member("at", site.json))
        if script == nil { members.append(JSON.Member("do", .array(actions.map(ActionJSON.json)))) }
        members.append(JSON.Member("count", .object(countMembers)))
        if case .schedule(let schedule) = script { members.append(JSON.Member("schedule", schedule.json)) }
        return .object(members)
    }

    private var countMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        func add(_ name: String, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        add("per", .string(count.per.rawValue))
        add("times", count.times.map { .integer(Int64($0)) })
        add("skip", count.skip == 0 ? nil : .integer(Int64(count.skip)))
        add("between", count.between.map { [.integer(Int64($0.first)), .integer(Int64($0.last))] })
        add("every", count.every.map { .integer(Int64($0)) })
        add("probability", count.probability?.json)
        add("stableKey", count.stableKey == .request ? nil : .string(count.stableKey.rawValue))
        add("budget", count.budget.map { ["firings": .integer(Int64($0.firings)), "per": .string($0.perText)] })
        add("expires", count.expires.map { .string(DurationText.text(milliseconds: $0.wholeMilliseconds)) })
        if case .sequence(let sequence) = script {
            add("sequence", .array(sequence.steps.map(Self.step)))
            add("then", sequence.then == .pass ? nil : .string(sequence.then.rawValue))
        }
        return members
    }

    private static func step(_ actions: [FaultAction]) -> JSON {
        switch actions.count {
        case 0: "pass"
        case 1: ActionJSON.json(actions[0])
        default: .array(actions.map(ActionJSON.json))
        }
    }
}

extension FaultSchedule {
    /// `[{"counter":1,"n":3,"do":[…]}]`
    fileprivate var json: JSON {
        .array(
            places.map { place in
                [
                    "counter": .integer(Int64(place.counter)), "n": .integer(Int64(place.arrival)),
                    "do": .array((actions[place] ?? []).map(ActionJSON.json)),
                ]
            })
    }
}

extension FaultSite {
    fileprivate var json: JSON {
        switch position {
        case nil: .string(point.rawValue)
        case .bytes(let count): .object([JSON.Member(point.rawValue, .integer(Int64(clamping: count)))])
        case .percent, .fromEnd, .random: .object([JSON.Member(point.rawValue, .string(position?.text ?? ""))])
        }
    }
}
