import ShoalJSON

/// A distribution of delays whose parameters are read one by one, in either form of a rule.
struct DelayReading {
    let name: DelayDistribution.Name
    private var durations: [DelayDistribution.Parameter: Duration] = [:]
    private var sigma: DecimalFraction?

    init(_ name: DelayDistribution.Name) { self.name = name }

    private var parameters: [DelayDistribution.Parameter] {
        switch name {
        case .uniform: [.min, .max]
        case .normal: [.mean, .deviation, .max]
        case .lognormal: [.median, .sigma, .max]
        }
    }

    /// Sets a parameter from its text, a number without a unit being milliseconds; the result says what is wrong, nil if
    /// nothing is.
    mutating func set(_ parameterName: String, _ text: String) -> String? {
        guard let parameter = parameters.first(where: { $0.rawValue == parameterName }) else {
            return ActionNotation.unknownParameter(
                parameterName, of: name.rawValue, among: parameters.map(\.rawValue))
        }
        guard durations[parameter] == nil, parameter != .sigma || sigma == nil else {
            return "'\(parameterName)' is given twice"
        }
        if parameter == .sigma {
            sigma = DecimalFraction(text)
            return sigma == nil ? "'\(text)' is no number such as 0.8" : nil
        }
        let isBare = BytePosition.digits(text) != nil
        guard let milliseconds = DurationText.milliseconds(isBare ? text + "ms" : text) else {
            return "'\(text)' is no duration, such as 200ms, 8s or 1m30s"
        }
        durations[parameter] = .milliseconds(milliseconds)
        return nil
    }

    /// Nil if a parameter is missing.
    var distribution: DelayDistribution? {
        switch name {
        case .uniform:
            guard let min = durations[.min], let max = durations[.max] else { return nil }
            return .uniform(min: min, max: max)
        case .normal:
            guard let mean = durations[.mean], let deviation = durations[.deviation] else { return nil }
            return .normal(mean: mean, deviation: deviation, max: durations[.max])
        case .lognormal:
            guard let median = durations[.median], let sigma else { return nil }
            return .lognormal(median: median, sigma: sigma, max: durations[.max])
        }
    }

    /// The action with every parameter that is needed, in the one-line form.
    var example: String {
        switch name {
        case .uniform: "delay(uniform,min=100ms,max=2s)"
        case .normal: "delay(normal,mean=400ms,deviation=100ms)"
        case .lognormal: "delay(lognormal,median=400ms,sigma=0.8)"
        }
    }
}

extension DelayDistribution {
    /// The parameters that are set, in the order of their reading.
    private var parts: [(parameter: Parameter, text: String)] {
        let (values, longest): ([(Parameter, String)], Duration?) =
            switch self {
            case .uniform(let min, let max): ([(.min, Self.text(min))], max)
            case .normal(let mean, let deviation, let max):
                ([(.mean, Self.text(mean)), (.deviation, Self.text(deviation))], max)
            case .lognormal(let median, let sigma, let max):
                ([(.median, Self.text(median)), (.sigma, sigma.text)], max)
            }
        return values + (longest.map { [(.max, Self.text($0))] } ?? [])
    }

    private static func text(_ duration: Duration) -> String {
        DurationText.text(milliseconds: duration.wholeMilliseconds)
    }

    /// `delay(lognormal,median=400ms,sigma=0.8)`
    var lineText: String {
        "delay(" + ([name.rawValue] + parts.map { "\($0.parameter.rawValue)=\($0.text)" }).joined(separator: ",") + ")"
    }

    /// `{"lognormal":{"median":"400ms","sigma":0.8}}`
    var json: JSON {
        let members = parts.map { parameter, text in
            JSON.Member(parameter.rawValue, parameter == .sigma ? DecimalFraction(text)?.json ?? .null : .string(text))
        }
        return .object([JSON.Member(name.rawValue, .object(members))])
    }
}

extension DecimalFraction {
    /// A JSON number.
    var json: JSON {
        billionths.isMultiple(of: Self.one.billionths)
            ? .integer(Int64(billionths / Self.one.billionths)) : .number(value)
    }
}
