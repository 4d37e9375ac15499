/// The completion script for bash, made from the declarations of the commands.
enum BashCompletion {
    static func script(_ commands: [CommandDeclaration] = CommandTree.declarations) -> String {
        """
        # Completion of shoal for bash: source <(shoal completion bash)
        _shoal() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= index
            for ((index = 1; index < COMP_CWORD; index++)); do
                case $command/${COMP_WORDS[index]} in
        \(paths(commands))
                esac
            done
            COMPREPLY=()
            case $command:$previous in
        \(values(commands))
            esac
            case $command in
        \(words(commands))
            esac
        }
        complete -o default -F _shoal shoal

        """
    }

    /// Each step from the root to a command: `/fault`, `/fault/add`.
    private static func paths(_ commands: [CommandDeclaration]) -> String {
        var seen: [String] = []
        for command in commands {
            for length in command.path.indices {
                let path = "/" + command.path[...length].joined(separator: "/")
                if !seen.contains(path) { seen.append(path) }
            }
        }
        return seen.map { "        \($0)) command=\($0) ;;" }.joined(separator: "\n")
    }

    /// What follows a flag that takes a value.
    private static func values(_ commands: [CommandDeclaration]) -> String {
        var lines: [String] = []
        for command in commands {
            for option in command.options {
                guard let reply = reply(option.value) else { continue }
                lines.append("    /\(command.path.joined(separator: "/")):--\(option.name)) \(reply); return ;;")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Nil for a switch.
    private static func reply(_ value: OptionDeclaration.Value) -> String? {
        switch value {
        case .none: nil
        case .text: "COMPREPLY=()"
        case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .directory: "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .choice(let names), .word(_, let names): compgen(names)
        }
    }

    private static func compgen(_ names: [String]) -> String {
        "mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- \"$current\")"
    }

    private static func words(_ commands: [CommandDeclaration]) -> String {
        var lines = CommandTree.groups.map { group in
            let path = group.path.isEmpty ? "''" : "/" + group.path.joined(separator: "/")
            return "    \(path)) \(compgen(CommandTree.members(of: group.path) + ["--help"])) ;;"
        }
        for command in commands {
            let flags = command.options.map { "--" + $0.name } + ["--help"]
            let choices = command.operands.flatMap(\.kind.choices)
            lines.append("    /\(command.path.joined(separator: "/"))) \(compgen(choices + flags)) ;;")
        }
        return lines.joined(separator: "\n")
    }
}
