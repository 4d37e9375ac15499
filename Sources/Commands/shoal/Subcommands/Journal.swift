import ShoalAdminAPI

/// `shoal journal`: what really happened.
struct Journal: Subcommand {
    static let follow = OptionDeclaration(
        "follow", letter: "f", .none, "go on with what happens, until Ctrl-C", twin: false)
    static let format = OptionDeclaration(
        "format", .choice(["text", "ndjson", "har"]),
        "one line an event, JSON lines, or an HTTP archive", usual: "text", twin: false)
    static let har = OptionDeclaration("har", .none, "short for --format har", twin: false)
    static let since = OptionDeclaration(
        "since", .text("SEQ"), "only events after that number", usual: "0", twin: false)
    static let limit = OptionDeclaration("limit", .text("N"), "at most so many events", usual: "1000", twin: false)

    static let declaration = CommandDeclaration(
        ["journal"], "print what the server saw, did and broke",
        options: [follow, format, har, since, limit] + ServerOptions.scoped,
        examples: [
            .init("shoal journal --follow", "in a second window, while the app uploads"),
            .init("shoal journal --format ndjson > run.ndjson", "to keep, or for jq"),
            .init(
                "shoal journal --har > run.har", "for the network tab of a browser: no headers, bodies or signatures"),
        ])

    let formatName: String
    let sinceSequence: UInt64
    let eventCountMax: Int
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        guard !(arguments.isOn(Self.har) && arguments.given.contains(Self.format.name)) else {
            throw UsageError("--har is short for --format har; give one of them")
        }
        formatName = arguments.isOn(Self.har) ? "har" : arguments.value(Self.format) ?? "text"
        sinceSequence = try arguments.integer(Self.since, in: 0...UInt64.max) ?? 0
        eventCountMax = try arguments.integer(Self.limit, in: 1...1_000_000) ?? 1_000
        guard !(arguments.isOn(Self.follow) && formatName == "har") else {
            throw UsageError("an HTTP archive has an end; --follow goes with text and ndjson")
        }
        guard !(arguments.isOn(Self.follow) && arguments.given.contains(Self.limit.name)) else {
            throw UsageError("--limit does not go with --follow")
        }
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        if arguments.isOn(Self.follow) {
            try follow(client, on: terminal)
        } else if formatName == "text" {
            try printTable(client, on: terminal)
        } else {
            terminal.write(try client.send("GET", AdminPath.journal(client.scope), query: query(format: formatName)))
        }
        return .done
    }

    private func query(format: String) -> [(String, String)] {
        [("since", String(sinceSequence)), ("limit", String(eventCountMax)), ("format", format)]
    }

    private func printTable(_ client: AdminClient, on terminal: Terminal) throws {
        var table = Table(JournalLine.columns)
        var last: UInt64 = 0
        try eachLine(client, AdminPath.journal(client.scope), query(format: "ndjson"), "application/x-ndjson") { line in
            let event = try JournalEntry(decoding: Array(line))
            table.add(JournalLine(event).cells)
            last = event.sequence
        }
        terminal.write(table.text(forTerminal: terminal.outputIsTerminal))
        if table.rows.count == eventCountMax {
            terminal.note("shoal: there may be more; go on with --since \(last)")
        }
    }

    private func follow(_ client: AdminClient, on terminal: Terminal) throws {
        let query = [("since", String(sinceSequence))]
        try eachLine(client, AdminPath.journalStream(client.scope), query, "text/event-stream") { line in
            // `data:` holds the event; `id:` and comments that keep the line open do not concern us.
            guard let data = ServerSentEvent.data(line) else { return }
            try show(data, on: terminal)
        }
    }

    /// Ends with the first error of `body`, which cannot pass through libcurl's frames and is kept meanwhile.
    private func eachLine(
        _ client: AdminClient, _ path: String, _ query: [(String, String)], _ accept: String,
        _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var failure: (any Error)?
        try client.stream(path, query: query, accept: accept) { line in
            do {
                if !line.isEmpty { try body(line) }
            } catch {  // Thrown below.
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    private func show(_ event: ArraySlice<UInt8>, on terminal: Terminal) throws {
        guard formatName == "text" else {
            terminal.write(event + [UInt8(ascii: "\n")])
            return
        }
        let line = JournalLine(try JournalEntry(decoding: Array(event)))
        terminal.print(line.text(forTerminal: terminal.outputIsTerminal))
    }
}

/// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
enum ServerSentEvent {
    /// What follows `data:` and one blank; nil for every other line.
    static func data(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = Array("data:".utf8)
        guard line.starts(with: name) else { return nil }
        let rest = line.dropFirst(name.count)
        return rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest
    }
}
