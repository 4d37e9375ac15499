import ShoalAdminAPI
import ShoalJSON

/// `shoal gate release`: lets go on who waits at a gate of the action `pause`.
struct GateRelease: Subcommand {
    static let declaration = CommandDeclaration(
        ["gate", "release"], "let requests go on that a rule made wait",
        operands: [Operand("GATE", "as in the rule's pause(GATE)")], options: ServerOptions.scoped,
        examples: [
            .init("shoal gate release double-tap", "both uploads of the preset double-tap are stored now")
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let path = AdminPath.gateRelease(client.scope, gate: arguments.operands[0])
        let answer = try JSONParser.parse(try client.send("POST", path))
        guard case .integer(let count)? = answer["released"] else { return .done }
        terminal.print("\(count) \(count == 1 ? "request goes" : "requests go") on")
        return .done
    }
}
