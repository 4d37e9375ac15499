/// The completion script for zsh, made from the declarations of the commands.
enum ZshCompletion {
    static func script(_ commands: [CommandDeclaration] = CommandTree.declarations) -> String {
        let groups = CommandTree.groups.map { group(path: $0.path, commands) }
        return
            (["#compdef shoal", "# Completion of shoal for zsh, as _shoal in a folder of $fpath."]
            + groups + commands.map(function) + ["_shoal \"$@\"", ""]).joined(separator: "\n")
    }

    private static func name(_ path: [String]) -> String { (["_shoal"] + path).joined(separator: "_") }

    /// Offers the members of a group and hands over to the one that is there.
    private static func group(path: [String], _ commands: [CommandDeclaration]) -> String {
        let members = CommandTree.members(of: path)
        let list = members.map { member in
            let summary =
                commands.first { $0.path == path + [member] }?.summary
                ?? CommandTree.groups.first { $0.path == path + [member] }?.about ?? ""
            return "        \(quoted(escaped(member) + ":" + summary))"
        }
        let cases = members.map { "        \($0)) \(name(path + [$0])) ;;" }
        return """
            \(name(path))() {
                local -a commands=(
            \(list.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                shift words
                (( CURRENT-- ))
                case $words[1] in
            \(cases.joined(separator: "\n"))
                esac
            }
            """
    }

    private static func function(_ command: CommandDeclaration) -> String {
        let options = command.options.map { option in
            let repeats = option.repeats ? "*" : ""
            return quoted("\(repeats)--\(option.name)[\(bracketed(option.summary))]" + action(option))
        }
        let operands = command.operands.map { operand in
            let place = operand.repeats ? "*:" : operand.isRequired ? ":" : "::"
            return quoted("\(place)\(escaped(operand.name)):\(completion(operand.kind))")
        }
        let specifications = options + [quoted("--help[this text]")] + operands
        return """
            \(name(command.path))() {
                _arguments \\
                    \(specifications.joined(separator: " \\\n        "))
            }
            """
    }

    private static func action(_ option: OptionDeclaration) -> String {
        option.value == .none ? "" : ":\(escaped(option.value.placeholder)):\(completion(option.value))"
    }

    private static func completion(_ value: OptionDeclaration.Value) -> String {
        switch value {
        case .none, .text: " "
        case .file: "_files"
        case .directory: "_files -/"
        case .choice(let names), .word(_, let names): "(\(names.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == ":" ? "\\:" : String($0) }.joined()
    }

    private static func bracketed(_ text: String) -> String {
        text.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
