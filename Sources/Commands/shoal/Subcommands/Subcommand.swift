/// One subcommand: what it accepts, and what it does with it.
protocol Subcommand: SendableMetatype {
    static var declaration: CommandDeclaration { get }

    /// Understands the arguments; throws a `UsageError` before anything was done.
    init(_ arguments: ParsedArguments) throws

    func run(on terminal: Terminal) throws -> ExitCode
}

/// What scripts can tell apart.
enum ExitCode: Int32, Sendable {
    /// Done, or every check holds.
    case done = 0
    case checkFailed = 1
    /// The call was not understood; nothing was done.
    case usage = 2
    case ruleNeverFired = 3
    /// The server said no, could not be reached, or could not be started.
    case refused = 4
}
