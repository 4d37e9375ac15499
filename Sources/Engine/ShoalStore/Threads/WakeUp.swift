import CShoalSystem
import Glibc

/// Lets one thread sleep until another has something for it: eventfd(2).
package final class WakeUp: Sendable {
    private let descriptor: Int32

    package init(in directory: String) throws(StoreError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .failed(.open, directory + ": eventfd") }
    }

    deinit { close(descriptor) }

    /// Wakes the sleeper, or the next one to sleep. Signals that nobody waited for yet count as one.
    package func signal() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the sleeper wakes anyway.
        _ = Glibc.write(descriptor, &one, 8)
    }

    /// Sleeps until a signal or, unless nil, for `milliseconds`.
    package func wait(milliseconds: Int32? = nil) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, milliseconds ?? -1) < 0 && errno == EINTR {}
        var count: UInt64 = 0
        // Nothing to read after a timeout.
        _ = Glibc.read(descriptor, &count, 8)
    }
}
