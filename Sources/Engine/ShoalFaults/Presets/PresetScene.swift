/// A preset with its parameters filled in: rules to put in force, and what to ask afterwards.
package struct PresetScene: Sendable {
    package let preset: Preset
    /// Every parameter with its value, in the preset's order.
    package let values: [(name: String, value: String)]
    /// The file with the values in place: one that holds rules.
    package let text: String
    package private(set) var rules: [FaultRule] = []
    /// For rules of chance; nil for the server's.
    package private(set) var seed: UInt64?
    package private(set) var clock: ScopeClock.Change?
    package private(set) var checks: [Check] = []
    /// Whether every rule has to have struck as well.
    package private(set) var allFired = true
    /// Commands to give while the app is at work, and when all is done.
    package private(set) var meanwhile: [String] = []
    package private(set) var afterwards: [String] = []

    /// Of what was given, what is not the usual.
    package var unusualValues: [(name: String, value: String)] {
        zip(values, preset.parameters).filter { $0.value != $1.usual }.map(\.0)
    }
}

extension Preset {
    /// With these values, and the usual ones in place of those that are not there. Throws for a name that is no
    /// parameter's, with the nearest one, and for a value that makes no sense.
    package func filled(with given: [(name: String, value: String)] = []) throws(PresetError) -> PresetScene {
        let names = parameters.map(\.name)
        for (index, (name, _)) in given.enumerated() {
            guard names.contains(name) else {
                guard !names.isEmpty else { throw PresetError("\(self.name) takes no parameters") }
                throw .unknown("parameter of \(self.name)", name, among: names)
            }
            if given[..<index].contains(where: { $0.name == name }) { throw PresetError("\(name) is given twice") }
        }
        var values: [(name: String, value: PresetParameter.Value)] = []
        for parameter in parameters {
            let text = given.first { $0.name == parameter.name }?.value ?? parameter.usual
            values.append((parameter.name, try parameter.value(text)))
        }
        return try PresetScene(self, values)
    }
}

// MARK: - Filling in

extension PresetScene {
    fileprivate init(_ preset: Preset, _ values: [(name: String, value: PresetParameter.Value)]) throws(PresetError) {
        var lines: [String] = []
        for line in preset.text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(Preset.parameterMark) {
                lines.append(Self.parameter(line, values, preset))
            } else {
                let isCheck = Preset.Directive.read(line)?.0 == .verify
                lines.append(try Self.fill(line, values) { isCheck ? $0.inCheck : $0.inRule })
            }
        }
        self.preset = preset
        self.values = values.map { ($0.name, $0.value.given) }
        text = lines.joined(separator: "\n")
        for line in lines { try read(line[...]) }
    }

    /// The line of a parameter, with the value that it has.
    private static func parameter(
        _ line: Substring, _ values: [(name: String, value: PresetParameter.Value)], _ preset: Preset
    ) -> String {
        let name = line.dropFirst(Preset.parameterMark.count).prefix { $0 != "=" }
        guard let parameter = preset.parameters.first(where: { $0.name == name }),
            let value = values.first(where: { $0.name == name })?.value.given, value != parameter.usual
        else { return String(line) }
        let word = Preset.parameterMark + "\(name)=\(value)"
        let column = line.count - parameter.meaning.count
        return word + String(repeating: " ", count: max(2, column - word.count)) + parameter.meaning
    }

    /// Puts values in place of `{name}`. Throws for a name that is no parameter's.
    private static func fill(
        _ line: Substring, _ values: [(name: String, value: PresetParameter.Value)],
        _ form: (PresetParameter.Value) -> String
    ) throws(PresetError) -> String {
        var text = ""
        var rest = line
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            guard let value = values.first(where: { $0.name == name })?.value else {
                throw PresetError("'{\(name)}' is no parameter")
            }
            text += rest[..<open] + form(value)
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    private mutating func read(_ line: Substring) throws(PresetError) {
        do throws(RuleError) {
            guard line.hasPrefix("#") else {
                if !line.allSatisfy({ $0 == " " }) { rules.append(try FaultRule(line: String(line))) }
                return
            }
            guard let (directive, text) = Preset.Directive.read(line) else { return }
            try apply(directive, String(text))
        } catch {
            // The column is one of a line that nobody wrote.
            throw PresetError("\(preset.name) would say '\(line)': \(error.message)")
        }
    }

    private mutating func apply(_ directive: Preset.Directive, _ text: String) throws(RuleError) {
        switch directive {
        case .verify where text == "--silent-rules": allFired = false
        case .verify: checks.append(try Check(line: text))
        case .clock: clock = try ScopeClock.Change(json: ["offset": .string(text)])
        case .seed: seed = BytePosition.digits(text)
        case .meanwhile: meanwhile.append(text)
        case .afterwards: afterwards.append(text)
        }
    }
}
