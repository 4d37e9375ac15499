import ShoalAdminAPI

/// `shoal fault rm`
struct FaultRemove: Subcommand {
    static let declaration = CommandDeclaration(
        ["fault", "rm"], "remove rules by their ids",
        operands: [Operand("ID", "as in `shoal fault ls`", repeats: true)], options: ServerOptions.scoped,
        examples: [.init("shoal fault rm busy", "the rule of that id strikes no more")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        for id in arguments.operands { _ = try client.send("DELETE", AdminPath.rule(client.scope, id: id)) }
        return .done
    }
}

/// `shoal fault clear`
struct FaultClear: Subcommand {
    static let declaration = CommandDeclaration(
        ["fault", "clear"], "remove every rule", options: ServerOptions.scoped,
        examples: [.init("shoal fault clear", "nothing is broken on purpose any more")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        _ = try client.send("DELETE", AdminPath.rules(client.scope))
        return .done
    }
}
