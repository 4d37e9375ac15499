/// The parameters of one action as a form of rules gives them: texts with names, not understood yet.
///
/// The one-line form may leave names out; such values belong to the action's parameters in their order.
struct ActionParameters {
    enum Flaw: Error {
        /// The parameter that was given at this place, from 0.
        case parameter(Int, String)
        /// The action as a whole.
        case action(String)
        /// A parameter that the action cannot do without; an example says it best.
        case missing
    }

    struct Given {
        let name: String?
        let text: String
    }

    let action: FaultAction.Name
    private let given: [Given]
    private var places: [String: Int] = [:]

    init(_ action: FaultAction.Name, _ given: [Given]) throws(Flaw) {
        self.action = action
        let names = action.parameters
        self.given = given.map { parameter in
            // `sync=2s` is `syncMs`, and says its unit itself.
            let isShort = parameter.name.map { !names.contains($0) && names.contains($0 + Self.unit) } ?? false
            return isShort ? Given(name: nil, text: parameter.text) : parameter
        }
        for (place, parameter) in given.enumerated() {
            guard parameter.name != nil || place < names.count else {
                throw .parameter(place, "'\(action.rawValue)' takes \(Self.count(names.count))")
            }
            var name = parameter.name ?? names[place]
            if !names.contains(name), names.contains(name + Self.unit) { name += Self.unit }
            guard names.contains(name) else {
                throw .parameter(
                    place, ActionNotation.unknownParameter(name, of: action.rawValue, among: names))
            }
            guard places.updateValue(place, forKey: name) == nil else {
                throw .parameter(place, "'\(name)' is given twice")
            }
        }
    }

    /// Of durations, in their names.
    private static let unit = "Ms"

    private static func count(_ count: Int) -> String {
        switch count {
        case 0: "no parameter"
        case 1: "one parameter"
        default: "at most \(count) parameters"
        }
    }
}

// MARK: - Values

extension ActionParameters {
    func text(_ name: String) -> String? { places[name].map { given[$0].text } }

    /// Whether any of them is there.
    func has(_ names: String...) -> Bool { names.contains { places[$0] != nil } }

    func duration(_ name: String) throws(Flaw) -> Duration? {
        guard let place = places[name] else { return nil }
        let value = given[place]
        // A name says the unit, as in `ms=8000`; a bare value has to say it itself.
        let isNumber = value.name != nil && BytePosition.digits(value.text) != nil
        guard let milliseconds = DurationText.milliseconds(isNumber ? value.text + "ms" : value.text) else {
            throw .parameter(place, "'\(value.text)' is no duration, such as 200ms, 8s or 1m30s")
        }
        return .milliseconds(milliseconds)
    }

    func number(_ name: String) throws(Flaw) -> UInt64? {
        try value(name, "a whole number") { BytePosition.digits($0) }
    }

    /// Bytes, with or without a unit: `65536`, `64KiB`.
    func byteCount(_ name: String) throws(Flaw) -> UInt64? {
        try value(name, "a number of bytes, such as 65536 or 64KiB") { text in
            if case .bytes(let count)? = BytePosition(text) { count } else { nil }
        }
    }

    func position(_ name: String) throws(Flaw) -> BytePosition? {
        try value(name, "a position, such as 1048576, 1MiB, 50% or -1") { BytePosition($0) }
    }

    func flag(_ name: String) throws(Flaw) -> Bool? { try value(name, "true or false") { Bool($0) } }

    /// One of the words of `Word`; `what` is what they are called.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ what: String) throws(Flaw) -> Word? {
        guard let place = places[name] else { return nil }
        guard let word = Word(rawValue: given[place].text) else {
            throw .parameter(
                place, RuleError.unknown(what, given[place].text, among: Word.allCases.map(\.rawValue)))
        }
        return word
    }

    /// What `read` makes of the parameter's text; `what` says what the text should have been.
    func value<Value>(_ name: String, _ what: String, _ read: (String) -> Value?) throws(Flaw) -> Value? {
        guard let place = places[name] else { return nil }
        guard let value = read(given[place].text) else {
            throw .parameter(place, "'\(name)' is \(what), not '\(given[place].text)'")
        }
        return value
    }

    /// What is wrong with a parameter that is there.
    func flaw(_ name: String, _ message: String) -> Flaw {
        places[name].map { .parameter($0, message) } ?? .action(message)
    }

    /// `value`, which the action cannot do without.
    func needed<Value>(_ value: Value?) throws(Flaw) -> Value {
        guard let value else { throw .missing }
        return value
    }
}

/// A parameter's value as both forms print it.
enum ActionValue {
    case number(UInt64)
    case flag(Bool)
    case duration(Duration)
    case text(String)

    /// How the one-line form writes it behind its name.
    var namedText: String {
        if case .duration(let duration) = self { String(duration.wholeMilliseconds) } else { bareText }
    }

    /// How the one-line form writes it alone.
    var bareText: String {
        switch self {
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .duration(let duration): DurationText.text(milliseconds: duration.wholeMilliseconds)
        case .text(let text): QuotedText.text(text)
        }
    }
}
