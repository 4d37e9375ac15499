import CShoalSystem
import Glibc
import Synchronization

/// A listening port beside the server's own. It can refuse connections for a while, or let them hang, and keeps its number
/// meanwhile. It serves what it gets as the server does; a connection knows its port.
package final class Port: Sendable {
    /// What becomes of a client that connects.
    private enum Standing {
        case open
        /// The kernel answers RST: the socket is bound and does not listen.
        case refusing
        /// The kernel drops what asks for a connection: its queue is full of our own.
        case hanging
        case closed
    }

    private struct State {
        var standing = Standing.open
        /// Own connections that fill the queue.
        var fillers: [Int32] = []
        /// The local names of fillers that were let go and may still stand in the queue.
        var ghosts: Set<String> = []
    }

    package let number: UInt16
    /// Tells it from every other port of its acceptor.
    let id: UInt64
    private let socket: ListeningSocket
    private let epoll: Int32
    private let state = Mutex(State())

    /// Connections accepted in one go.
    private static let batchCountMax = 64
    /// A queue that takes one connection takes a few that come at the same moment.
    private static let fillerCountMax = 64
    /// Milliseconds for one of them.
    private static let fillTryCountMax = 100

    init(id: UInt64, _ socket: ListeningSocket, epoll: Int32) {
        (self.id, self.socket, self.epoll) = (id, socket, epoll)
        number = socket.port
        watch(true)
    }

    // MARK: Standing

    /// Refuses connections from now on; those that nobody has accepted yet are reset.
    package func refuse() {
        state.withLock { state in
            guard state.standing != .closed else { return }
            watch(false)
            shutdown(socket.descriptor, Int32(SHUT_RDWR))
            state.ghosts = []
            Self.close(&state.fillers)
            state.standing = .refusing
        }
    }

    /// Leaves without an answer whoever connects from now on. Connections that were complete already wait.
    package func hang() throws(SocketError) {
        try state.withLock { (state) throws(SocketError) in
            guard state.standing != .closed, state.standing != .hanging else { return }
            watch(false)
            state.standing = .hanging
            // A socket that listens already only gets another bound.
            guard listen(socket.descriptor, 0) == 0 else { throw .system("listen", errno) }
            try fill(&state.fillers)
        }
    }

    /// As it was at first. Throws if another program has taken the number meanwhile.
    package func open() throws(SocketError) {
        try state.withLock { (state) throws(SocketError) in
            guard state.standing != .closed, state.standing != .open else { return }
            guard listen(socket.descriptor, ListeningSocket.backlog) == 0 else { throw .system("listen", errno) }
            state.ghosts = Set(state.fillers.map { sockaddr_storage(ofLocalEndOf: $0).name })
            Self.close(&state.fillers)
            state.standing = .open
            watch(true)
        }
    }

    /// Gives the number back. Connections that were accepted go on.
    func close() {
        state.withLock { state in
            guard state.standing != .closed else { return }
            watch(false)
            Self.close(&state.fillers)
            state.standing = .closed
            socket.close()
        }
    }

    private func watch(_ isOn: Bool) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: id))
        _ = epoll_ctl(epoll, isOn ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, socket.descriptor, &event)
    }

    // MARK: The queue

    /// Connects to itself until the kernel's queue is full.
    private func fill(_ fillers: inout [Int32]) throws(SocketError) {
        while !isQueueFull, fillers.count < Self.fillerCountMax {
            var address = reachableAddress
            let filler = Glibc.socket(
                Int32(address.ss_family),
                Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard filler >= 0 else { throw .system("socket", errno) }
            fillers.append(filler)
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(filler, $0, socklen_t(MemoryLayout<sockaddr_storage>.size))
                }
            }
            guard code == 0 || errno == EINPROGRESS else { throw .system("connect", errno) }
            awaitConnection(filler)
        }
    }

    /// A client may take the last place before us: then the connection never comes, and need not.
    private func awaitConnection(_ filler: Int32) {
        var event = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
        for _ in 0..<Self.fillTryCountMax where !isQueueFull && poll(&event, 1, 1) == 0 {}
    }

    /// The kernel drops a SYN when more than the bound wait: `sk_acceptq_is_full` in Linux.
    private var isQueueFull: Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        getsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length)
        // Of a listening socket these two are its queue and the bound of that.
        return info.tcpi_unacked > info.tcpi_sacked
    }

    /// Its own address; the loopback one where it listens on all.
    private var reachableAddress: sockaddr_storage {
        var address = sockaddr_storage(ofLocalEndOf: socket.descriptor)
        withUnsafeMutableBytes(of: &address) { bytes in
            if Int32(bytes.load(as: sa_family_t.self)) == AF_INET {
                if bytes[4..<8].allSatisfy({ $0 == 0 }) { (bytes[4], bytes[7]) = (127, 1) }
            } else if bytes[8..<24].allSatisfy({ $0 == 0 }) {
                bytes[23] = 1
            }
        }
        return address
    }

    private static func close(_ descriptors: inout [Int32]) {
        for descriptor in descriptors { Glibc.close(descriptor) }
        descriptors = []
    }

    /// Connections that wait, without our own; `isOver` tells that no descriptor was left for the next one.
    func accept(sparing spare: SpareDescriptor) -> (accepted: [(descriptor: Int32, peer: String)], isOver: Bool) {
        state.withLock { state in
            var accepted: [(descriptor: Int32, peer: String)] = []
            while state.standing == .open, accepted.count < Self.batchCountMax {
                var address = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        shoal_accept(socket.descriptor, $0, &length)
                    }
                }
                guard descriptor >= 0 else {
                    guard errno == EMFILE || errno == ENFILE else {
                        // A lack of memory lasts: the next try waits a moment instead of using up a core.
                        if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { poll(nil, 0, 20) }
                        break
                    }
                    spare.refuse(on: socket.descriptor)
                    return (accepted, true)
                }
                let peer = address.name
                if state.ghosts.remove(peer) != nil {
                    Glibc.close(descriptor)
                } else {
                    accepted.append((descriptor, peer))
                }
            }
            return (accepted, false)
        }
    }
}
