/// `--help`, from the declaration.
enum HelpText {
    /// Columns that text is wrapped at.
    private static let width = 100

    static func of(_ command: CommandDeclaration) -> String {
        var sections = [command.summary + "\n\n  " + usage(command)]
        if !command.discussion.isEmpty { sections.append(wrap(command.discussion, indent: 0)) }
        if !command.operands.isEmpty {
            sections.append(section("Arguments", command.operands.map { ($0.name, $0.summary) }))
        }
        let options = command.options.map { (spelling($0), description($0)) }
        sections.append(section("Flags", options + [("-h, --help", "this text")]))
        if !command.examples.isEmpty {
            let examples = command.examples.map { "  \($0.command)\n" + wrap($0.meaning, indent: 6) }
            sections.append("Examples:\n" + examples.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// What there is: of everything with an empty `prefix`, or of a group such as `fault`.
    static func overview(_ commands: [CommandDeclaration], prefix: [String], about: String) -> String {
        let members = commands.filter { $0.path.starts(with: prefix) }
        let rows = members.map { ($0.path.joined(separator: " "), $0.summary) }
        let name = (["shoal"] + prefix).joined(separator: " ")
        return """
            \(about)

            \(section("Commands", rows))

            `\(name) COMMAND --help` tells more, with examples.
            Every flag can be set in the environment: --access-key is SHOAL_ACCESS_KEY; the flag wins.
            Exit codes: 0 done, or all checks hold; 1 a check failed; 2 not understood; 3 a rule never fired;
            4 the server said no, or could not be reached or started.

            """
    }

    private static func usage(_ command: CommandDeclaration) -> String {
        let operands = command.operands.map { operand in
            let name = operand.name + (operand.repeats ? "..." : "")
            return operand.isRequired ? name : "[\(name)]"
        }
        return ([command.spelling] + operands + ["[flags]"]).joined(separator: " ")
    }

    private static func spelling(_ option: OptionDeclaration) -> String {
        let letter = option.letter.map { "-\($0), " } ?? ""
        let value = option.value.placeholder
        return letter + "--" + option.name + (value.isEmpty ? "" : " " + value)
    }

    private static func description(_ option: OptionDeclaration) -> String {
        var notes: [String] = []
        if option.repeats { notes.append("may be repeated") }
        if let usual = option.usual { notes.append(option.isSecret ? "has a default" : "default \(usual)") }
        notes += [option.variable, option.otherVariable].compactMap { $0 }
        return option.summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }

    private static func section(_ title: String, _ rows: [(name: String, text: String)]) -> String {
        let column = min(rows.map(\.name.count).max() ?? 0, 26) + 4
        let lines = rows.map { row in
            let text = wrap(row.text, indent: column)
            let padding = column - row.name.count - 2
            // A name too long for its column stands on a line of its own.
            if padding < 2 { return "  \(row.name)\n\(text)" }
            return "  \(row.name)" + String(repeating: " ", count: padding) + text.dropFirst(column)
        }
        return "\(title):\n" + lines.joined(separator: "\n")
    }

    private static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines = [margin]
            for word in paragraph.split(separator: " ") {
                let isFirst = lines[lines.count - 1].count == indent
                if !isFirst, lines[lines.count - 1].count + word.count + 1 > width { lines.append(margin) }
                lines[lines.count - 1] += (lines[lines.count - 1].count == indent ? "" : " ") + word
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
