import ShoalAdminAPI

/// `shoal version`
struct Version: Subcommand {
    static let declaration = CommandDeclaration(["version"], "print the version of this program")

    init(_ arguments: ParsedArguments) {}

    func run(on terminal: Terminal) -> ExitCode {
        terminal.print("shoal \(shoalVersion)")
        return .done
    }
}

/// `shoal help [COMMAND]`
struct Help: Subcommand {
    static let declaration = CommandDeclaration(
        ["help"], "tell more about a command",
        operands: [Operand("COMMAND", "such as: fault add", isRequired: false, repeats: true)])

    let words: [String]

    init(_ arguments: ParsedArguments) { words = arguments.operands }

    func run(on terminal: Terminal) throws -> ExitCode {
        switch try CommandTree.find(words[...]) {
        case .command(let type, _): terminal.write(HelpText.of(type.declaration))
        case .group(let path, let about):
            terminal.write(HelpText.overview(CommandTree.declarations, prefix: path, about: about))
        }
        return .done
    }
}
