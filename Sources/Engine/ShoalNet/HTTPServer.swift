import CShoalSystem
import Glibc
import Synchronization

/// Listening sockets, an accepting thread for each, and the loops that serve what they accept.
package final class HTTPServer: Sendable {
    private let loops: [EventLoop]
    private let threads = Mutex<[Thread]>([])
    private let acceptors = Mutex<[Acceptor]>([])
    private let ports = Mutex<PortAcceptor?>(nil)
    private let nextLoop = Atomic(0)

    /// - Parameters:
    ///   - loopCount: one for each core, and at least two, so that one busy loop never silences the server.
    ///   - lastConnection: behind which connections are counted.
    package init(
        service: any HTTPService, bounds: ConnectionBounds = ConnectionBounds(),
        loopCount: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), lastConnection: UInt64 = 0
    ) {
        let siblings = Siblings(loopCount: loopCount, lastConnection: lastConnection)
        loops = (0..<loopCount).map { EventLoop(lane: $0, service: service, bounds: bounds, siblings: siblings) }
        threads.withLock { threads in
            threads = loops.map { loop in Thread(name: "shoal-loop-\(loop.lane)") { loop.run() } }
        }
    }

    package var laneCount: Int { loops.count }

    /// Starts to accept on `socket`, which listens already; it speaks TLS if `tls` is given.
    package func accept(
        on socket: ListeningSocket, tls: TLSPort? = nil, warn: @escaping @Sendable (String) -> Void
    ) {
        let acceptor = Acceptor(socket, warn: warn) { [self] descriptor, peer in
            deal(descriptor, peer, nil, tls)
        }
        acceptors.withLock { $0.append(acceptor) }
    }

    /// Starts to accept on every port there is and will be, until the server stops; all speak TLS if `tls` is given.
    package func accept(
        on ports: PortAcceptor, tls: TLSPort? = nil, warn: @escaping @Sendable (String) -> Void
    ) {
        ports.start(warn: warn) { [self] descriptor, peer, port in
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            deal(descriptor, peer, port, tls)
        }
        self.ports.withLock { $0 = ports }
    }

    private func deal(_ descriptor: Int32, _ peer: String, _ port: Port?, _ tls: TLSPort?) {
        let index = nextLoop.wrappingAdd(1, ordering: .relaxed).oldValue
        loops[index % loops.count].mailbox.post(.adopt(descriptor: descriptor, peer: peer, port: port, tls))
    }

    /// Runs `work` on the loop of that number.
    package func run(on lane: Int, _ work: @escaping @Sendable () -> Void) {
        loops[lane].mailbox.post(.run(work))
    }

    /// Accepts no more, closes what is idle, lets exchanges in flight finish for as long as `grace`, and returns when the last
    /// connection is gone.
    package func stop(grace: Duration = .seconds(10)) {
        let accepting = acceptors.withLock { acceptors in
            defer { acceptors = [] }
            return acceptors
        }
        for acceptor in accepting { acceptor.stop() }
        ports.withLock { $0.take() }?.stop()
        for loop in loops { loop.mailbox.post(.stop(grace: grace)) }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}

/// What the loops of one server share: the count of their connections, and their mailboxes.
final class Siblings: Sendable {
    let mailboxes: [Mailbox]
    private let lastConnection: Atomic<UInt64>

    init(loopCount: Int, lastConnection: UInt64) {
        mailboxes = (0..<loopCount).map { _ in Mailbox() }
        self.lastConnection = Atomic(lastConnection)
    }

    func nextConnection() -> UInt64 { lastConnection.add(1, ordering: .relaxed).newValue }

    /// To every loop.
    func post(_ letter: Mailbox.Letter) { for mailbox in mailboxes { mailbox.post(letter) } }
}
