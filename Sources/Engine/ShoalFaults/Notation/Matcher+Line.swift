extension Matcher {
    /// The words before the point: operations, and key with part number.
    var lineWords: [String] {
        var words = [operations.isEmpty ? "any" : operations.map(\.text).joined(separator: ",")]
        if key != nil || partNumber != nil {
            words.append((key.map(Self.keyText) ?? "*") + (partNumber.map { "#" + $0.lineText } ?? ""))
        }
        return words
    }

    /// In quotes where it would read like an option.
    private static func keyText(_ pattern: TextPattern) -> String {
        let text = pattern.lineText
        let name = text.prefix { $0 != "=" }
        return name.count < text.count && RuleLineReader.isOption(String(name)) ? "\"\(text)\"" : text
    }

    /// The options behind the action.
    var lineOptions: [String] {
        var options: [String] = []
        func add(_ field: Field, _ text: String?) {
            if let text { options.append("\(field.rawValue)=\(text)") }
        }
        for entry in Self.textFields where entry.field != .key { add(entry.field, self[keyPath: entry.path]?.lineText) }
        for entry in Self.numberFields where entry.field != .partNumber {
            add(entry.field, self[keyPath: entry.path]?.lineText)
        }
        for entry in Self.flagFields { add(entry.field, self[keyPath: entry.path].map(String.init)) }
        add(.ageOfUrl, ageOfUrl?.lineText)
        options += headers.map { "header.\($0.name)=\($0.pattern.lineText)" }
        options += parameters.map { "query.\($0.name)=\($0.pattern.lineText)" }
        add(.connection, connection?.rawValue)
        add(.after, after?.lineText)
        add(.any, Self.groupText(alternatives))
        add(.not, Self.groupText(exclusions))
        return options
    }

    private static func groupText(_ matchers: [Matcher]) -> String? {
        guard !matchers.isEmpty else { return nil }
        return matchers.map { matcher in
            // Without operation and key the options stand alone.
            let words = matcher.lineWords == ["any"] ? [] : matcher.lineWords
            return "(\((words + matcher.lineOptions).joined(separator: " ")))"
        }.joined(separator: "|")
    }
}
