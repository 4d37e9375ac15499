import ShoalAdminAPI

/// `shoal notifications`: the webhooks, and what became of their events.
struct Notifications: Subcommand {
    static let json = OptionDeclaration("json", .none, "print them as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["notifications"], "show which events wait for their webhooks, and what went wrong",
        discussion: """
            PENDING events are kept until their webhook takes them, for 24 hours at most. The other numbers count since \
            the start of the server. A webhook without a URL was declared by an earlier start: its events wait for \
            `serve --webhook` to declare it again.
            """,
        options: [json] + ServerOptions.scoped,
        examples: [
            .init("shoal notifications", "a table of webhooks"),
            .init("shoal notifications --json", "the same for a program"),
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let list = try client.get(NotificationList.self, AdminPath.notifications(client.scope))
        if arguments.isOn(Self.json) {
            terminal.print(list.json.text)
        } else if list.webhooks.isEmpty {
            terminal.note("no webhooks: declare them with `shoal serve --webhook NAME=URL`")
        } else {
            terminal.write(Self.table(list.webhooks).text(forTerminal: terminal.outputIsTerminal))
        }
        return .done
    }

    static func table(_ webhooks: [WebhookView]) -> Table {
        var table = Table([
            .init("WEBHOOK"), .init("PENDING", .right), .init("DELIVERED", .right), .init("FAILURES", .right),
            .init("EXPIRED", .right), .init("URL"), .init("LAST ERROR"),
        ])
        for webhook in webhooks {
            table.add([
                webhook.name, String(webhook.pending), String(webhook.delivered), String(webhook.failures),
                String(webhook.expired), webhook.url ?? "-", webhook.lastError ?? "",
            ])
        }
        return table
    }
}
