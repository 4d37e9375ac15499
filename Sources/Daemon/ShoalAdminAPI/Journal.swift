/// One event of the journal: `seq` and `ev` always, and whatever members its kind has.
package struct JournalEntry: Codable, Sendable, Equatable {
    package let members: [String: JSONValue]

    package init(members: [String: JSONValue]) { self.members = members }

    package init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: JSONValue].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }

    /// Counts up by one from event to event; 0 if the sender left it out.
    package var sequence: UInt64 {
        guard case .integer(let value)? = members["seq"] else { return 0 }
        return UInt64(clamping: value)
    }

    /// Such as `request.head`, `auth`, `fault`, `response.end`.
    package var kind: String { members["ev"]?.scalarText ?? "" }
}

/// `GET …/scopes/{s}/journal?since=SEQ&limit=N`: events with a sequence number above `since`, oldest first.
package struct JournalPage: Codable, Sendable, Equatable {
    package let events: [JournalEntry]
    /// Where to go on: the last number of this page, or `since` of an empty one.
    package let last: UInt64
    /// Events after `since` that are no longer kept, so that the page does not tell everything.
    package let dropped: UInt64

    package init(events: [JournalEntry], last: UInt64, dropped: UInt64) {
        self.events = events
        self.last = last
        self.dropped = dropped
    }
}
