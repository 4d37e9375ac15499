import ShoalAdminAPI
import ShoalFaults

/// `shoal clock`: reads and sets the time that expiry and skew are judged by.
struct Clock: Subcommand {
    static let json = OptionDeclaration("json", .none, "print the state as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["clock"], "read or set the server's idea of now",
        discussion: """
            Without arguments it prints the time. CHANGE is one of: +TIME or -TIME, that far from the machine's clock; \
            an instant in UTC; `freeze`, now or at an instant; `resume`; `advance TIME`; `reset`, the machine's time.
            """,
        operands: [
            Operand("CHANGE", "what happens to the time", isRequired: false),
            Operand("VALUE", "the instant of freeze, the length of advance", isRequired: false),
        ],
        options: [json] + ServerOptions.scoped,
        examples: [
            .init("shoal clock +20m", "twenty minutes ahead, as on a phone with a wrong clock"),
            .init("shoal clock advance 1h", "an hour passes now: links expire"),
            .init("shoal clock freeze 2026-03-14T15:09:26Z", "time stands still there"),
            .init("shoal clock reset", "the machine's own time again"),
        ])

    let changes: [ClockChange]
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        changes =
            try arguments.operand(0).map { word in
                try Self.changes(word, value: arguments.operand(1))
            } ?? []
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let path = AdminPath.clock(client.scope)
        // Lifecycle rules act before the answer, however long that takes.
        for change in changes { _ = try client.send("PUT", path, body: change.bytes, timeoutMilliseconds: 0) }
        let state = try client.get(ClockState.self, path)
        if arguments.isOn(Self.json) {
            terminal.print(state.json.text)
        } else {
            terminal.print(Self.text(of: state))
        }
        return .done
    }

    static func text(of state: ClockState) -> String {
        var notes: [String] = []
        if state.frozen { notes.append("frozen") }
        if state.offsetMs != 0 {
            let length = DurationText.text(milliseconds: Int64(clamping: state.offsetMs.magnitude))
            notes.append("\(length) \(state.offsetMs > 0 ? "ahead of" : "behind") the machine")
        }
        return state.now + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }

    static func changes(_ word: String, value: String?) throws(UsageError) -> [ClockChange] {
        switch word {
        case "freeze":
            guard let value else { return [.freeze(at: nil)] }
            return [.freeze(at: try instant(value))]
        case "advance":
            guard let value, let length = DurationText.milliseconds(value) else {
                throw UsageError("advance takes a length of time, such as `shoal clock advance 1h`")
            }
            return [.advance(milliseconds: length)]
        case "resume", "reset":
            guard value == nil else { throw UsageError("\(word) takes nothing behind it") }
            return word == "resume" ? [.resume] : [.offset(milliseconds: 0)]
        default:
            guard value == nil else { throw UsageError("'\(value ?? "")' is one argument too many") }
            return [try shift(word)]
        }
    }

    private static func shift(_ word: String) throws(UsageError) -> ClockChange {
        if word.hasPrefix("+") || word.hasPrefix("-") {
            guard let offset = DurationText.milliseconds(word, signed: true) else {
                throw UsageError("'\(word)' is no length of time; write +20m or -90s")
            }
            return .offset(milliseconds: offset)
        }
        guard word.first?.isNumber ?? false else {
            throw .unknown("change of the clock", word, among: ["freeze", "advance", "resume", "reset"])
        }
        return .now(try instant(word))
    }

    private static func instant(_ text: String) throws(UsageError) -> String {
        guard ScopeClock.instant(text) != nil else {
            throw UsageError("'\(text)' is no instant; write it in UTC, as 2026-03-14T15:09:26Z")
        }
        return text
    }
}
