import CShoalSystem
import Glibc
import Synchronization

/// What other threads ask of a loop. Posting from the loop's own thread costs no system call.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        /// A connection that was accepted; `port` is nil for the server's own. With TLS or without.
        case adopt(descriptor: Int32, peer: String, port: Port?, TLSPort?)
        /// The second step is for a connection that is gone.
        case resume(connection: UInt64, @Sendable () -> Directive, orElse: (@Sendable () -> Void)?)
        case run(@Sendable () -> Void)
        /// Reset the connections that are meant.
        case drop(@Sendable (ConnectionHandle) -> Bool)
        /// Finish what is in flight, for so long at most.
        case stop(grace: Duration)
    }

    /// An eventfd that becomes readable when the loop sleeps and a letter comes.
    let bell: Int32
    /// Nil once the loop has ended: what a letter holds may hold the mailbox.
    private let letters = Mutex<[Letter]?>([])
    private let loopSleeps = Atomic(false)

    init() {
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(bell >= 0, "no file descriptor is left for an event loop")
    }

    deinit { close(bell) }

    func post(_ letter: Letter) {
        letters.withLock { $0?.append(letter) }
        guard loopSleeps.exchange(false, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// The loop is about to sleep; false if letters wait and it should not.
    func maySleep() -> Bool {
        loopSleeps.store(true, ordering: .sequentiallyConsistent)
        guard letters.withLock({ $0?.isEmpty ?? true }) else {
            loopSleeps.store(false, ordering: .relaxed)
            return false
        }
        return true
    }

    func woke() { loopSleeps.store(false, ordering: .relaxed) }

    func silenceBell() {
        var count: UInt64 = 0
        _ = read(bell, &count, 8)
    }

    func takeAll() -> [Letter] {
        letters.withLock { letters in
            guard let all = letters, !all.isEmpty else { return [] }
            letters?.removeAll(keepingCapacity: true)
            return all
        }
    }

    /// The loop has ended: what it was asked last, and nothing from now on.
    func end() -> [Letter] {
        letters.withLock { letters in
            defer { letters = nil }
            return letters ?? []
        }
    }
}
