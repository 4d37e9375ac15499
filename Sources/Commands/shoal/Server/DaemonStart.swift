import ShoalServer

/// Where `shoal serve` meets the server.
enum DaemonStart {
    /// Serves until a signal ends it.
    static func run(_ options: ServeOptions) throws -> ExitCode {
        throw UsageError("this build has the command line only, and no server to start on \(options.listen)")
    }
}
