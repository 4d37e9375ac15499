import CShoalSystem
import Glibc
import Synchronization

/// A file descriptor held back, so that a connection can be accepted and closed when no other is left: it would wait in
/// the kernel's queue otherwise, and its client with it.
final class SpareDescriptor: Sendable {
    static let warning = "no file descriptor is left: a connection is refused; raise `ulimit -n`"

    private let descriptor = Mutex(SpareDescriptor.open())
    /// Before the next try if not even the spare one comes back.
    private static let pauseMilliseconds: Int32 = 20

    deinit { descriptor.withLock { _ = close($0) } }

    /// Closes the next connection that waits at `socket`.
    func refuse(on socket: Int32) {
        descriptor.withLock { spare in
            close(spare)
            let refused = accept(socket, nil, nil)
            if refused >= 0 { close(refused) }
            spare = Self.open()
            if spare < 0 { poll(nil, 0, Self.pauseMilliseconds) }
        }
    }

    private static func open() -> Int32 { shoal_open("/dev/null", O_RDONLY, 0) }
}
