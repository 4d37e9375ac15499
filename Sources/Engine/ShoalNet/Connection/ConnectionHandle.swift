/// A connection as the service knows it: an identity, and the way back to its loop from any thread.
package final class ConnectionHandle: Sendable {
    /// Counts the connections of this process from 1.
    package let id: UInt64
    /// The number of the loop that owns the connection.
    package let lane: Int
    /// The peer's address and port, for logs.
    package let peer: String
    private let mailbox: Mailbox

    init(id: UInt64, lane: Int, peer: String, mailbox: Mailbox) {
        self.id = id
        self.lane = lane
        self.peer = peer
        self.mailbox = mailbox
    }

    /// Runs `step` on the connection's loop and follows its directive; if the connection is gone by then, `orElse` runs
    /// there, unless the loop has ended as well.
    ///
    /// The counterpart of `.suspend`: to be called once for each, from any thread.
    package func resume(_ step: @escaping @Sendable () -> Directive, orElse: (@Sendable () -> Void)? = nil) {
        mailbox.post(.resume(connection: id, step, orElse: orElse))
    }
}
