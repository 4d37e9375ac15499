import ShoalJSON

/// The `count` member of a rule in JSON, and `schedule`.
enum CountJSON {
    private static let names = [
        "per", "times", "once", "skip", "between", "every", "probability", "stableKey", "budget", "expires", "sequence",
        "then",
    ]

    static func read(_ cursor: JSONCursor, into rule: inout FaultRule) throws(RuleError) {
        var steps: [[FaultAction]]?
        var then: (value: FaultSequence.Ending, cursor: JSONCursor)?
        for (name, value) in try cursor.members(of: "'count'", among: names) {
            switch name {
            case "sequence": steps = try sequence(value)
            case "then": then = (try choice(value, of: "ending of a sequence"), value)
            case "times", "once": try readTimes(name, value, into: &rule.count)
            default: try readStage(name, value, into: &rule.count)
            }
        }
        if let steps { rule.script = .sequence(FaultSequence(steps, then: then?.value ?? .pass)) }
        if let then, steps == nil { throw then.cursor.flaw("'then' goes with 'sequence'") }
    }

    private static func readTimes(
        _ name: String, _ value: JSONCursor, into count: inout FaultCount
    ) throws(RuleError) {
        let times: Int? = name == "times" ? Int(try value.natural()) : try value.bool() ? 1 : nil
        guard count.times == nil || times == nil else {
            throw value.flaw("'once' is times 1, and 'times' is given too")
        }
        count.times = times ?? count.times
    }

    private static func readStage(
        _ name: String, _ value: JSONCursor, into count: inout FaultCount
    ) throws(RuleError) {
        switch name {
        case "skip": count.skip = Int(try value.natural())
        case "between": count.between = try window(value)
        case "every": count.every = Int(try value.natural())
        case "probability": count.probability = try share(value)
        case "stableKey": count.stableKey = try choice(value, of: "stable key")
        case "budget": count.budget = try budget(value)
        case "expires": count.expires = try duration(value)
        default:
            let text = try value.string()
            guard let key = FaultCount.Key(rawValue: text) else { throw value.flaw(RuleNotation.unknownCounter(text)) }
            count.per = key
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ cursor: JSONCursor, of what: String
    ) throws(RuleError) -> Choice where Choice.RawValue == String {
        let text = try cursor.string()
        guard let choice = Choice(rawValue: text) else {
            throw cursor.flaw(RuleError.unknown(what, text, among: Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    private static func window(_ cursor: JSONCursor) throws(RuleError) -> FaultCount.Window {
        let bounds = try cursor.elements()
        guard bounds.count == 2 else { throw cursor.flaw("the first and the last match are due here, as in [4,6]") }
        return FaultCount.Window(Int(try bounds[0].natural()), Int(try bounds[1].natural()))
    }

    private static func share(_ cursor: JSONCursor) throws(RuleError) -> DecimalFraction {
        switch cursor.value {
        case .integer(let number): if let share = DecimalFraction(Double(number)) { return share }
        case .number(let number): if let share = DecimalFraction(number) { return share }
        default: break
        }
        throw cursor.flaw("a number from 0 to 1 is due here, such as 0.1")
    }

    private static func budget(_ cursor: JSONCursor) throws(RuleError) -> FaultCount.Budget {
        var firings: Int?
        var per: Duration?
        for (name, value) in try cursor.members(of: "'budget'", among: ["firings", "per"]) {
            if name == "firings" { firings = Int(try value.natural()) } else { per = try window(of: value) }
        }
        guard let firings, let per else {
            throw cursor.flaw("a budget has both members, as in {\"firings\":20,\"per\":\"minute\"}")
        }
        return FaultCount.Budget(firings: firings, per: per)
    }

    private static func window(of cursor: JSONCursor) throws(RuleError) -> Duration {
        guard case .string(let text) = cursor.value else { return try duration(cursor) }
        guard let per = FaultCount.Budget.duration(text) else {
            throw cursor.flaw("'\(text)' is neither second, minute, hour or day nor a duration such as 30s")
        }
        return per
    }

    /// Text with units, or a number of milliseconds.
    private static func duration(_ cursor: JSONCursor) throws(RuleError) -> Duration {
        guard case .string(let text) = cursor.value else { return .milliseconds(Int64(try cursor.natural())) }
        guard let milliseconds = DurationText.milliseconds(text) else {
            throw cursor.flaw("'\(text)' is no duration, such as 200ms, 8s or 1m30s")
        }
        return .milliseconds(milliseconds)
    }

    // MARK: - Scripts

    /// Each step is `"pass"`, an action, or an array of actions.
    private static func sequence(_ cursor: JSONCursor) throws(RuleError) -> [[FaultAction]] {
        var steps: [[FaultAction]] = []
        for element in try cursor.elements() {
            switch element.value {
            case .string("pass"): steps.append([])
            case .array: steps.append(try RuleJSONReader.actions(element))
            default: steps.append([try ActionJSON.read(element)])
            }
        }
        return steps
    }

    static func schedule(_ cursor: JSONCursor) throws(RuleError) -> FaultSchedule {
        var places: [FaultSchedule.Place: [FaultAction]] = [:]
        for element in try cursor.elements() {
            let (place, actions) = try place(element)
            guard places.updateValue(actions, forKey: place) == nil else {
                throw element.flaw("match \(place.arrival) of counter \(place.counter) is given twice")
            }
        }
        return FaultSchedule(places)
    }

    private static func place(_ cursor: JSONCursor) throws(RuleError) -> (FaultSchedule.Place, [FaultAction]) {
        var (counter, arrival): (Int?, Int?) = (nil, nil)
        var actions: [FaultAction]?
        for (name, value) in try cursor.members(of: "a schedule's place", among: ["counter", "n", "do"]) {
            switch name {
            case "counter": counter = Int(try value.natural())
            case "n": arrival = Int(try value.natural())
            default: actions = try RuleJSONReader.actions(value)
            }
        }
        guard let counter, let arrival, let actions, counter > 0, arrival > 0 else {
            throw cursor.flaw("a place has all members, as in {\"counter\":1,\"n\":3,\"do\":[\"reset\"]}")
        }
        return (.init(counter: counter, arrival: arrival), actions)
    }
}
