import CShoalSystem
import Glibc
import Synchronization

/// Listening sockets, an accepting thread for each, and the loops that serve what they accept.
package final class HTTPServer: Sendable {
    private let loops: [EventLoop]
    private let threads = Mutex<[Thread]>([])
    private let acceptors = Mutex<[Acceptor]>([])
    private let nextLoop = Atomic(0)

    /// - Parameter loopCount: one for each core, and at least two, so that one busy loop never silences the server.
    package init(
        service: any HTTPService, bounds: ConnectionBounds = ConnectionBounds(),
        loopCount: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    ) {
        let ids = ConnectionIDs()
        loops = (0..<loopCount).map { EventLoop(lane: $0, service: service, bounds: bounds, ids: ids) }
        threads.withLock { threads in
            threads = loops.map { loop in Thread(name: "shoal-loop-\(loop.lane)") { loop.run() } }
        }
    }

    package var laneCount: Int { loops.count }

    /// Starts to accept on `socket`, which listens already.
    package func accept(on socket: ListeningSocket, warn: @escaping @Sendable (String) -> Void) {
        let acceptor = Acceptor(socket, warn: warn) { [self] descriptor, peer in
            let index = nextLoop.wrappingAdd(1, ordering: .relaxed).oldValue
            loops[index % loops.count].mailbox.post(.adopt(descriptor: descriptor, peer: peer))
        }
        acceptors.withLock { $0.append(acceptor) }
    }

    /// Runs `work` on the loop of that number.
    package func run(on lane: Int, _ work: @escaping @Sendable () -> Void) {
        loops[lane].mailbox.post(.run(work))
    }

    /// Accepts no more, lets exchanges in flight finish, closes what is idle, and returns when the last connection is gone.
    package func stop() {
        let accepting = acceptors.withLock { acceptors in
            defer { acceptors = [] }
            return acceptors
        }
        for acceptor in accepting { acceptor.stop() }
        for loop in loops { loop.mailbox.post(.stop) }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}

/// Numbers connections across all loops.
final class ConnectionIDs: Sendable {
    private let last = Atomic<UInt64>(0)

    func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
