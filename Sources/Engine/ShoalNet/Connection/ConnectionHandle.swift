import ShoalTLS
import Synchronization

/// A connection as the service knows it: an identity, and the way back to its loop from any thread.
package final class ConnectionHandle: Sendable {
    /// Counts the connections of this process from 1.
    package let id: UInt64
    /// The number of the loop that owns the connection.
    package let lane: Int
    /// The peer's address and port, for logs.
    package let peer: String
    /// Where it was accepted; nil for the server's own port.
    package let port: Port?
    /// Whether it came in by a port of TLS.
    package let isSecure: Bool
    private let helloNoted = Mutex<TLSHello?>(nil)
    private let mailbox: Mailbox
    private let siblings: Siblings
    /// Uncontended: it is asked and told on the connection's loop.
    private let ownership = Mutex<(any ConnectionOwner)?>(nil)

    init(
        id: UInt64, lane: Int, peer: String, port: Port?, isSecure: Bool, mailbox: Mailbox, siblings: Siblings
    ) {
        self.id = id
        self.lane = lane
        self.peer = peer
        self.port = port
        self.isSecure = isSecure
        self.mailbox = mailbox
        self.siblings = siblings
    }

    /// What the client said first; nil without TLS, and before it has come.
    package var hello: TLSHello? { isSecure ? helloNoted.withLock { $0 } : nil }

    func note(_ hello: TLSHello) { helloNoted.withLock { $0 = hello } }

    /// Whose requests the connection carries, by the last one that said so.
    package var owner: (any ConnectionOwner)? { ownership.withLock { $0 } }

    /// Says whose requests the connection carries from now on.
    package func belong(to owner: any ConnectionOwner) { change(owner) }

    /// The connection is gone.
    func end() { change(nil) }

    private func change(_ next: (any ConnectionOwner)?) {
        ownership.withLock { owner in
            guard owner !== next else { return }
            owner?.openConnections.add(-1)
            next?.openConnections.add(1)
            owner = next
        }
    }

    /// Resets, at once and on every loop, the connections that belong to `owner`; returns before it is done.
    package func dropAll(of owner: any ConnectionOwner) {
        siblings.post(.drop { $0.owner === owner })
    }

    /// Runs `step` on the connection's loop and follows its directive; if the connection is gone by then, `orElse` runs
    /// there, unless the loop has ended as well.
    ///
    /// The counterpart of `.suspend`: to be called once for each, from any thread.
    package func resume(_ step: @escaping @Sendable () -> Directive, orElse: (@Sendable () -> Void)? = nil) {
        mailbox.post(.resume(connection: id, step, orElse: orElse))
    }
}
