import ShoalAdminAPI

/// `shoal reset`: back to the start state.
struct Reset: Subcommand {
    static let declaration = CommandDeclaration(
        ["reset"], "put everything back to the start state",
        discussion:
            "Buckets, objects, rules, clock and journal of every scope are as right after the start; with --scope, those of one.",
        options: ServerOptions.scoped,
        examples: [.init("shoal reset", "between two test runs")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let isScoped = arguments.values[ServerOptions.scope.name] != nil
        let path = isScoped ? AdminPath.scopeReset(client.scope) : AdminPath.reset
        let result = try ResetResult(decoding: client.send("POST", path, body: []))
        terminal.note("removed \(Self.count(result.buckets, "bucket")) and \(Self.count(result.rules, "rule"))")
        return .done
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
