/// Tells flags, values and operands apart. Pure: the environment is given.
struct ArgumentParser {
    let command: CommandDeclaration
    let environment: [String: String]

    /// Throws a `UsageError` that names the nearest flag, the missing value or the operand too many.
    func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            guard isFlag(word) else {
                operands.append(word)
                continue
            }
            if word == "--" {
                operands += rest
                break
            }
            let (option, attached) = try option(of: word)
            let value = try value(of: option, attached: attached, spelled: word, rest: &rest)
            guard option.repeats || values[option.name] == nil else {
                throw UsageError("--\(option.name) is given twice")
            }
            values[option.name, default: []].append(value)
        }
        let given = Set(values.keys)
        for option in command.options where values[option.name] == nil {
            values[option.name] = try valuesFromEnvironment(option)
        }
        try check(operands)
        return ParsedArguments(
            operands: operands, values: values, given: given, session: SessionEnvironment(environment))
    }

    /// `-20m` and `-` are operands: no flag starts with a digit.
    private func isFlag(_ word: String) -> Bool {
        word.hasPrefix("-") && word.count > 1 && !(word.dropFirst().first?.isNumber ?? false)
    }

    private func option(of word: String) throws(UsageError) -> (OptionDeclaration, attached: String?) {
        guard word.hasPrefix("--") else {
            let letter = word.dropFirst().first
            guard let option = command.options.first(where: { $0.letter == letter && letter != nil }) else {
                throw UsageError("there is no flag '\(word)'; `\(command.spelling) --help` lists them")
            }
            let attached = word.dropFirst(2)
            return (option, attached.isEmpty ? nil : String(attached))
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw .unknown("flag", "--" + name, among: command.options.map { "--" + $0.name } + ["--help"])
        }
        return (option, parts.count == 2 ? String(parts[1]) : nil)
    }

    private func value(
        of option: OptionDeclaration, attached: String?, spelled word: String, rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if option.value == .none {
            guard attached == nil else { throw UsageError("--\(option.name) takes no value") }
            return ""
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError("\(word) needs a value: \(option.value.placeholder)")
        }
        return try checked(value, of: option, in: "--\(option.name)")
    }

    private func valuesFromEnvironment(_ option: OptionDeclaration) throws(UsageError) -> [String]? {
        let names = [option.variable, option.otherVariable].compactMap { $0 }
        guard let variable = names.first(where: { environment[$0]?.isEmpty == false }),
            let text = environment[variable]
        else { return nil }
        if option.value == .none {
            switch text.lowercased() {
            case "1", "true", "yes", "on": return [""]
            case "0", "false", "no", "off": return nil
            default: throw UsageError("\(variable) is a switch: 1 or 0, not '\(text)'")
            }
        }
        guard option.repeats else { return [try checked(text, of: option, in: variable)] }
        var values: [String] = []
        for part in text.split(separator: option.variableSeparator) {
            values.append(try checked(String(part), of: option, in: variable))
        }
        return values
    }

    private func checked(_ value: String, of option: OptionDeclaration, in place: String) throws(UsageError) -> String {
        let names = option.value.choices
        guard !names.isEmpty, !names.contains(value) else { return value }
        throw .unknown("value of \(place)", value, among: names)
    }

    private func check(_ operands: [String]) throws(UsageError) {
        let required = command.operands.filter(\.isRequired).count
        if operands.count < required {
            throw UsageError("\(command.operands[operands.count].name) is missing; see `\(command.spelling) --help`")
        }
        let repeats = command.operands.contains(where: \.repeats)
        if operands.count > command.operands.count, !repeats {
            throw UsageError("'\(operands[command.operands.count])' is one argument too many")
        }
        for (operand, declaration) in zip(operands, command.operands) {
            let names = declaration.kind.choices
            guard !names.isEmpty, !names.contains(operand) else { continue }
            throw .unknown(declaration.name.lowercased(), operand, among: names)
        }
    }
}
