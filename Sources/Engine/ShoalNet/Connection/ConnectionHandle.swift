import Synchronization

/// A connection as the service knows it: an identity, and the way back to its loop from any thread.
package final class ConnectionHandle: Sendable {
    /// Counts the connections of this process from 1.
    package let id: UInt64
    /// The number of the loop that owns the connection.
    package let lane: Int
    /// The peer's address and port, for logs.
    package let peer: String
    private let mailbox: Mailbox
    private let siblings: Siblings
    private let owner = Atomic<UInt>(0)

    init(id: UInt64, lane: Int, peer: String, mailbox: Mailbox, siblings: Siblings) {
        self.id = id
        self.lane = lane
        self.peer = peer
        self.mailbox = mailbox
        self.siblings = siblings
    }

    /// Says whose requests the connection carries: `owner` is known by its identity.
    package func belong(to owner: AnyObject) {
        self.owner.store(Self.number(of: owner), ordering: .relaxed)
    }

    /// Resets, at once and on every loop, the connections that belong to `owner`; returns before it is done.
    package func dropAll(of owner: AnyObject) {
        let number = Self.number(of: owner)
        siblings.post(.drop { $0.owner.load(ordering: .relaxed) == number })
    }

    private static func number(of owner: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(owner)) }

    /// Runs `step` on the connection's loop and follows its directive; if the connection is gone by then, `orElse` runs
    /// there, unless the loop has ended as well.
    ///
    /// The counterpart of `.suspend`: to be called once for each, from any thread.
    package func resume(_ step: @escaping @Sendable () -> Directive, orElse: (@Sendable () -> Void)? = nil) {
        mailbox.post(.resume(connection: id, step, orElse: orElse))
    }
}
