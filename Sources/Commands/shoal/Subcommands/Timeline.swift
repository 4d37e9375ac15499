import ShoalAdminAPI

/// `shoal timeline`: the attempts of an operation, drawn along the time they took.
struct Timeline: Subcommand {
    static let json = OptionDeclaration("json", .none, "print what is known of each attempt as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["timeline"], "draw the attempts of an operation, or of all",
        discussion: """
            An operation is what the app was doing, such as uploading one photo; its attempts are what arrived: with the \
            wait before each, `=` while it was under way, `*` where it was stored, the furthest point it passed, the rule \
            that struck it, the answer, and what the client can know: ok, fail, or info, which is nothing.
            """,
        operands: [Operand("OP", "its name in the journal, such as sig-1c3550d92c5beef3", isRequired: false)],
        options: [json] + ServerOptions.scoped,
        examples: [
            .init("shoal timeline", "all operations so far"),
            .init("shoal timeline sig-1c3550d92c5beef3", "one of them; new links for the same key belong to it"),
        ])

    private let name: String?
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        name = arguments.operand(0)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        guard let name else { return try printAll(client, on: terminal) }
        let operation = try client.get(OperationView.self, AdminPath.operation(client.scope, id: name))
        if arguments.isOn(Self.json) {
            terminal.print(operation.json.text)
        } else {
            for line in operation.timeline { terminal.print(Table.printable(line)) }
        }
        return .done
    }

    private func printAll(_ client: AdminClient, on terminal: Terminal) throws -> ExitCode {
        let list = try client.get(OperationList.self, AdminPath.operations(client.scope))
        if arguments.isOn(Self.json) {
            terminal.print(list.json.text)
        } else if list.operations.isEmpty {
            terminal.note("no operations: no request came yet")
        }
        let drawn = arguments.isOn(Self.json) ? [] : list.operations
        for line in drawn.map(\.timeline).joined(separator: [""]) { terminal.print(Table.printable(line)) }
        if list.incomplete {
            terminal.note("shoal: the journal has dropped its oldest events; attempts may be missing")
        }
        return .done
    }
}
