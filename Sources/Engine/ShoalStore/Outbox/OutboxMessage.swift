import ShoalS3

/// A message about a change: kept in the same transaction as the change, and until somebody says that it was delivered.
package struct OutboxMessage: Hashable, Sendable {
    /// Who it is for.
    package let destination: String
    /// What it is about, in the encoding of the caller: whoever delivers keeps the messages of one subject in order.
    package let subject: [UInt8]
    /// The message itself; the store does not look inside.
    package let body: [UInt8]
    package let created: Timestamp

    package init(destination: String, subject: [UInt8], body: [UInt8], created: Timestamp) {
        self.destination = destination
        self.subject = subject
        self.body = body
        self.created = created
    }
}

/// A change whose place in the store's history is known.
package struct CommittedChange: Sendable {
    package let sequence: UInt64
    /// The version that was written, the delete marker that was made, or the version that was removed.
    package let record: ObjectRecord
    /// The version with the attributes it had before, where only those were changed.
    package let previous: ObjectRecord?

    init(sequence: UInt64, record: ObjectRecord, previous: ObjectRecord? = nil) {
        self.sequence = sequence
        self.record = record
        self.previous = previous
    }
}

/// Says what goes to the outbox with a change. Called while commits wait, so it must be brief and not call the store; a
/// change that fails afterwards takes its messages with it.
package typealias Announcement = @Sendable (CommittedChange) -> [OutboxMessage]

/// A message that waits for its delivery.
package struct OutboxEntry: Hashable, Sendable {
    package let position: Position
    package let message: OutboxMessage

    /// A message's place in the order of commits; no two messages ever have the same.
    package struct Position: Hashable, Comparable, Sendable {
        /// Of the change it is about.
        package let sequence: UInt64
        /// Among the messages of that change.
        package let place: UInt32

        package init(sequence: UInt64, place: UInt32) {
            self.sequence = sequence
            self.place = place
        }

        package static func < (left: Position, right: Position) -> Bool {
            (left.sequence, left.place) < (right.sequence, right.place)
        }
    }

    /// The messages of one change as entries.
    static func entries(_ messages: [OutboxMessage], of sequence: UInt64) -> [OutboxEntry] {
        messages.enumerated().map { place, message in
            OutboxEntry(position: Position(sequence: sequence, place: UInt32(place)), message: message)
        }
    }
}

/// How many messages of a destination wait.
package struct OutboxCount: Hashable, Sendable {
    package let destination: String
    package let count: Int

    package init(destination: String, count: Int) {
        self.destination = destination
        self.count = count
    }
}
