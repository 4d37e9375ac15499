import CShoalSystem
import Glibc
import Synchronization

/// A thread that accepts connections and deals them out.
final class Acceptor: Sendable {
    private let socket: ListeningSocket
    private let warn: @Sendable (String) -> Void
    private let deal: @Sendable (_ descriptor: Int32, _ peer: String) -> Void
    private let isStopping = Atomic(false)
    /// Held back so that a connection can be accepted and closed when no other descriptor is left.
    private let spare: Mutex<Int32>
    private let thread = Mutex<Thread?>(nil)

    init(
        _ socket: ListeningSocket, warn: @escaping @Sendable (String) -> Void,
        deal: @escaping @Sendable (Int32, String) -> Void
    ) {
        self.socket = socket
        self.warn = warn
        self.deal = deal
        spare = Mutex(shoal_open("/dev/null", O_RDONLY, 0))
        thread.withLock { $0 = Thread(name: "shoal-accept") { [self] in run() } }
    }

    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        // Wakes a blocked accept; closing alone would not.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        thread.withLock { $0.take() }?.join()
        close(socket.descriptor)
        spare.withLock { _ = close($0) }
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
            deal(descriptor, Self.name(of: address))
        }
    }

    /// After a failure that lasts, such as a lack of memory, the next try waits a moment instead of using up a core.
    private func recover(_ code: Int32) {
        guard code != EINTR && code != ECONNABORTED else { return }
        guard code == EMFILE || code == ENFILE else {
            poll(nil, 0, Self.pauseMilliseconds)
            return
        }
        warn("no file descriptor is left: a connection is refused; raise `ulimit -n`")
        spare.withLock { spare in
            close(spare)
            let refused = accept(socket.descriptor, nil, nil)
            if refused >= 0 { close(refused) }
            spare = shoal_open("/dev/null", O_RDONLY, 0)
            if spare < 0 { poll(nil, 0, Self.pauseMilliseconds) }
        }
    }

    private static let pauseMilliseconds: Int32 = 20

    private static func name(of address: sockaddr_storage) -> String {
        withUnsafeBytes(of: address) { bytes in
            let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            if Int32(address.ss_family) == AF_INET {
                return "\(bytes[4]).\(bytes[5]).\(bytes[6]).\(bytes[7]):\(port)"
            }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, bytes.baseAddress! + 8, &text, socklen_t(text.count))
            let end = text.firstIndex(of: 0) ?? text.endIndex
            return "[\(String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self))]:\(port)"
        }
    }
}
