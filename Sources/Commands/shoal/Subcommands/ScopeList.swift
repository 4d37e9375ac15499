import ShoalAdminAPI

/// `shoal scope ls`
struct ScopeListing: Subcommand {
    static let json = OptionDeclaration("json", .none, "print them as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["scope", "ls"], "list the scopes", options: [json] + ServerOptions.admin,
        examples: [.init("shoal scope ls", "a table: name, access key, port, time to live")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let list = try AdminClient(arguments).get(ScopeList.self, AdminPath.scopes)
        guard !arguments.isOn(Self.json) else {
            terminal.print(list.json.text)
            return .done
        }
        var table = Table([.init("SCOPE"), .init("ACCESS KEY"), .init("PORT", .right), .init("TTL", .right)])
        for scope in list.scopes {
            table.add([
                scope.scope, scope.accessKeyId, scope.port.map(String.init) ?? "-",
                scope.ttl == 0 ? "-" : "\(scope.ttl)s",
            ])
        }
        terminal.write(table.text(forTerminal: terminal.outputIsTerminal))
        return .done
    }
}

/// `shoal scope rm`
struct ScopeRemove: Subcommand {
    static let declaration = CommandDeclaration(
        ["scope", "rm"], "end scopes with everything in them, and say what was unfinished",
        discussion: "Exits with 3 if a rule of a scope never struck: the test did not test what it should.",
        operands: [Operand("NAME", "as in `shoal scope ls`", repeats: true)],
        options: ServerOptions.admin,
        examples: [.init("shoal scope rm upload-test", "at the end of a test")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        var code = ExitCode.done
        for name in arguments.operands {
            let report = try ScopeReport(decoding: client.send("DELETE", AdminPath.scope(name)))
            for line in Self.lines(of: report) { terminal.note(line) }
            if !report.neverFired.isEmpty { code = .ruleNeverFired }
        }
        return code
    }

    static func lines(of report: ScopeReport) -> [String] {
        let scope = Table.printable(report.scope)
        var lines = report.neverFired.map { "shoal: rule \(Table.printable($0)) of \(scope) never fired" }
        lines += report.openUploads.map { upload in
            "shoal: an upload of \(Table.printable("\(upload.bucket)/\(upload.key)")) in \(scope) was neither completed nor aborted"
        }
        if report.openConnections > 0 {
            lines.append("shoal: connections of \(scope) still open: \(report.openConnections)")
        }
        return lines
    }
}
