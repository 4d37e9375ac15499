import ShoalHTTP
import ShoalJSON
import ShoalS3

/// One element of `do` in JSON: `{"hang":{"ms":8000}}`, `"reset"`, `{"SlowDown":{"retryAfter":2}}`.
enum ActionJSON {
    static func read(_ cursor: JSONCursor) throws(RuleError) -> FaultAction {
        if case .string(let word) = cursor.value { return try action(word, nil, cursor) }
        let members = try cursor.members()
        guard let (name, value) = members.first, members.count == 1 else {
            throw cursor.flaw("one action is due here, as in {\"reset\":{}}")
        }
        return try action(name, value, value)
    }

    /// `parameters` nil if only the word was given; `place` is where to complain about the word.
    private static func action(
        _ word: String, _ parameters: JSONCursor?, _ place: JSONCursor
    ) throws(RuleError) -> FaultAction {
        if let code = S3Error.Code(rawValue: word) {
            return .respond(try answer(InjectedAnswer(code: code), word, parameters))
        }
        guard let name = FaultAction.Name(rawValue: word) else {
            throw place.flaw(ActionNotation.unknownAction(word))
        }
        switch name {
        case .respond: return .respond(try respond(parameters))
        case .respondEarly: return .respondEarly(try answer(InjectedAnswer(), word, parameters))
        case .delay: return try delay(parameters, place)
        default: return try action(name, parameters, place)
        }
    }

    private static func action(
        _ name: FaultAction.Name, _ parameters: JSONCursor?, _ place: JSONCursor
    ) throws(RuleError) -> FaultAction {
        let given = try Self.given(name, parameters)
        var texts: [ActionParameters.Given] = []
        for (parameter, cursor) in given { texts.append(.init(name: parameter, text: try text(cursor))) }
        do throws(ActionParameters.Flaw) {
            return try FaultAction(ActionParameters(name, texts))
        } catch {
            switch error {
            case .parameter(let index, let message): throw given[index].cursor.flaw(message)
            case .action(let message): throw place.flaw(message)
            case .missing: throw place.flaw(missing(name))
            }
        }
    }

    /// `{"ms":8000}`, or the bare value of the action's first parameter.
    private static func given(
        _ name: FaultAction.Name, _ cursor: JSONCursor?
    ) throws(RuleError) -> [(name: String, cursor: JSONCursor)] {
        guard let cursor else { return [] }
        if case .object = cursor.value {
            return try cursor.members(of: "'\(name.rawValue)'", among: name.parameters)
        }
        guard let first = name.parameters.first else { return try cursor.members() }
        return [(first, cursor)]
    }

    /// The value as the one-line form would write it, so that both forms judge alike.
    private static func text(_ cursor: JSONCursor) throws(RuleError) -> String {
        switch cursor.value {
        case .bool(let value): String(value)
        case .integer(let number): String(number)
        default: try cursor.string()
        }
    }

    private static func missing(_ name: FaultAction.Name) -> String {
        "'\(name.rawValue)' needs its parameter, as in \(json(.example(of: name)).text)"
    }

    /// The one parameter of an action that has one: `{"name":value}` or the bare value.
    private static func single(_ cursor: JSONCursor?, _ name: String, of action: String) throws(RuleError)
        -> JSONCursor?
    {
        guard let cursor, case .object = cursor.value else { return cursor }
        return try cursor.members(of: "'\(action)'", among: [name]).first?.cursor
    }

    private static func wait(_ action: String) -> (JSONCursor) throws(RuleError) -> Duration? {
        { (cursor) throws(RuleError) in
            guard let value = try single(cursor, "ms", of: action) else { return nil }
            if case .string(let text) = value.value {
                guard let milliseconds = DurationText.milliseconds(text) else {
                    throw value.flaw("'\(text)' is no duration, such as 200ms, 8s or 1m30s")
                }
                return .milliseconds(milliseconds)
            }
            return .milliseconds(Int64(try value.natural()))
        }
    }

    /// `{"ms":200}`, `"200ms"`, `200` or `{"lognormal":{"median":"400ms","sigma":0.8}}`.
    private static func delay(_ parameters: JSONCursor?, _ place: JSONCursor) throws(RuleError) -> FaultAction {
        if let parameters, case .object(let members) = parameters.value, members.count == 1,
            let name = DelayDistribution.Name(rawValue: members[0].name)
        {
            return .drawnDelay(try distribution(name, try parameters.members()[0].cursor))
        }
        guard let wait = try parameters.flatMap(wait("delay")) else {
            throw place.flaw(missing(.delay))
        }
        return .delay(wait)
    }

    private static func distribution(
        _ name: DelayDistribution.Name, _ cursor: JSONCursor
    ) throws(RuleError) -> DelayDistribution {
        var reading = DelayReading(name)
        for (parameter, value) in try cursor.members() {
            let text: String
            switch value.value {
            case .string(let given): text = given
            case .number(let number): text = DecimalFraction(number)?.text ?? "\(number)"
            default: text = String(try value.natural())
            }
            if let message = reading.set(parameter, text) { throw value.flaw(message) }
        }
        guard let distribution = reading.distribution else {
            throw cursor.flaw("parameters of '\(name.rawValue)' are missing; in one line it is \(reading.example)")
        }
        return distribution
    }

    /// `{"code":"SlowDown","retryAfter":2}`, or the code alone.
    private static func respond(_ parameters: JSONCursor?) throws(RuleError) -> InjectedAnswer {
        var answer = InjectedAnswer()
        guard let parameters, case .string(let code) = parameters.value else {
            return try self.answer(answer, "respond", parameters)
        }
        if let message = answer.set(.code, code) { throw parameters.flaw(message) }
        return answer
    }
}

// MARK: - Answers

extension ActionJSON {
    private static func answer(
        _ usual: InjectedAnswer, _ action: String, _ parameters: JSONCursor?
    ) throws(RuleError) -> InjectedAnswer {
        var answer = usual
        // A code that is itself the action's word is not a parameter as well.
        let names = InjectedAnswer.Parameter.allCases.map(\.rawValue).filter { usual.code == nil || $0 != "code" }
        for (name, cursor) in try parameters?.members(of: "'\(action)'", among: names) ?? [] {
            guard let parameter = InjectedAnswer.Parameter(rawValue: name) else { continue }
            if parameter == .headers {
                for (field, value) in try cursor.members() {
                    answer.fields.append(.init(name: field, value: try value.string()))
                }
            } else if let reason = answer.set(parameter, try text(of: parameter, cursor)) {
                throw cursor.flaw(reason)
            }
        }
        return answer
    }

    /// The parameter's value as the one-line form would write it, so that both forms judge alike.
    private static func text(of parameter: InjectedAnswer.Parameter, _ cursor: JSONCursor) throws(RuleError) -> String {
        switch parameter {
        case .status, .retryAfter: return String(try cursor.natural())
        case .drain:
            if case .integer = cursor.value { return String(try cursor.natural()) }
            return try cursor.string()
        case .code, .message, .headers, .contentType, .body, .then: return try cursor.string()
        }
    }

    static func json(_ action: FaultAction) -> JSON {
        switch action {
        case .respond(let answer), .respondEarly(let answer):
            return .object([JSON.Member(action.name.rawValue, json(answer))])
        case .drawnDelay(let distribution):
            return .object([JSON.Member(action.name.rawValue, distribution.json)])
        default: break
        }
        let values = zip(action.name.parameters, action.parameterValues).compactMap { name, value in
            value.map { JSON.Member(name, $0.json) }
        }
        return .object([JSON.Member(action.name.rawValue, .object(values))])
    }

    private static func json(_ answer: InjectedAnswer) -> JSON {
        var members: [JSON.Member] = []
        func add(_ parameter: InjectedAnswer.Parameter, _ value: JSON?) {
            if let value { members.append(JSON.Member(parameter.rawValue, value)) }
        }
        add(.status, answer.statusGiven.map { .integer(Int64($0.code)) })
        add(.code, answer.code.map { .string($0.rawValue) })
        add(.message, answer.message.map(JSON.string))
        add(.retryAfter, answer.retryAfter.map { .integer(Int64($0)) })
        let fields = answer.fields.map { JSON.Member($0.name, .string($0.value)) }
        add(.headers, fields.isEmpty ? nil : .object(fields))
        add(.contentType, answer.contentType.map(JSON.string))
        add(.body, answer.body.map(JSON.string))
        switch answer.drain {
        case .all: break
        case .none: add(.drain, "none")
        case .bytes(let count): add(.drain, .integer(Int64(clamping: count)))
        }
        if answer.then != .keep { add(.then, .string(answer.then.rawValue)) }
        return .object(members)
    }
}

extension ActionValue {
    fileprivate var json: JSON {
        switch self {
        case .number(let number): .integer(Int64(clamping: number))
        case .flag(let flag): .bool(flag)
        case .duration(let duration): .integer(duration.wholeMilliseconds)
        case .text(let text): .string(text)
        }
    }
}
