import CShoalSystem
import Glibc
import Synchronization

/// A thread that accepts connections and deals them out.
final class Acceptor: Sendable {
    private let socket: ListeningSocket
    private let warn: @Sendable (String) -> Void
    private let deal: @Sendable (_ descriptor: Int32, _ peer: String) -> Void
    private let isStopping = Atomic(false)
    private let spare = SpareDescriptor()
    private let thread = Mutex<Thread?>(nil)

    init(
        _ socket: ListeningSocket, warn: @escaping @Sendable (String) -> Void,
        deal: @escaping @Sendable (Int32, String) -> Void
    ) {
        self.socket = socket
        self.warn = warn
        self.deal = deal
        thread.withLock { $0 = Thread(name: "shoal-accept") { [self] in run() } }
    }

    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        // Wakes a blocked accept; closing alone would not.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        thread.withLock { $0.take() }?.join()
        close(socket.descriptor)
    }

    private func run() {
        while !isStopping.load(ordering: .sequentiallyConsistent) {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    shoal_accept(socket.descriptor, $0, &length)
                }
            }
            guard descriptor >= 0 else {
                recover(errno)
                continue
            }
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            deal(descriptor, address.name)
        }
    }

    /// After a failure that lasts, such as a lack of memory, the next try waits a moment instead of using up a core.
    private func recover(_ code: Int32) {
        guard code != EINTR && code != ECONNABORTED else { return }
        guard code == EMFILE || code == ENFILE else {
            poll(nil, 0, Self.pauseMilliseconds)
            return
        }
        warn(SpareDescriptor.warning)
        spare.refuse(on: socket.descriptor)
    }

    private static let pauseMilliseconds: Int32 = 20
}
