import ShoalAdminAPI
import ShoalJSON

extension Shoal {
    /// One event of a scope's journal.
    public struct Event: Sendable {
        /// Counts up from event to event, over all scopes.
        public let sequence: UInt64
        /// Such as `request.head`, `auth`, `store`, `fault`, `response.head`.
        public let kind: String
        /// The whole event as one JSON object.
        public let json: String
        private let value: JSON

        init(_ entry: JournalEntry) {
            sequence = entry.sequence
            kind = entry.kind
            value = entry.json
            json = entry.json.text
        }

        /// A member that is a text, a number or a truth value, as text: `event["status"] == "200"`.
        public subscript(name: String) -> String? {
            switch value[name] {
            case .string(let text): text
            case .integer(let number): String(number)
            case .number(let number): String(number)
            case .bool(let flag): String(flag)
            case .array, .object, .null, nil: nil
            }
        }
    }
}

extension Shoal.Scope {
    /// Every event behind `sequence`, oldest first. Throws if some were dropped for want of room: what is left would prove
    /// nothing.
    public func journal(since sequence: UInt64 = 0) throws -> [Shoal.Event] {
        var events: [Shoal.Event] = []
        var last = sequence
        while true {
            let page: JournalPage = try shoal.ask(
                .get, path("journal"), parameters: [("since", String(last)), ("limit", "10000")])
            guard !page.incomplete else {
                throw ShoalError(
                    "events behind \(last) were dropped from the journal for want of room; read it earlier")
            }
            guard !page.events.isEmpty else { return events }
            events += page.events.map(Shoal.Event.init)
            last = page.last
        }
    }
}

/// The answer to a request that has no message type.
struct JSONAnswer {
    private let value: JSON

    init(_ bytes: [UInt8]) throws { value = try JSONParser.parse(bytes) }

    func integer(_ name: String) -> Int? { if case .integer(let number) = value[name] { Int(number) } else { nil } }
}
