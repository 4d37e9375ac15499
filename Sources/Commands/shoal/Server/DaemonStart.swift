import ShoalServer

/// Where `shoal serve` meets the server.
enum DaemonStart {
    /// Serves until a signal ends it. A start that fails is a wrong use of this machine, so it exits like one.
    static func run(_ options: ServeOptions, supervises: Bool, on terminal: Terminal) throws -> ExitCode {
        var bar: ProgressBar?
        let progress: Server.Progress = { done, total in
            if bar == nil { bar = ProgressBar("seed", total: total, on: terminal) }
            bar?.show(done)
            if done == total { bar?.finish() }
        }
        if supervises {
            let status = try Supervisor.run(options, progress: progress)
            return ExitCode(rawValue: status) ?? .refused
        }
        try Daemon.run(options, progress: progress)
        return .done
    }
}
