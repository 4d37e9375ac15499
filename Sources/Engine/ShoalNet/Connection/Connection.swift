import CShoalSystem
import Glibc
import ShoalHTTP
import ShoalTLS

/// One accepted socket: carries out what its machine decides. Owned by one loop.
final class Connection {
    let handle: ConnectionHandle
    let descriptor: Int32
    let loop: EventLoop
    var machine: ConnectionMachine
    /// Nil on a port of plain HTTP.
    var tls: TLSLayer?
    var exchange: (any Exchange)?
    var input = InputWindow()
    var body = BodyIntake()
    var outgoing: Outgoing?
    var inputPacer: Pacer?
    var outputPacer: Pacer?
    /// The deadline is the end of a pacer's wait.
    var isHeldBack = false
    /// Monotonic nanoseconds; `.max` for none.
    var deadline: UInt64 = .max
    /// The earliest entry the timer queue holds for this connection.
    var queuedDeadline: UInt64 = .max

    private var parser: HeadParser?
    var exchangeCount = 0
    var continuation: (() -> Directive)?
    /// How long the connection may stay idle; nil for as long as others.
    private var parkingTime: Duration?
    private var interest = Connection.readInterest
    var lingerEnd: UInt64 = .max
    var lingerByteCount: UInt64 = 0
    var resetEnd: UInt64 = .max

    static let readInterest = EPOLLIN.rawValue | EPOLLRDHUP.rawValue

    init(_ handle: ConnectionHandle, descriptor: Int32, tls port: TLSPort?, loop: EventLoop) {
        self.handle = handle
        machine = ConnectionMachine(isSecure: port != nil)
        tls = port.map { TLSLayer($0, on: descriptor, output: loop.ciphertext) }
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit { input.free() }

    func open() {
        run(machine.on(.accepted))
        endTurn()
    }

    func stop() {
        run(machine.on(.stop))
        if machine.state == .deciding, let directive = exchange?.serverStops() { resume { directive } }
    }

    /// The network under the connection is gone.
    func drop() { run(machine.on(.drop)) }

    /// The grace for exchanges in flight is over.
    func abandon() { run(machine.on(.abandon)) }

    func resume(_ step: () -> Directive) {
        guard machine.state == .deciding || machine.state == .opening else { return }
        continuation = nil
        clearDeadline()
        run(follow(step()))
        endTurn()
    }

    func deadlinePassed() {
        deadline = .max
        if machine.state == .resetting, loop.now < resetEnd, shoal_unsent_bytes(descriptor) > 0 {
            return setDeadline(.milliseconds(1))
        }
        if isHeldBack { return goOn() }
        if machine.state == .body, sendWithheldContinue() { return }
        run(machine.on(.deadline))
        endTurn()
    }
}

// MARK: - Actions

extension Connection {
    /// Carries out an action and all that follow from it at once.
    func run(_ first: ConnectionMachine.Action) {
        var action = first
        while action != .none { action = carryOut(action) }
    }

    private func carryOut(_ action: ConnectionMachine.Action) -> ConnectionMachine.Action {
        switch action {
        case .none: return .none
        case .askOpened: return follow(loop.service.opened(handle))
        case .handshake: return handshake()
        case .askHello: return askHello()
        case .askSecured: return askSecured()
        case .readHead: return readHead()
        case .askBegin: return ask { $0.begin() }
        case .readBody: return takeBody()
        case .sendContinueAndReadBody:
            sendContinue()
            return takeBody()
        case .sendContinueAndAskBodyEnded:
            sendContinue()
            return .askBodyEnded
        case .askBodyEnded:
            clearDeadline()
            return ask { $0.bodyEnded() }
        case .askBodyCut(let cut):
            clearDeadline()
            return ask { $0.bodyCut(cut) }
        case .send(let closes): return send(closes: closes)
        case .sendOn: return pump()
        case .askResponseSent:
            clearDeadline()
            guard let exchange else { return machine.on(.proceed) }
            return follow(exchange.responseSent())
        case .linger: return linger()
        case .absorb: return absorb()
        case .shutOutputAndAbsorb:
            shutOutput()
            return absorb()
        case .drainAndReset: return drainAndReset()
        case .leave:
            tls?.session.truncate()
            end(shoal_unread_bytes(descriptor) > 0 ? .reset : .fin)
            return .none
        case .wake:
            guard let step = continuation else { return .none }
            continuation = nil
            return follow(step())
        case .close(let how):
            end(how)
            return .none
        }
    }

    private func ask(_ question: (any Exchange) -> Directive) -> ConnectionMachine.Action {
        guard let exchange else { return .none }
        return follow(question(exchange))
    }

    func follow(_ directive: Directive) -> ConnectionMachine.Action {
        switch directive {
        case .proceed: return machine.on(.proceed)
        case .receiveBody: return machine.on(.receiveBody(hasInput: !input.isEmpty))
        case .receiveBodyUnasked(let wait):
            body.continueTime = wait.map { loop.now + $0.nanoseconds }
            _ = machine.on(.withholdContinue)
            return machine.on(.receiveBody(hasInput: !input.isEmpty))
        case .respond(let response):
            outgoing = Outgoing(response)
            return machine.on(.respond(ends: response.endsConnection))
        case .sendOn: return machine.on(.sendOn)
        case .send(let bytes):
            outgoing = Outgoing(raw: bytes)
            return machine.on(.sendOn)
        case .suspend:
            clearDeadline()
            return machine.on(.suspend)
        case .wait(let duration, let then):
            continuation = then
            setDeadline(duration)
            return machine.on(.suspend)
        case .hang:
            clearDeadline()
            return machine.on(.hang)
        case .blackhole: return machine.on(.blackhole)
        case .halfClose: return machine.on(.halfClose)
        case .closeInput(let then):
            _ = machine.on(.closeInput)
            return follow(then())
        case .pace(let input, let output, let then):
            pace(input: input, output: output)
            return follow(then())
        case .park(let duration):
            parkingTime = duration
            return machine.on(.park)
        case .present(let identity, let then):
            tls?.session.present(identity, anew: true)
            tls?.hasIdentity = true
            return follow(then())
        case .refuse(let alert):
            tls?.session.refuse(withAlert: alert)
            return machine.on(.close)
        case .truncate:
            tls?.session.truncate()
            return machine.on(.close)
        case .close: return machine.on(.close)
        case .abandon: return machine.on(.leave)
        case .reset: return machine.on(.reset)
        }
    }
}

// MARK: - Heads

extension Connection {
    private func readHead() -> ConnectionMachine.Action {
        if let directive = exchange?.parked() { return follow(directive) }
        (exchange, outgoing) = (nil, nil)
        (inputPacer, outputPacer) = (nil, nil)
        setDeadline(parkingTime ?? loop.bounds.idle)
        parkingTime = nil
        setInterest(Self.readInterest)
        guard !input.isEmpty else { return .none }
        return headInput()
    }

    /// Bytes of a head are in the window.
    private func headInput() -> ConnectionMachine.Action {
        if machine.state == .idle {
            _ = machine.on(.input)
            setDeadline(loop.bounds.head)
        }
        var current = parser ?? HeadParser()
        parser = nil
        do {
            if !current.hasRequestLine, loop.service.meetsRequestLines {
                let line = try current.parseRequestLine(input.bytes.bindMemory(to: UInt8.self).span)
                parser = current
                guard let line else { return .none }
                clearDeadline()
                _ = machine.on(.lineComplete)
                // From `.proceed` the way leads here again, with the line read.
                return follow(loop.service.requestLine(line, on: handle, ordinal: exchangeCount + 1))
            }
            guard let (head, byteCount) = try current.parse(input.bytes.bindMemory(to: UInt8.self).span) else {
                parser = current
                return .none
            }
            input.consume(byteCount)
            clearDeadline()
            exchangeCount += 1
            body = BodyIntake()
            exchange = loop.service.exchange(for: head, on: handle, ordinal: exchangeCount)
            return machine.on(
                .headComplete(head.framing, expectsContinue: head.expectsContinue, keepsAlive: head.keepsAlive))
        } catch {
            outgoing = Outgoing(loop.service.answer(to: error, on: handle))
            return machine.on(.headRefused)
        }
    }

    /// What the socket has while a head is awaited.
    func receiveHead() {
        let count = take(into: loop.buffer.baseAddress, loop.buffer.count)
        guard count > 0 else { return receivedNothing(count) }
        input.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(loop.buffer)[..<count]))
        run(headInput())
        input.keep()
    }

    func receivedNothing(_ count: Int) {
        if count == 0 { return run(machine.on(.peerFinished)) }
        guard errno != EAGAIN && errno != EINTR else { return }
        run(machine.on(.peerReset))
    }
}

// MARK: - Readiness and deadlines

extension Connection {
    /// The socket is ready for something.
    func ready(_ events: UInt32) {
        if events & EPOLLERR.rawValue != 0 { return run(machine.on(.peerReset)) }
        switch machine.state {
        case .handshaking: run(handshake())
        case .idle, .head: receiveHead()
        case .body: receiveBody()
        case .lingering: dropInput()
        case .absorbing: absorbInput()
        case .sending:
            if events & EPOLLOUT.rawValue != 0 { run(pump()) } else { peerStirred(events) }
        case .opening, .deciding, .hanging, .resetting: peerStirred(events)
        case .closed: break
        }
        endTurn()
    }

    /// Something came that nobody wants yet: look away, so that the loop does not spin, but notice a FIN. Room to send
    /// matters only while an answer is being sent, and not while it pauses.
    private func peerStirred(_ events: UInt32) {
        let room = machine.state == .sending ? interest & EPOLLOUT.rawValue : 0
        setInterest(room | (events & EPOLLRDHUP.rawValue == 0 ? EPOLLRDHUP.rawValue : 0))
        if events & EPOLLHUP.rawValue != 0 { return run(machine.on(.peerReset)) }
        if events & EPOLLRDHUP.rawValue != 0 { run(machine.on(.peerFinished)) }
    }

    func setInterest(_ wanted: UInt32) {
        guard wanted != interest else { return }
        interest = wanted
        loop.setInterest(wanted, of: self)
    }

    var isReading: Bool { interest & EPOLLIN.rawValue != 0 }

    func setDeadline(_ duration: Duration) {
        deadline = loop.now + duration.nanoseconds
        loop.schedule(self)
    }

    func clearDeadline() { deadline = .max }
}
