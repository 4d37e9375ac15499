import ShoalAdminAPI

/// `shoal fault add`: puts a rule in force; when it returns, it is.
struct FaultAdd: Subcommand {
    static let file = OptionDeclaration("file", .file, "add the rules of this JSON file", twin: false)
    static let replace = OptionDeclaration("replace", .none, "with --file: in place of all that there are", twin: false)
    static let id = OptionDeclaration("id", .text("ID"), "a name to remove it by", twin: false)
    static let note = OptionDeclaration("note", .text("TEXT"), "what it is for", twin: false)
    static let times = OptionDeclaration("times", .text("N"), "strike at most N times", twin: false)
    static let skip = OptionDeclaration("skip", .text("N"), "let the first N pass", twin: false)
    static let per = OptionDeclaration(
        "per", .choice(["rule", "operation", "key", "connection"]), "what --times and --skip count", twin: false)

    static let declaration = CommandDeclaration(
        ["fault", "add"], "break requests from now on",
        discussion: """
            A rule says which operation, which objects, at which point of a request's life, and what happens: \
            `OPERATION [BUCKET/KEY] @POINT ACTION`. `N*` in front of the action is --times N.
            """,
        operands: [Operand("RULE", "the rule in one line, in quotes", isRequired: false)],
        options: [file, replace, id, note, times, skip, per] + ServerOptions.scoped,
        examples: [
            .init(
                "shoal fault add 'PutObject photos/* @commit.after reset' --times 2 --per operation",
                "each upload is stored, but its answer is lost twice"),
            .init("shoal fault add 'write @auth SlowDown(retryAfter=2)' --times 3 --id busy", "a busy store"),
            .init("shoal fault add --file rules.json", "rules in their JSON form"),
        ])

    enum Source: Equatable {
        case line(AddRuleRequest)
        case file(String, replace: Bool)
    }

    let source: Source
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        let times = try arguments.integer(Self.times, in: 1...Int.max)
        let skip = try arguments.integer(Self.skip, in: 0...Int.max)
        switch (arguments.operand(0), arguments.value(Self.file)) {
        case (let line?, nil):
            guard !arguments.isOn(Self.replace) else { throw UsageError("--replace goes with --file") }
            source = .line(
                AddRuleRequest(
                    line: line, id: arguments.value(Self.id), note: arguments.value(Self.note), times: times,
                    skip: skip, per: arguments.value(Self.per)))
        case (nil, let path?):
            let others = [Self.id, Self.note, Self.times, Self.skip, Self.per]
            if let other = others.first(where: { arguments.given.contains($0.name) }) {
                throw UsageError("--\(other.name) belongs to a rule in one line; in a file each rule says it itself")
            }
            source = .file(path, replace: arguments.isOn(Self.replace))
        case (nil, nil): throw UsageError("RULE is missing; see `shoal fault add --help` for examples")
        case (_?, _?): throw UsageError("give either a rule or --file")
        }
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let answer: [UInt8]
        switch source {
        case .line(let request):
            answer = try client.send("POST", AdminPath.rules(client.scope), body: request.bytes)
        case .file(let path, let replace):
            let body = try SmallFile.bytes(path)
            answer = try client.send(replace ? "PUT" : "POST", AdminPath.rules(client.scope), body: body)
        }
        for rule in try RuleList(decoding: answer).rules {
            terminal.print(Table.printable(rule.id) + "\t" + Table.printable(rule.line))
        }
        return .done
    }
}
