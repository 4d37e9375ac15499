import CShoalSystem
import Glibc

/// What the thread of the ports waits for: their connections, and a bell. Made with the first port, because descriptors
/// are scarce where most servers have none.
final class PortWatch: Sendable {
    let epoll: Int32
    let spare = SpareDescriptor()
    private let bell: Int32

    init() throws(SocketError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard epoll >= 0, bell >= 0 else {
            let code = errno
            // One of them may be open: closing -1 does nothing.
            Glibc.close(epoll)
            Glibc.close(bell)
            throw .system("epoll_create1 or eventfd", code)
        }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        _ = epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event)
    }

    deinit {
        Glibc.close(epoll)
        Glibc.close(bell)
    }

    /// Wakes the thread for its end.
    func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// The thread is awake.
    func hear() {
        var rings: UInt64 = 0
        _ = read(bell, &rings, 8)
    }
}
