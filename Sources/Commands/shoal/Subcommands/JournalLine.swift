import ShoalAdminAPI

/// One event of the journal as a line of text.
struct JournalLine {
    static let columns: [Table.Column] = [
        .init("SEQ", .right), .init("TIME"), .init("CONN", .right), .init("OP"), .init("EVENT"), .init("DETAIL"),
    ]

    /// Widths while following, where the longest cell is not known beforehand.
    private static let widths = [6, 12, 4, 20, 14]

    let cells: [String]

    init(_ event: JournalEntry) {
        let operation = Self.text(event.members["operation"]) ?? Self.text(event.members["op"]) ?? ""
        cells = [
            String(event.sequence), Self.time(event.members["t"]), Self.text(event.members["conn"]) ?? "", operation,
            event.kind, Self.detail(event),
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
        return padded.joined(separator: "  ")
    }

    /// Members that have a column of their own, or tell a person nothing.
    private static let shown: Set<String> = ["seq", "t", "mono", "scope", "conn", "ev"]

    private static func detail(_ event: JournalEntry) -> String {
        let opColumn = event.members["operation"] == nil ? "op" : "operation"
        return event.members.filter { !shown.contains($0.key) && $0.key != opColumn }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\(text($0.value) ?? "")" }
            .joined(separator: " ")
    }

    /// A scalar as it is, anything else as JSON; nil for what is not there or null.
    private static func text(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        if let scalar = value.scalarText { return scalar }
        // Encoding a value that was just decoded cannot fail; if it does, the line goes without it.
        return (try? AdminJSON.encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The time of day in UTC, from milliseconds since 1970 or from ISO 8601.
    private static func time(_ value: JSONValue?) -> String {
        switch value {
        case .integer(let milliseconds)?:
            let ofDay = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
            let parts = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1_000 % 60].map { padded($0, to: 2) }
            return parts.joined(separator: ":") + "." + padded(ofDay % 1_000, to: 3)
        case .string(let text)?:
            guard let day = text.firstIndex(of: "T") else { return text }
            return String(text[text.index(after: day)...].prefix { $0 != "Z" })
        default: return ""
        }
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
