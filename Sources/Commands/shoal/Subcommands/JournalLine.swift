import ShoalAdminAPI

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
            String(event.sequence), Self.time(event.members["t"]), Self.exchange(event),
            Self.text(event.members["op"]) ?? "", Self.text(event.members["attempt"]) ?? "", event.kind,
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

    /// What a person looks for first; the rest follows by name.
    private static let first = [
        "operation", "bucket", "key", "verdict", "status", "code", "rule", "point", "action", "change",
    ]

    /// Connection, and the exchange on it: `3.1`.
    private static func exchange(_ event: JournalEntry) -> String {
        [event.members["conn"], event.members["exchange"]].compactMap(text).joined(separator: ".")
    }

    private static func detail(_ event: JournalEntry) -> String {
        let rest = event.members.keys.filter { !shown.contains($0) && !first.contains($0) }.sorted()
        return (first + rest).compactMap { name in text(event.members[name]).map { "\(name)=\($0)" } }
            .joined(separator: " ")
    }

    /// A scalar as it is, anything else as JSON; nil for what is not there or null.
    private static func text(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        if let scalar = value.scalarText { return scalar }
        // Encoding a value that was just decoded cannot fail; if it does, the line goes without it.
        return (try? AdminJSON.encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The time of day of an ISO 8601 instant in UTC.
    private static func time(_ value: JSONValue?) -> String {
        let instant = text(value) ?? ""
        guard let day = instant.firstIndex(of: "T") else { return instant }
        return String(instant[instant.index(after: day)...].prefix { $0 != "Z" })
    }
}
