import ShoalAdminAPI

/// `shoal scope new`: a world of its own for one test or one developer.
struct ScopeNew: Subcommand {
    static let bucket = OptionDeclaration(
        "bucket", .text("NAME"), "a bucket to make in it", repeats: true, twin: false)
    static let ttl = OptionDeclaration(
        "ttl", .text("TIME"),
        "how long it may be unused before it goes: 1s to 7d, or 0s for as long as the server runs",
        usual: "1h", twin: false)
    static let port = OptionDeclaration(
        "port", .none, "give it a port of its own: whoever connects there is in it, with or without a key", twin: false)
    static let json = OptionDeclaration("json", .none, "print JSON instead of lines for `eval`", twin: false)

    static let declaration = CommandDeclaration(
        ["scope", "new"], "make a scope: buckets, clock, rules and journal of its own, behind a key of its own",
        discussion: """
            Whoever signs with its key is in it; nothing else in a client has to change. Its secret is told here, once.
            """,
        operands: [Operand("NAME", "made up if it is left out", isRequired: false)],
        options: [bucket, port, ttl, json] + ServerOptions.admin,
        examples: [
            .init(
                #"eval "$(shoal scope new upload-test --bucket photos)""#, "this shell works in it, and so does `shoal`"
            ),
            .init(
                #"eval "$(shoal scope new offline --port)" && shoal fault add '@listen refuse(10s)'"#,
                "whoever connects there is refused for ten seconds"),
            .init(
                "shoal scope new phone --port --ttl 0s", "an endpoint for one device, for as long as the server runs"),
            .init("shoal scope new --ttl 10m --json", "for a test harness"),
        ])

    let request: CreateScopeRequest
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        let milliseconds = try arguments.duration(Self.ttl) ?? 0
        guard milliseconds % 1_000 == 0, (0...Int64(CreateScopeRequest.ttlMax)).contains(milliseconds / 1_000) else {
            throw UsageError("--ttl takes whole seconds from 1s to 7d, or 0s; not '\(arguments.value(Self.ttl) ?? "")'")
        }
        request = CreateScopeRequest(
            name: arguments.operands.first, buckets: arguments.values[Self.bucket.name] ?? [],
            ttl: Int(milliseconds / 1_000), port: arguments.isOn(Self.port))
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let view = try ScopeView(decoding: client.send("POST", AdminPath.scopes, body: request.bytes))
        terminal.print(arguments.isOn(Self.json) ? view.json.text : Self.lines(of: view))
        return .done
    }

    /// What a POSIX shell evaluates.
    static func lines(of view: ScopeView) -> String {
        [
            ("AWS_ACCESS_KEY_ID", view.accessKeyId), ("AWS_SECRET_ACCESS_KEY", view.secretAccessKey ?? ""),
            ("AWS_ENDPOINT_URL", view.endpoint), ("SHOAL_ACCESS_KEY", view.accessKeyId),
            ("SHOAL_SECRET_KEY", view.secretAccessKey ?? ""), ("SHOAL_SCOPE", view.scope),
        ].map { "export \($0.0)=\(CurlCommand.quoted($0.1))" }.joined(separator: "\n")
    }
}
