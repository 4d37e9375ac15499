import Glibc
import ShoalSweep

/// `shoal sweep`: the user's own test, once for each point at which its requests can be interrupted.
struct Sweep: Subcommand {
    private let options: SweepOptions
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        options = try SweepOptions(arguments)
        if let text = arguments.value(Self.endpoint) { _ = try BaseURL(text, in: "--\(Self.endpoint.name)") }
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let interruption = Interruption()
        interruption.takeSignals { terminal.note($0) }
        let server = try SweepServer(arguments, seed: options.seed)
        defer { server.stop() }
        let session = SweepSession(options: options, server: server, interruption: interruption, terminal: terminal)
        do {
            guard let report = try session.report() else {
                terminal.note("shoal: stopped before there was a plan")
                return .checkFailed
            }
            return options.listsOnly ? .done : try tell(report, on: terminal)
        } catch let error as FailedRehearsal {
            terminal.note("shoal: \(error)")
            return .checkFailed
        } catch let error as NothingToSweep {
            terminal.note("shoal: \(error)")
            return .ruleNeverFired
        }
    }

    private func tell(_ report: SweepReport, on terminal: Terminal) throws -> ExitCode {
        let hasColours = terminal.outputIsTerminal && getenv("NO_COLOR") == nil
        terminal.write(SweepText(report, hasColours: hasColours).text)
        for file in options.files { try file.write(report) }
        return Self.exitCode(of: report)
    }

    static func exitCode(of report: SweepReport) -> ExitCode {
        if !report.redRuns.isEmpty || !report.isComplete { return .checkFailed }
        return report.hasStruck ? .done : .ruleNeverFired
    }
}
