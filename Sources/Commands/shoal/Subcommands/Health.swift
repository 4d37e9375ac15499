import ShoalAdminAPI

/// `shoal health`: for scripts and containers.
struct Health: Subcommand {
    static let wait = OptionDeclaration(
        "timeout", .text("TIME"), "how long to wait for an answer", usual: "2s", twin: false)

    static let declaration = CommandDeclaration(
        ["health"], "ask whether the server answers", discussion: "Exit code 0 if it does, 1 if not.",
        options: [wait] + ServerOptions.admin,
        examples: [.init("until shoal health; do sleep 0.1; done", "wait for a server in a script")])

    let timeoutMilliseconds: Int
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        timeoutMilliseconds = Int(clamping: max(1, try arguments.duration(Self.wait) ?? 2_000))
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        do {
            let client = try AdminClient(arguments)
            let body = try client.send("GET", AdminPath.health, timeoutMilliseconds: timeoutMilliseconds)
            let health = try ShoalAdminAPI.Health(decoding: body)
            terminal.print("\(health.status) \(health.version)")
            return health.status == "ok" ? .done : .checkFailed
        } catch let error where !(error is UsageError) {  // No answer is an answer here: the check failed.
            terminal.note("shoal: \(error)")
            return .checkFailed
        }
    }
}
