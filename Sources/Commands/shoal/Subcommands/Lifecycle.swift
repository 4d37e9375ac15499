import ShoalAdminAPI

/// `shoal lifecycle`: does at once what the lifecycles of buckets are due to do.
struct Lifecycle: Subcommand {
    static let json = OptionDeclaration("json", .none, "print the counts as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["lifecycle"], "let lifecycle rules act now",
        discussion: """
            The server looks by itself once a day of its clock, and after every change of the clock or of a rule. This \
            looks now and says what was done.
            """,
        options: [json] + ServerOptions.scoped,
        examples: [
            .init("shoal clock +30d", "a month passes, and rules act"),
            .init("shoal lifecycle", "once more, with the counts"),
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        // However long that takes.
        let answer = try client.send("POST", AdminPath.lifecycle(client.scope), body: [], timeoutMilliseconds: 0)
        let result = try LifecycleRun(decoding: answer)
        terminal.print(arguments.isOn(Self.json) ? result.json.text : result.text)
        return .done
    }
}
