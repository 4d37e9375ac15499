import ShoalHTTP
import ShoalNet
import Testing

@Suite struct `A connection's machine` {
    typealias Action = ConnectionMachine.Action

    /// A machine that was asked to begin an exchange.
    static func begun(
        _ framing: BodyFraming, expects: Bool = false, keepsAlive: Bool = true
    ) -> ConnectionMachine {
        var machine = ConnectionMachine()
        #expect(machine.on(.accepted) == .askOpened)
        #expect(machine.on(.proceed) == .readHead)
        #expect(machine.on(.input) == .none)
        #expect(
            machine.on(.headComplete(framing, expectsContinue: expects, keepsAlive: keepsAlive)) == .askBegin)
        return machine
    }

    @Test func `takes a body, answers and waits for the next head`() {
        var machine = Self.begun(.length(10))
        #expect(machine.on(.receiveBody(hasInput: false)) == .readBody)
        #expect(machine.on(.bodyBytes(4)) == .none)
        #expect(machine.on(.bodyBytes(6)) == .askBodyEnded)
        #expect(machine.on(.respond(ends: false)) == .send(closes: false))
        #expect(machine.on(.responseSent) == .askResponseSent)
        #expect(machine.on(.proceed) == .readHead)
        #expect(machine.state == .idle)
    }

    @Test func `sends 100 Continue once, and only before the body begins`() {
        var waiting = Self.begun(.length(10), expects: true)
        #expect(waiting.on(.receiveBody(hasInput: false)) == .sendContinueAndReadBody)
        #expect(waiting.on(.suspend) == .none)
        #expect(waiting.on(.receiveBody(hasInput: false)) == .readBody)

        var impatient = Self.begun(.length(10), expects: true)
        #expect(impatient.on(.receiveBody(hasInput: true)) == .readBody)

        var empty = Self.begun(.length(0), expects: true)
        #expect(empty.on(.receiveBody(hasInput: false)) == .sendContinueAndAskBodyEnded)
        #expect(empty.on(.receiveBody(hasInput: false)) == .askBodyEnded)
    }

    @Test func `closes after an answer that came before the body's end`() {
        var machine = Self.begun(.length(10))
        #expect(machine.on(.respond(ends: false)) == .send(closes: true))
        #expect(machine.on(.responseSent) == .askResponseSent)
        #expect(machine.on(.proceed) == .linger)
        #expect(machine.on(.peerFinished) == .close(.fin))
    }

    @Test func `closes after the answer when the client asked for it`() {
        var machine = Self.begun(.none, keepsAlive: false)
        #expect(machine.on(.respond(ends: false)) == .send(closes: true))
        #expect(machine.on(.responseSent) == .askResponseSent)
        #expect(machine.on(.proceed) == .linger)
        #expect(machine.on(.deadline) == .close(.timeout))
    }

    @Test func `still answers a client that closed its own side`() {
        var machine = Self.begun(.none)
        #expect(machine.on(.suspend) == .none)
        #expect(machine.on(.peerFinished) == .none)
        #expect(machine.on(.respond(ends: false)) == .send(closes: true))
        #expect(machine.on(.responseSent) == .askResponseSent)
        // What it sent before its FIN may lie unread in the kernel: closing on top of it would be a RST.
        #expect(machine.on(.proceed) == .linger)
        #expect(machine.on(.peerFinished) == .close(.fin))
    }

    @Test func `reports a body that ends early, and one that stalls`() {
        var cut = Self.begun(.length(10))
        _ = cut.on(.receiveBody(hasInput: false))
        _ = cut.on(.bodyBytes(3))
        #expect(cut.on(.peerFinished) == .askBodyCut(.closedByPeer))

        var stalled = Self.begun(.chunked)
        _ = stalled.on(.receiveBody(hasInput: false))
        #expect(stalled.on(.deadline) == .askBodyCut(.stalled))
    }

    @Test func `hangs until the peer leaves`() {
        var machine = Self.begun(.length(10))
        #expect(machine.on(.hang) == .none)
        #expect(machine.on(.peerFinished) == .close(.finByPeer))
    }

    @Test func `absorbs until the peer leaves, with or without a FIN of its own`() {
        var hole = Self.begun(.length(10))
        #expect(hole.on(.blackhole) == .absorb)
        #expect(hole.on(.deadline) == .none)
        #expect(hole.on(.peerFinished) == .close(.finByPeer))

        var half = Self.begun(.length(10))
        #expect(half.on(.halfClose) == .shutOutputAndAbsorb)
        #expect(half.on(.peerFinished) == .close(.fin))

        var stopped = Self.begun(.length(10))
        _ = stopped.on(.blackhole)
        #expect(stopped.on(.stop) == .close(.stopped))
    }

    @Test func `takes nothing more once its input is closed, but answers, and serves nothing behind that`() {
        var upload = Self.begun(.length(10))
        #expect(upload.on(.closeInput) == .none)
        #expect(upload.on(.receiveBody(hasInput: true)) == .askBodyCut(.closedByPeer))
        #expect(upload.on(.respond(ends: false)) == .send(closes: true))

        var download = Self.begun(.none)
        #expect(download.on(.respond(ends: false)) == .send(closes: false))
        #expect(download.on(.closeInput) == .none)
        #expect(download.on(.responseSent) == .askResponseSent)
        #expect(download.on(.proceed) == .linger)
    }

    @Test func `closes in order when it was parked and nobody came, and forgets that once somebody comes`() {
        var parked = Self.begun(.none)
        _ = parked.on(.respond(ends: false))
        _ = parked.on(.responseSent)
        #expect(parked.on(.park) == .readHead)
        #expect(parked.state == .idle)
        var left = parked
        #expect(left.on(.deadline) == .linger)
        #expect(parked.on(.input) == .none)
        #expect(parked.on(.deadline) == .close(.timeout))
    }

    @Test(arguments: [ConnectionMachine.Event.suspend, .hang, .blackhole, .reset, .close, .respond(ends: false)])
    func `drops dead whatever it does`(event: ConnectionMachine.Event) {
        var machine = Self.begun(.length(10))
        _ = machine.on(event)
        #expect(machine.on(.drop) == .close(.reset))
        #expect(machine.on(.drop) == .none)
    }

    @Test func `waits for what was sent before it resets`() {
        var machine = Self.begun(.length(10))
        #expect(machine.on(.reset) == .drainAndReset)
        #expect(machine.on(.deadline) == .close(.reset))
    }

    @Test func `lets an exchange in flight finish when the server stops, and ends idle connections`() {
        var busy = Self.begun(.none)
        #expect(busy.on(.stop) == .none)
        #expect(busy.on(.respond(ends: false)) == .send(closes: true))

        var idle = ConnectionMachine()
        _ = idle.on(.accepted)
        _ = idle.on(.proceed)
        #expect(idle.on(.stop) == .close(.stopped))
    }

    /// Whatever happens after the end changes nothing.
    @Test func `stays closed`() {
        var machine = Self.begun(.length(10))
        #expect(machine.on(.peerReset) == .close(.resetByPeer))
        for event: ConnectionMachine.Event in [.peerReset, .peerFinished, .deadline, .stop] {
            #expect(machine.on(event) == .none)
            #expect(machine.state == .closed)
        }
    }
}
