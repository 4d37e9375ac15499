import ShoalAdminAPI

/// `shoal fault ls`: the rules in force, and what they did.
struct FaultList: Subcommand {
    static let json = OptionDeclaration("json", .none, "print them as JSON", twin: false)
    static let allFired = OptionDeclaration(
        "all-fired", .none, "exit with 3 if a rule never struck: the test did not test what it should", twin: false)

    static let declaration = CommandDeclaration(
        ["fault", "ls"], "list the rules and how often they struck", options: [json, allFired] + ServerOptions.scoped,
        examples: [
            .init("shoal fault ls", "a table: matched, fired, left"),
            .init("shoal fault ls --all-fired", "at the end of a test"),
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let list = try client.get(RuleList.self, AdminPath.rules(client.scope))
        if arguments.isOn(Self.json) {
            terminal.print(list.json.text)
        } else if list.rules.isEmpty {
            terminal.note("no rules: every request goes its way")
        } else {
            terminal.write(Self.table(list.rules).text(forTerminal: terminal.outputIsTerminal))
        }
        let silent = arguments.isOn(Self.allFired) ? list.rules.filter { $0.fired == 0 } : []
        for rule in silent {
            terminal.note("shoal: rule \(Table.printable(rule.id)) never fired (matched \(rule.matched))")
        }
        return silent.isEmpty ? .done : .ruleNeverFired
    }

    static func table(_ rules: [RuleView]) -> Table {
        var table = Table([
            .init("ID"), .init("MATCHED", .right), .init("FIRED", .right), .init("LEFT", .right), .init("RULE"),
            .init("NOTE"),
        ])
        for rule in rules {
            table.add([
                rule.id, String(rule.matched), String(rule.fired), rule.remaining.map { String($0) } ?? "-", rule.line,
                rule.note ?? "",
            ])
        }
        return table
    }
}
