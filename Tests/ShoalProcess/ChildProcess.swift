import CShoalSystem
import Glibc
import Synchronization

/// A child: its output line by line, all it said on standard error, and how it ended.
///
/// One that still runs when the value goes is killed, by its own id.
package final class ChildProcess: Sendable {
    package enum End: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    package let pid: pid_t
    private let output: Int32
    private let errors: Int32
    private let pending = Mutex<[UInt8]>([])
    private let end = Mutex<End?>(nil)

    /// Finds `command` as a shell does. Nothing of the own environment passes but `PATH`, `HOME` and `LANG`; `environment` is added.
    package init(
        _ command: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
    ) throws {
        // A socket instead of a pipe: closed on exec from the first moment, so that no other child holds it open.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemFailure("socketpair")
        }
        output = ends[0]
        defer { close(ends[1]) }
        errors = try Self.nameless()
        let given = try Self.nameless(input)
        defer { close(given) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, given, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.resetSignals(&attributes)

        var words = ([command] + arguments).map { strdup($0) } + [nil]
        var variables = Self.environment(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw SystemFailure(command, number: code) }
        self.pid = pid
    }

    deinit {
        if end.withLock({ $0 == nil }) {
            kill(pid, SIGKILL)
            _ = reap()
        }
        close(output)
        close(errors)
    }

    package func send(_ signal: Int32) { kill(pid, signal) }

    /// The next line of standard output without its end; nil at the end of it, or if it takes longer than that.
    package func readLine(milliseconds: Int32 = 30_000) -> String? {
        let newline = UInt8(ascii: "\n")
        while true {
            let line = pending.withLock { pending -> [UInt8]? in
                guard let end = pending.firstIndex(of: newline) else { return nil }
                defer { pending.removeSubrange(...end) }
                return Array(pending[..<end])
            }
            if let line { return String(decoding: line, as: UTF8.self) }
            guard receive(milliseconds: milliseconds) == .more else { return nil }
        }
    }

    /// Waits for the end of standard output, which is the end of the child, for up to `milliseconds` without a byte.
    /// Throws if it goes on.
    package func wait(milliseconds: Int32 = 30_000) throws -> (end: End, output: [UInt8]) {
        while true {
            switch receive(milliseconds: milliseconds) {
            case .more: continue
            case .end: return (reap(), pending.withLock { $0 })
            case .silence: throw StillRunning(pid: pid, errors: errorText)
            }
        }
    }

    /// All of standard error so far.
    package var errorText: String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = pread(errors, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    private enum Received { case more, end, silence }

    private func receive(milliseconds: Int32) -> Received {
        var poll = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return .silence }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(output, &buffer, buffer.count, 0)
        guard count > 0 else { return .end }
        pending.withLock { $0 += buffer[..<count] }
        return .more
    }

    private func reap() -> End {
        end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            // WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2), which are macros.
            let found: End = status & 0x7F == 0 ? .code((status >> 8) & 0xFF) : .signal(status & 0x7F)
            end = found
            return found
        }
    }

    /// What runs the tests may ignore or block signals, as a shell does for what it starts in the background.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// A file without a name that holds `bytes`.
    private static func nameless(_ bytes: [UInt8] = []) throws -> Int32 {
        var template = Array("/tmp/shoal-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemFailure("/tmp") }
        unlink(template)
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        return descriptor
    }

    private static func environment(_ more: [String: String]) -> [String: String] {
        var variables: [String: String] = [:]
        for name in ["PATH", "HOME", "LANG"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables.merging(more) { _, new in new }
    }
}

/// A child that should have ended and did not.
package struct StillRunning: Error, CustomStringConvertible {
    let pid: pid_t
    let errors: String

    package var description: String { "process \(pid) still runs; it said: \(errors)" }
}

/// A command that was run to its end.
package struct CommandResult: Sendable, CustomStringConvertible {
    package let end: ChildProcess.End
    package let outputBytes: [UInt8]
    package let errors: String

    package var output: String { String(decoding: outputBytes, as: UTF8.self) }

    package var succeeded: Bool { end == .code(0) }

    package var description: String { "\(end)\n\(output.suffix(2_000))\n\(errors.suffix(4_000))" }

    /// Runs `command` to its end, or throws if it is silent for `milliseconds`.
    package static func of(
        _ command: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
        milliseconds: Int32 = 60_000
    ) throws -> CommandResult {
        let child = try ChildProcess(command, arguments, environment: environment, input: input)
        let (end, output) = try child.wait(milliseconds: milliseconds)
        return CommandResult(end: end, outputBytes: output, errors: child.errorText)
    }
}
