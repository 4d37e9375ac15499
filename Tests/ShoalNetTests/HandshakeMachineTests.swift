import ShoalNet
import Testing

@Suite struct `A connection's machine before TLS is agreed on` {
    /// One that has asked the service about the new connection.
    private func opened() -> ConnectionMachine {
        var machine = ConnectionMachine(isSecure: true)
        #expect(machine.on(.accepted) == .askOpened)
        return machine
    }

    @Test func `asks at the hello and at the end, and then reads a head`() {
        var machine = opened()
        #expect(machine.on(.proceed) == .handshake)
        #expect(machine.state == .handshaking)
        #expect(machine.on(.hello) == .askHello)
        #expect(machine.on(.proceed) == .handshake)
        #expect(machine.on(.secured) == .askSecured)
        #expect(machine.on(.proceed) == .readHead)
        #expect(machine.state == .idle)
    }

    @Test func `may wait at either`() {
        var machine = opened()
        _ = machine.on(.proceed)
        #expect(machine.on(.hello) == .askHello)
        #expect(machine.on(.suspend) == .none)
        #expect(machine.on(.deadline) == .wake)
        #expect(machine.on(.proceed) == .handshake)
        #expect(machine.on(.secured) == .askSecured)
        #expect(machine.on(.suspend) == .none)
        #expect(machine.on(.proceed) == .readHead)
    }

    @Test func `ends as the client does, or when time is over, or when the server stops`() {
        let ends: [(ConnectionMachine.Event, ConnectionEnd)] = [
            (.peerFinished, .finByPeer), (.peerReset, .resetByPeer), (.deadline, .timeout), (.stop, .stopped),
        ]
        for (event, end) in ends {
            var machine = opened()
            _ = machine.on(.proceed)
            #expect(machine.on(event) == .close(end))
        }
    }

    @Test func `lets the client read why it failed`() {
        var machine = opened()
        _ = machine.on(.proceed)
        #expect(machine.on(.handshakeFailed) == .linger)
        #expect(machine.on(.peerFinished) == .close(.fin))
    }

    @Test func `answers plain HTTP once and closes`() {
        var machine = opened()
        _ = machine.on(.proceed)
        #expect(machine.on(.headRefused) == .send(closes: true))
        #expect(machine.on(.responseSent) == .askResponseSent)
        #expect(machine.on(.proceed) == .linger)
    }
}
