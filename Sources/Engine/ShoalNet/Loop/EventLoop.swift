import CShoalSystem
import Glibc
import ShoalHTTP
import ShoalTLS

/// One thread with an epoll set and the connections it owns.
///
/// `@unchecked Sendable`: other threads touch only the mailbox; everything else belongs to the loop's own thread.
final class EventLoop: @unchecked Sendable {
    let lane: Int
    let mailbox: Mailbox
    let service: any HTTPService
    let bounds: ConnectionBounds
    /// Received bytes lie here during a turn.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4_096)
    /// Response heads and small bodies are put together here.
    var scratch: [UInt8] = []
    /// What TLS makes of what is sent passes through here.
    let ciphertext = CiphertextBuffer()
    /// Connections that hold input of which their sockets do not tell.
    private var waiting: [UInt64] = []
    /// Monotonic nanoseconds at the start of the turn.
    private(set) var now = monotonicNanoseconds()

    private let epoll: Int32
    private var connections: [UInt64: Connection] = [:]
    private var timers = TimerQueue()
    private var isStopping = false
    /// When a stopping loop gives up waiting for exchanges in flight.
    private var graceEnd: UInt64 = .max
    private let siblings: Siblings

    private static let eventCountMax = 256
    /// How often letters that letters caused are handled before the sockets get their turn again.
    private static let mailRoundCountMax = 8

    init(lane: Int, service: any HTTPService, bounds: ConnectionBounds, siblings: Siblings) {
        self.lane = lane
        mailbox = siblings.mailboxes[lane]
        self.service = service
        self.bounds = bounds
        self.siblings = siblings
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "no file descriptor is left for an event loop")
        control(EPOLL_CTL_ADD, mailbox.bell, EPOLLIN.rawValue, id: 0)
    }

    deinit {
        buffer.deallocate()
        close(epoll)
    }

    /// Serves until `.stop` came and the last connection is gone.
    func run() {
        Self.blockBrokenPipes()
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventCountMax)
        defer { events.deallocate() }
        while !(isStopping && connections.isEmpty) {
            let count = epoll_wait(epoll, events, Int32(Self.eventCountMax), sleepMilliseconds())
            mailbox.woke()
            now = monotonicNanoseconds()
            for index in 0..<Int(max(count, 0)) { handle(events[index]) }
            if !waiting.isEmpty { takeWaiting() }
            fireTimers()
            // Last, because it tells the service that the turn ends: what a timer let go on must not wait for the next one.
            handleMail()
            if now >= graceEnd {
                for connection in Array(connections.values) { connection.abandon() }
            }
        }
        for letter in mailbox.end() { handle(letter) }
    }

    private func sleepMilliseconds() -> Int32 {
        guard waiting.isEmpty, mailbox.maySleep() else { return 0 }
        let deadline = min(timers.earliest ?? .max, graceEnd)
        guard deadline != .max else { return -1 }
        let current = monotonicNanoseconds()
        guard deadline > current else { return 0 }
        // Rounded up: a delay is never shorter than it was asked to be.
        return Int32(clamping: (deadline - current + 999_999) / 1_000_000)
    }

    private func handle(_ event: epoll_event) {
        let id = event.data.u64
        guard id != 0 else { return mailbox.silenceBell() }
        connections[id]?.ready(event.events)
    }

    private func handleMail() {
        for _ in 0..<Self.mailRoundCountMax {
            service.turnEnded(lane: lane)
            let letters = mailbox.takeAll()
            if letters.isEmpty { return }
            for letter in letters { handle(letter) }
        }
    }

    private func handle(_ letter: Mailbox.Letter) {
        switch letter {
        case .adopt(let descriptor, let peer, let port, let tls): adopt(descriptor, peer: peer, port, tls)
        case .resume(let id, let step, let orElse):
            if let connection = connections[id] { connection.resume(step) } else { orElse?() }
        case .run(let work): work()
        case .drop(let isMeant):
            for connection in Array(connections.values) where isMeant(connection.handle) { connection.drop() }
        case .stop(let grace):
            isStopping = true
            graceEnd = now + grace.nanoseconds
            for connection in Array(connections.values) { connection.stop() }
        }
    }

    private func takeWaiting() {
        let ids = waiting
        waiting.removeAll(keepingCapacity: true)
        for id in ids { connections[id]?.ready(EPOLLIN.rawValue) }
    }

    private func adopt(_ descriptor: Int32, peer: String, _ port: Port?, _ tls: TLSPort?) {
        let handle = ConnectionHandle(
            id: siblings.nextConnection(), lane: lane, peer: peer, port: port, isSecure: tls != nil, mailbox: mailbox,
            siblings: siblings)
        let connection = Connection(handle, descriptor: descriptor, tls: tls, loop: self)
        connections[handle.id] = connection
        control(EPOLL_CTL_ADD, descriptor, Connection.readInterest, id: handle.id)
        connection.open()
        if isStopping { connection.stop() }
    }

    private func fireTimers() {
        while let id = timers.popDue(now) {
            guard let connection = connections[id] else { continue }
            connection.queuedDeadline = .max
            if connection.deadline <= now {
                connection.deadlinePassed()
            } else {
                schedule(connection)
            }
        }
    }
}

// MARK: - For connections

extension EventLoop {
    /// Makes sure that the connection hears of its deadline.
    func schedule(_ connection: Connection) {
        guard connection.deadline < connection.queuedDeadline else { return }
        connection.queuedDeadline = connection.deadline
        timers.add(connection.handle.id, at: connection.deadline)
    }

    /// The connection gets another turn before the loop sleeps.
    func lookAgain(at connection: Connection) { waiting.append(connection.handle.id) }

    func setInterest(_ interest: UInt32, of connection: Connection) {
        control(EPOLL_CTL_MOD, connection.descriptor, interest, id: connection.handle.id)
    }

    func remove(_ connection: Connection, _ end: ConnectionEnd, after history: ConnectionHistory) {
        connections[connection.handle.id] = nil
        defer { connection.handle.end() }
        service.closed(connection.handle, end, after: history)
    }

    /// `sendfile` has no flag that keeps a peer's reset from killing the process, which need not be ours alone.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: UInt32, id: UInt64) {
        var event = epoll_event(events: interest, data: epoll_data_t(u64: id))
        _ = epoll_ctl(epoll, operation, descriptor, &event)
    }
}

/// Nanoseconds of the monotonic clock.
package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
