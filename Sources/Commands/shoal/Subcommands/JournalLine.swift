import ShoalAdminAPI
import ShoalFaults
import ShoalJSON

/// One event of the journal as a line of text.
struct JournalLine {
    static let columns: [Table.Column] = [
        .init("SEQ", .right), .init("TIME"), .init("EXCHANGE", .right), .init("OP"), .init("TRY", .right),
        .init("EVENT"), .init("DETAIL"),
    ]

    /// Widths while following, where the longest cell is not known beforehand.
    private static let widths = [6, 12, 8, 16, 3, 14]

    let cells: [String]

    init(_ event: JournalEntry) {
        cells = [
            String(event.sequence), Self.time(event["t"]), Self.exchange(event),
            Self.text(event["op"]) ?? "", Self.text(event["attempt"]) ?? "", event.kind,
            Self.detail(event),
        ]
    }

    func text(forTerminal: Bool) -> String {
        let printable = cells.map(Table.printable)
        guard forTerminal else { return printable.joined(separator: "\t") }
        let padded = printable.indices.map { index in
            guard Self.widths.indices.contains(index) else { return printable[index] }
            let padding = String(repeating: " ", count: max(0, Self.widths[index] - printable[index].count))
            return Self.columns[index].alignment == .right ? padding + printable[index] : printable[index] + padding
        }
        return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }

    /// Members that have a column of their own, or tell a person nothing.
    private static let shown: Set<String> = ["seq", "t", "mono", "scope", "conn", "exchange", "op", "attempt", "ev"]

    /// What a person looks for first; the rest follows in the event's order.
    private static let first = [
        "operation", "bucket", "key", "verdict", "status", "code", "rule", "point", "action", "change",
    ]

    /// Connection, and the exchange on it: `3.1`.
    private static func exchange(_ event: JournalEntry) -> String {
        [event["conn"], event["exchange"]].compactMap(text).joined(separator: ".")
    }

    private static func detail(_ event: JournalEntry) -> String {
        guard case .object(let members) = event.json else { return "" }
        let rest = members.map(\.name).filter { !shown.contains($0) && !first.contains($0) }
        return (first + rest).compactMap { name in text(event[name]).map { "\(name)=\($0)" } }
            .joined(separator: " ")
    }

    /// A string as it is, anything else as JSON; nil for what is not there or null.
    private static func text(_ value: JSON?) -> String? {
        switch value {
        case nil, .null?: nil
        case .string(let text)?: text
        case let other?: other.text
        }
    }

    /// The time of day of an ISO 8601 instant in UTC.
    private static func time(_ value: JSON?) -> String {
        let instant = text(value) ?? ""
        guard let day = instant.firstIndex(of: "T") else { return instant }
        return String(instant[instant.index(after: day)...].prefix { $0 != "Z" })
    }
}
