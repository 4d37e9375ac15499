import CShoalSystem
import Glibc
import ShoalLog
import ShoalNet

/// `shoal serve` as a process: the first line on standard output, the port file, signals, and the end.
package enum Daemon {
    /// Serves until SIGTERM or SIGINT, then finishes what is in flight. A second signal ends the process at once.
    ///
    /// `announced` gets the ports once requests are accepted.
    package static func run(
        _ options: ServeOptions, progress: Server.Progress? = nil,
        announced: (_ port: UInt16, _ adminPort: UInt16?) -> Void = { _, _ in }
    ) throws {
        var options = options
        options.mayCrash = true
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        // Blocked before any thread exists, so that every thread inherits it and `sigwait` gets the signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let log = Log(format: options.logFormat == .json ? .json : .text)
        let server = try Server(options, log: log, progress: progress)
        try announce(server, options)
        announced(server.port, server.adminPort)
        shoal_release_code_pages()

        var received: Int32 = 0
        sigwait(&signals, &received)
        log.info("stopping", ["signal": received == SIGINT ? "SIGINT" : "SIGTERM"])
        let impatience = Thread(name: "shoal-signal") {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGTERM)
            sigaddset(&signals, SIGINT)
            var again: Int32 = 0
            sigwait(&signals, &again)
            _exit(128 + again)
        }
        server.stop()
        withExtendedLifetime(impatience) {}
    }

    private static func announce(_ server: Server, _ options: ServeOptions) throws {
        let address = ListenAddress(host: options.listen.host, port: server.port)
        if let path = options.portFile { try StartFile.write("\(server.port)", to: path) }
        var line = Array("shoal: listening on \(options.scheme)://\(address)\n".utf8)
        _ = write(STDOUT_FILENO, &line, line.count)
        if let path = server.authorityPath {
            line = Array("shoal: clients have to trust \(path) (curl --cacert, AWS_CA_BUNDLE, SHOAL_CA_BUNDLE)\n".utf8)
            _ = write(STDOUT_FILENO, &line, line.count)
        }
        guard let adminPort = server.adminPort, let admin = options.adminListen else { return }
        let scheme = options.adminSpeaksTLS ? "https" : "http"
        line = Array("shoal: admin API on \(scheme)://\(ListenAddress(host: admin.host, port: adminPort))\n".utf8)
        _ = write(STDOUT_FILENO, &line, line.count)
    }

    /// Each connection and each body being received takes one.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    }
}
