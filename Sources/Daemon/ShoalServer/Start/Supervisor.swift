import CShoalSystem
import Glibc

/// `shoal serve --supervise`: the server as a child, which is started again when it is killed, by a rule or by anything else.
///
/// The child is forked and not spawned: no thread runs yet, and options hold secrets that should not stand in a command
/// line again.
package enum Supervisor {
    /// The wait where no rule has said how long the server is to be away.
    private static let usualRestart = Duration.seconds(1)

    /// Returns twice: in the child when its server has ended, with status 0, and in this process with the status of the last
    /// child. Throws what the start of a server throws.
    package static func run(_ options: ServeOptions, progress: Server.Progress? = nil) throws -> Int32 {
        var signals = blockSignals()
        let directory = try DataDirectory(options.storage)
        var options = options
        options.storage = .directory(directory.path)
        while true {
            guard let child = try Child.fork() else {
                try Daemon.run(options, progress: progress) { Child.announce($0, $1) }
                return 0
            }
            let ports = child.readPorts(handingOn: &signals)
            let end = waitForEnd(of: child, &signals)
            guard case .killed = end, let ports else {
                directory.close()
                return end.status
            }
            let (wait, seed) = CrashRecord(in: directory.path).restart ?? (usualRestart, nil)
            note("the server was killed; it is back in \(wait)")
            if isToldToStop(within: wait, &signals) {
                directory.close()
                return 0
            }
            options.resume(on: ports)
            options.rngSeed = seed ?? options.rngSeed
        }
    }

    private static func blockSignals() -> sigset_t {
        // Ignored by whoever started us, it would let children go without a word.
        signal(SIGCHLD, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGCHLD] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        return signals
    }

    private enum End {
        case exited(Int32)
        /// By a signal, or by itself as if by one.
        case killed(Int32)
        /// After this process was told to stop.
        case stopped(Int32)

        var status: Int32 {
            switch self {
            case .exited(let status), .killed(let status), .stopped(let status): status
            }
        }
    }

    /// Waits for the child's end, and hands on what this process is told.
    private static func waitForEnd(of child: Child, _ signals: inout sigset_t) -> End {
        var isStopping = false
        while true {
            if let status = child.status {
                if isStopping { return .stopped(status) }
                return status == Facilities.crashStatus || status > 128 ? .killed(status) : .exited(status)
            }
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            guard signal != SIGCHLD else { continue }
            isStopping = true
            child.send(signal)
        }
    }

    private static func isToldToStop(within wait: Duration, _ signals: inout sigset_t) -> Bool {
        let end = ContinuousClock.now + wait
        while true {
            let rest = end - ContinuousClock.now
            guard rest > .zero else { return false }
            let (seconds, attoseconds) = rest.components
            var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            if [SIGTERM, SIGINT].contains(sigtimedwait(&signals, nil, &limit)) { return true }
        }
    }

    private static func note(_ text: String) {
        let line = Array("shoal: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

extension ServeOptions {
    /// The next start goes on with what is there, on the ports that clients know.
    fileprivate mutating func resume(on ports: Child.Ports) {
        listen = ListenAddress(host: listen.host, port: ports.main)
        if let admin = adminListen, ports.admin > 0 {
            adminListen = ListenAddress(host: admin.host, port: ports.admin)
        }
        (buckets, seedDirectory, resumes) = ([], nil, true)
    }
}

/// A forked server, as its parent sees it.
private struct Child {
    struct Ports {
        let main: UInt16
        /// 0 if the admin API has none of its own.
        let admin: UInt16
    }

    private let process: pid_t
    private let pipe: Int32

    /// Where the child tells its ports; -1 in the parent.
    private nonisolated(unsafe) static var reportingEnd: Int32 = -1

    /// Nil in the child.
    static func fork() throws(StartFailure) -> Child? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw StartFailure("no pipe: \(String(cString: strerror(errno)))") }
        let process = shoal_fork()
        guard process >= 0 else { throw StartFailure("no child process: \(String(cString: strerror(errno)))") }
        if process == 0 {
            close(ends[0])
            reportingEnd = ends[1]
            // A terminal's Ctrl-C is for the parent, which hands it on; and nobody outlives the parent.
            setpgid(0, 0)
            shoal_die_with_parent()
            return nil
        }
        close(ends[1])
        return Child(process: process, pipe: ends[0])
    }

    /// In the child, once it accepts requests.
    static func announce(_ main: UInt16, _ admin: UInt16?) {
        let text = Array("\(main) \(admin ?? 0)\n".utf8)
        _ = write(reportingEnd, text, text.count)
        close(reportingEnd)
    }

    /// Milliseconds between two looks for signals while the child starts, which a large `--seed` may take minutes for.
    private static let lookMilliseconds: Int32 = 100

    /// Waits until the child accepts requests, and hands on what this process is told; nil if it ends before that.
    func readPorts(handingOn signals: inout sigset_t) -> Ports? {
        defer { close(pipe) }
        var poller = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        while poll(&poller, 1, Self.lookMilliseconds) <= 0 {
            var none = timespec()
            let signal = sigtimedwait(&signals, nil, &none)
            if signal == SIGTERM || signal == SIGINT { send(signal) }
        }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = max(0, read(pipe, &buffer, buffer.count))
        let numbers = String(decoding: buffer[..<count], as: UTF8.self).split { !$0.isNumber }.compactMap { UInt16($0) }
        return numbers.count == 2 ? Ports(main: numbers[0], admin: numbers[1]) : nil
    }

    /// As a shell tells it: 128 and the signal's number if one has ended it; nil while it runs.
    var status: Int32? {
        var status: Int32 = 0
        let waited = waitpid(process, &status, WNOHANG)
        // Somebody else has waited for it: how it ended, nobody knows.
        if waited < 0, errno == ECHILD { return 0 }
        guard waited == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    func send(_ signal: Int32) { kill(process, signal) }
}
