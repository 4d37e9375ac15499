import CShoalSystem
import Glibc
import ShoalNet

/// Ctrl-C, as something that threads can wait for beside other things.
final class Interruption: Sendable {
    /// Readable from the first signal on, for everybody who polls it.
    let descriptor: Int32

    /// Without a signal: it is raised by `raise()` alone.
    init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        precondition(descriptor >= 0, "no eventfd: \(SystemError.text)")
    }

    deinit { close(descriptor) }

    func raise() {
        var one: UInt64 = 1
        _ = Glibc.write(descriptor, &one, 8)
    }

    var isRaised: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Takes SIGINT and SIGTERM of this process from now on; a second one ends it at once. To be called before there are
    /// other threads, so that each inherits the mask.
    func takeSignals(note: @escaping @Sendable (String) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        pthread_sigmask(SIG_BLOCK, [Self.signals], nil)
        _ = Thread(name: "shoal-signal") { [self] in
            _ = Self.wait()
            note("shoal: stopping; once more to end at once")
            raise()
            _exit(128 + Self.wait())
        }
    }

    private static func wait() -> Int32 {
        var number: Int32 = 0
        sigwait([signals], &number)
        return number
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
