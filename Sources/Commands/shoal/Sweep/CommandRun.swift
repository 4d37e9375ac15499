import CShoalSystem
import Glibc
import ShoalLog
import ShoalSweep

/// A command that is run to its end in a process group of its own, so that whatever it started ends with it.
struct CommandRun {
    /// How long a group that is told to end may take before it is killed.
    private static let graceMilliseconds: Int64 = 2_000

    let words: [String]
    let environment: [String: String]

    struct Result {
        let ending: SweepEvidence.Ending
        let milliseconds: Int64
        /// Standard output and standard error, as they came.
        let output: String
    }

    /// Waits for its end, for `milliseconds` at most. Nil if it was interrupted. Throws a `UsageError` if there is no such
    /// program.
    func result(milliseconds: Int64, interruption: Interruption) throws -> Result? {
        let start = SystemClock.monotonicNanoseconds()
        let child = try Child(words, environment)
        defer { child.closeAll() }
        var output = BoundedOutput()
        let event = child.wait(until: start + UInt64(milliseconds) * 1_000_000, interruption, into: &output)
        if event != .ended { child.end(graceMilliseconds: Self.graceMilliseconds, interruption, into: &output) }
        let status = child.reap()
        child.drain(into: &output)
        guard event != .interrupted else { return nil }
        let spent = Int64(clamping: (SystemClock.monotonicNanoseconds() - start) / 1_000_000)
        return Result(
            ending: event == .timedOut ? .timedOut : status, milliseconds: spent, output: output.text)
    }
}

/// The process, its group and the pipe that it writes to.
private struct Child {
    enum Event { case ended, timedOut, interrupted }

    private let pid: pid_t
    /// Readable once the process has ended.
    private let end: Int32
    private let pipe: Int32

    init(_ words: [String], _ environment: [String: String]) throws {
        var ends: [Int32] = [0, 0]
        guard shoal_pipe(&ends) == 0 else { throw SweepFailure("a pipe for the command: \(SystemError.text)") }
        pipe = ends[0]
        defer { close(ends[1]) }
        _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
        do {
            pid = try Self.spawn(words, environment, output: ends[1])
        } catch {  // Passed on: only the pipe is ours to close.
            close(pipe)
            throw error
        }
        end = shoal_pidfd(pid)
        guard end >= 0 else {
            kill(-pid, SIGKILL)
            close(pipe)
            throw SweepFailure("waiting for a process: \(SystemError.text)")
        }
    }

    func closeAll() {
        close(end)
        close(pipe)
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], output: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else {
            let reason = String(cString: strerror(code))
            throw UsageError(
                "'\(words[0])' cannot be run: \(reason); what stands behind -- is a program and its arguments")
        }
        return pid
    }

    /// Takes up output until the process ends, the instant comes or somebody interrupts.
    func wait(until deadline: UInt64, _ interruption: Interruption?, into output: inout BoundedOutput) -> Event {
        var isOpen = true
        while true {
            let now = SystemClock.monotonicNanoseconds()
            guard now < deadline else { return .timedOut }
            // Negative descriptors are passed over by poll(2).
            var polls = [end, isOpen ? pipe : -1, interruption?.descriptor ?? -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = Int32(clamping: (deadline - now) / 1_000_000 + 1)
            guard poll(&polls, nfds_t(polls.count), left) > 0 else { continue }
            if polls[1].revents != 0 { isOpen = take(into: &output) }
            if polls[0].revents != 0 { return .ended }
            if polls[2].revents != 0 { return .interrupted }
        }
    }

    /// SIGTERM to the group, and SIGKILL if that does not end it.
    func end(graceMilliseconds: Int64, _ interruption: Interruption, into output: inout BoundedOutput) {
        kill(-pid, SIGTERM)
        let deadline = SystemClock.monotonicNanoseconds() + UInt64(graceMilliseconds) * 1_000_000
        _ = wait(until: deadline, nil, into: &output)
    }

    /// Kills what is left of the group: as long as the process itself was not waited for, no other can have its number.
    func reap() -> SweepEvidence.Ending {
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        // WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2), which are macros.
        return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }

    /// What is still in the pipe.
    func drain(into output: inout BoundedOutput) { _ = take(into: &output) }

    /// False once nobody can write any more.
    private func take(into output: inout BoundedOutput) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // So many at a time, so that a command that never stops to write is still looked after.
        for _ in 0..<16 {
            let count = read(pipe, &buffer, buffer.count)
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            output.append(buffer[..<count])
        }
        return true
    }
}

/// What kept a sweep from going on: exit code 4.
struct SweepFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
