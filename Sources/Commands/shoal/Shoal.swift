import Glibc

/// The command line: finds the subcommand, carries it out, and turns whatever it throws into one line and an exit code.
@main enum Shoal {
    static func main() {
        let terminal = Terminal.standard()
        let code = run(CommandLine.arguments.dropFirst(), environment: environment(), on: terminal)
        exit(code.rawValue)
    }

    static func run(_ words: ArraySlice<String>, environment: [String: String], on terminal: Terminal) -> ExitCode {
        do {
            if words.first == "--version" { return try run(Version.self, [], environment, on: terminal) }
            switch try CommandTree.find(words) {
            case .command(let type, let rest):
                return try run(type, rest, environment, on: terminal)
            case .group(let path, let about):
                let text = HelpText.overview(CommandTree.declarations, prefix: path, about: about)
                // Asked for, it is the result; otherwise a command is missing.
                let isWanted = words.contains("--help") || words.contains("-h")
                isWanted ? terminal.write(text) : terminal.noteRaw(text)
                return isWanted ? .done : .usage
            }
        } catch let error as UsageError {  // The one place where errors become exit codes.
            terminal.note("shoal: \(error)")
            return .usage
        } catch {  // As above: everything else was refused, by the server or by the system.
            terminal.note("shoal: \(error)")
            return .refused
        }
    }

    private static func run(
        _ type: any Subcommand.Type, _ words: ArraySlice<String>, _ environment: [String: String],
        on terminal: Terminal
    ) throws -> ExitCode {
        let declaration = type.declaration
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            terminal.write(HelpText.of(declaration))
            return .done
        }
        let arguments = try ArgumentParser(command: declaration, environment: environment).parse(Array(words))
        let command = try type.init(arguments)
        SecretOptions.wipe(
            declaration.options.filter(\.isSecret).flatMap {
                arguments.given.contains($0.name) ? arguments.values($0) : []
            })
        return try command.run(on: terminal)
    }

    /// The variables that stand in for flags.
    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let others = SessionEnvironment.variables + [ServerOptions.cacert.otherVariable ?? ""]
            let isMeant = parts[0].hasPrefix("SHOAL_") || others.contains(String(parts[0]))
            if parts.count == 2, isMeant { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }
}
