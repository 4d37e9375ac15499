import ShoalFaults
import ShoalJSON

/// One event of the journal: `seq` and `ev` always, and whatever members its kind has.
package struct JournalEntry: AdminMessage, Equatable {
    /// An object.
    package let json: JSON

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        sequence = try reader.required("seq").integer()
        kind = try reader.required("ev").string()
        json = reader.value
    }

    /// Counts up from event to event.
    package let sequence: UInt64
    /// Such as `request.head`, `auth`, `fault`, `response.end`.
    package let kind: String

    package subscript(name: String) -> JSON? { json[name] }
}

/// `GET …/scopes/{s}/journal?since=SEQ&limit=N&format=json`: events numbered above `since`, oldest first.
package struct JournalPage: AdminMessage, Equatable {
    package let events: [JournalEntry]
    /// Where to go on: the last number of this page, or `since` of an empty one.
    package let last: UInt64
    /// Whether events after `since` are no longer kept, so that the page does not tell everything.
    package let incomplete: Bool

    package init(events: [JournalEntry], last: UInt64, incomplete: Bool) {
        self.events = events
        self.last = last
        self.incomplete = incomplete
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        events = try reader.required("events").list()
        last = try reader.required("last").integer()
        incomplete = try reader.required("incomplete").bool()
    }

    package var json: JSON {
        ["events": .list(events), "last": .count(last), "incomplete": .bool(incomplete)]
    }
}
