import ShoalAdminAPI

/// `shoal fault export`: what the rules did, as rules that do it again.
struct FaultExport: Subcommand {
    static let declaration = CommandDeclaration(
        ["fault", "export"], "print what the rules did, as rules that do it again",
        discussion: """
            Each rule that struck becomes a schedule: its counters in the order in which they appeared, and which match of \
            each was struck. So another run meets the same, even if its keys are new.
            """,
        options: ServerOptions.scoped,
        examples: [
            .init("shoal fault export > schedule.json", "after a run that failed"),
            .init("shoal fault add --file schedule.json --replace", "before the next one"),
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let document = try client.send("GET", AdminPath.schedule(client.scope))
        terminal.print(String(decoding: document, as: UTF8.self))
        return .done
    }
}
