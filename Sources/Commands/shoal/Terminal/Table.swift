/// Rows under headings: aligned columns for a person, tab-separated values for a program.
struct Table {
    enum Alignment { case left, right }

    struct Column {
        let heading: String
        let alignment: Alignment

        init(_ heading: String, _ alignment: Alignment = .left) {
            self.heading = heading
            self.alignment = alignment
        }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// One cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has one cell for each column")
        rows.append(cells.map(Self.printable))
    }

    /// `forTerminal`: headings and padding; otherwise rows only, with a tab between cells.
    func text(forTerminal: Bool) -> String {
        guard forTerminal else { return rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
        let headings = columns.map(\.heading)
        let widths = columns.indices.map { index in ([headings] + rows).map { $0[index].count }.max() ?? 0 }
        return ([headings] + rows).map { line($0, widths: widths) + "\n" }.joined()
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = cells.indices.map { index in
            let padding = String(repeating: " ", count: widths[index] - cells[index].count)
            return columns[index].alignment == .right ? padding + cells[index] : cells[index] + padding
        }
        let text = padded.joined(separator: "  ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Keys come from clients: control characters must not reach a terminal, nor tabs and newlines break a row.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            return text
        }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case let scalar where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                result += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
