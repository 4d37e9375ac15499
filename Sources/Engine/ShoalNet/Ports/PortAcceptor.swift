import CShoalSystem
import Glibc
import Synchronization

/// One thread that accepts the connections of every `Port`, however many come and go while the server runs.
package final class PortAcceptor: Sendable {
    package static let portCountMax = 256

    private struct State {
        var lastID: UInt64 = 0
        var ports: [UInt64: Port] = [:]
        /// Set once there has been a port.
        var watch: PortWatch?
        /// Set once somebody serves.
        var service: Service?
        var thread: Thread?
        var isStopped = false
    }

    private struct Service: Sendable {
        let warn: @Sendable (String) -> Void
        let deal: @Sendable (_ descriptor: Int32, _ peer: String, Port) -> Void
    }

    private let host: String
    private let state = Mutex(State())

    private static let eventCountMax = 64

    /// - Parameter host: the address of all ports, as `ListeningSocket` takes it.
    package init(host: String) { self.host = host }

    deinit { stop() }

    /// Opens a port; 0 lets the kernel choose. Throws `.tooManyPorts` for more than `portCountMax`.
    package func open(_ wanted: UInt16 = 0) throws(SocketError) -> Port {
        try state.withLock { (state) throws(SocketError) in
            guard state.ports.count < Self.portCountMax else { throw .tooManyPorts(Self.portCountMax) }
            let watch = if let watch = state.watch { watch } else { try PortWatch() }
            state.watch = watch
            let socket = try ListeningSocket(keeping: host, port: wanted)
            state.lastID += 1
            let port = Port(id: state.lastID, socket, epoll: watch.epoll)
            state.ports[port.id] = port
            startThread(&state)
            return port
        }
    }

    package func close(_ port: Port) {
        state.withLock { _ = $0.ports.removeValue(forKey: port.id) }
        port.close()
    }

    // MARK: The thread

    func start(
        warn: @escaping @Sendable (String) -> Void,
        deal: @escaping @Sendable (_ descriptor: Int32, _ peer: String, Port) -> Void
    ) {
        state.withLock { state in
            state.service = Service(warn: warn, deal: deal)
            startThread(&state)
        }
    }

    /// There is none as long as there is no port.
    private func startThread(_ state: inout State) {
        guard let service = state.service, let watch = state.watch, state.thread == nil, !state.isStopped else {
            return
        }
        state.thread = Thread(name: "shoal-ports") { [unowned self] in run(service, watch) }
    }

    /// Closes every port and ends the thread. A second call does nothing.
    package func stop() {
        let (ports, thread, watch) = state.withLock { state in
            defer {
                (state.isStopped, state.ports, state.thread) = (true, [:], nil)
                state.service = nil
            }
            return (state.ports.values, state.thread, state.watch)
        }
        for port in ports { port.close() }
        watch?.ring()
        thread?.join()
    }

    private func run(_ service: Service, _ watch: PortWatch) {
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventCountMax)
        defer { events.deallocate() }
        while !state.withLock({ $0.isStopped }) {
            let count = epoll_wait(watch.epoll, events, Int32(Self.eventCountMax), -1)
            for index in 0..<Int(max(count, 0)) {
                let id = events[index].data.u64
                guard let port = state.withLock({ $0.ports[id] }) else {
                    if id == 0 { watch.hear() }
                    continue
                }
                let (accepted, isOver) = port.accept(sparing: watch.spare)
                for connection in accepted { service.deal(connection.descriptor, connection.peer, port) }
                if isOver { service.warn(SpareDescriptor.warning) }
            }
        }
    }
}
