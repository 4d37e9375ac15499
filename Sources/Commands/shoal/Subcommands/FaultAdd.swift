import ShoalAdminAPI
import ShoalFaults
import ShoalJSON

/// `shoal fault add`: puts a rule in force; when it returns, it is.
struct FaultAdd: Subcommand {
    static let file = OptionDeclaration("file", .file, "add the rules of this file, in JSON or one a line", twin: false)
    static let replace = OptionDeclaration("replace", .none, "with --file: in place of all that there are", twin: false)
    static let id = OptionDeclaration("id", .text("ID"), "a name to remove it by", twin: false)
    static let note = OptionDeclaration("note", .text("TEXT"), "what it is for", twin: false)
    static let times = OptionDeclaration("times", .text("N"), "strike at most N times", twin: false)
    static let skip = OptionDeclaration("skip", .text("N"), "let the first N pass", twin: false)
    static let per = OptionDeclaration(
        "per", .choice(FaultCount.Key.allCases.map(\.rawValue)), "what --times and --skip count", twin: false)

    static let declaration = CommandDeclaration(
        ["fault", "add"], "break requests from now on",
        discussion: """
            A rule says which operation, which keys, at which point of a request's life, and what happens: \
            `OPERATION [KEY] @POINT ACTION`. `*` in KEY is any run of bytes, and `bucket=NAME` behind the action keeps to \
            one bucket. `N*` in front of the action is --times N. An operation may also be \
            write, read, multipart, list or any. `10%` in front strikes by chance, `pass,reset,SlowDown` one after the other.
            Points: \(FaultPoint.allCases.map(\.rawValue).joined(separator: ", ")). `body(50%)` is in the middle.
            Actions: \(FaultAction.Name.allCases.map { FaultAction.example(of: $0).text }.joined(separator: ", ")), \
            or any other code of S3's; `hang(8s)->reset` runs one after the other.
            """,
        operands: [Operand("RULE", "the rule in one line, in quotes", isRequired: false)],
        options: [file, replace, id, note, times, skip, per] + ServerOptions.scoped,
        examples: [
            .init(
                "shoal fault add 'PutObject photos/* @commit.after reset' --times 2 --per operation",
                "each upload of a key below photos/ is stored, but its answer is lost twice"),
            .init("shoal fault add 'write @auth SlowDown(retryAfter=2)' --times 3 --id busy", "a busy store"),
            .init("shoal fault add --file rules.json", "rules in their JSON form"),
        ])

    enum Source: Equatable {
        case rule(FaultRule)
        /// As it is, once it was understood here.
        case file(String, replace: Bool)
    }

    let source: Source
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        switch (arguments.operand(0), arguments.value(Self.file)) {
        case (let line?, nil):
            guard !arguments.isOn(Self.replace) else { throw UsageError("--replace goes with --file") }
            source = .rule(try Self.rule(line, arguments))
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
        let (method, body) =
            switch source {
            case .rule(let rule): ("POST", rule.json.bytes)
            case .file(let path, let replace): (replace ? "PUT" : "POST", try Self.document(path))
            }
        let client = try AdminClient(arguments)
        let answer = try client.send(method, AdminPath.rules(client.scope), body: body)
        for rule in try RuleList(decoding: answer).rules {
            terminal.print(Table.printable(rule.id) + "\t" + Table.printable(rule.line))
        }
        return .done
    }

    /// The line's rule, with what the flags say in place of what it says itself.
    private static func rule(_ line: String, _ arguments: ParsedArguments) throws(UsageError) -> FaultRule {
        let skipCount = try arguments.integer(skip, in: 0...FaultCount.numberMax)
        let timesCount = try arguments.integer(times, in: 1...FaultCount.numberMax)
        do throws(RuleError) {
            var rule = try FaultRule(line: line)
            rule.id = arguments.value(id) ?? rule.id
            rule.note = arguments.value(note) ?? rule.note
            rule.count.skip = skipCount ?? rule.count.skip
            rule.count.times = timesCount ?? rule.count.times
            rule.count.per = arguments.value(per).flatMap(FaultCount.Key.init) ?? rule.count.per
            // Reading the JSON form judges the whole, flags included.
            return try FaultRule(json: rule.json)
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// The file's bytes, once they were understood.
    private static func document(_ path: String) throws(UsageError) -> [UInt8] {
        let bytes = try SmallFile.bytes(path)
        do throws(RuleError) {
            _ = try RuleDocument(bytes)
        } catch {
            throw UsageError("\(path): \(error)")
        }
        return bytes
    }
}
