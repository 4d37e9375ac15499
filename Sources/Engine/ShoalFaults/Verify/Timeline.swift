import ShoalLog

/// An operation's attempts, one a line, drawn along the time they took.
///
///     PutObject photos/7.jpg (obj-0d1f…): 2 attempts, 2 commits
///     #1     0ms  [====*=                  ]  fresh  commit.after  stored  reset by r1  no answer  info
///     #2  +1s20ms [                  ===*==]  fresh  response.end  stored               200        ok
package struct Timeline: Sendable {
    private static let width = 24

    private let title: String
    private let attempts: [Attempt]
    private let notes: [JournalHistory.Note]

    package init(_ operation: OperationHistory, notes: [JournalHistory.Note] = []) {
        let attempts = operation.attempts
        let (tries, commits) = (attempts.count, operation.commitCount)
        self.init(
            attempts,
            title: "\(operation.title) (\(operation.id)): \(tries) \(tries == 1 ? "attempt" : "attempts"), "
                + "\(commits) \(commits == 1 ? "commit" : "commits")", notes: notes)
    }

    /// Of attempts of several operations, in order of arrival.
    init(_ attempts: [Attempt], title: String, notes: [JournalHistory.Note] = []) {
        self.title = title
        self.attempts = attempts
        self.notes = notes
    }

    /// The title, then a line for each attempt and each note; control characters of names stay out.
    package var lines: [String] {
        guard let first = attempts.first else { return [title] }
        let rows = attempts.map { row($0) } + notes.map { row($0, since: first.mono) }
        let sorted = rows.sorted { $0.mono < $1.mono }.map(\.cells)
        let widths = (0..<(sorted.map(\.count).max() ?? 0)).map { column in
            sorted.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return [Self.printable(title)] + sorted.map { line($0, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        let text = "  " + padded.joined(separator: "  ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    // MARK: Cells

    private func row(_ attempt: Attempt) -> (mono: UInt64, cells: [String]) {
        let name = isOfOneOperation ? "" : " \(attempt.operation.rawValue)"
        let gap = attempt.gap.map { $0 < 0 ? "overlap" : "+" + Self.milliseconds($0) } ?? "first"
        let bytes = attempt.bodyByteCount > 0 ? "\(attempt.bodyByteCount) bytes" : ""
        return (
            attempt.mono,
            [
                "#\(attempt.ordinal)\(name)", gap, bar(attempt), attempt.head.isConnectionReused ? "reused" : "fresh",
                attempt.reached.rawValue, bytes, Self.change(attempt), Self.faults(attempt), Self.answer(attempt),
                attempt.end == nil ? "under way" : attempt.outcome.rawValue,
            ]
        )
    }

    private var isOfOneOperation: Bool { attempts.allSatisfy { $0.operation == attempts[0].operation } }

    private func row(_ note: JournalHistory.Note, since start: UInt64) -> (mono: UInt64, cells: [String]) {
        let cells = ["note", "", bar(from: note.mono, to: note.mono, mark: nil, "!"), Self.printable(note.text)]
        return (note.mono, cells)
    }

    private static func change(_ attempt: Attempt) -> String {
        guard let store = attempt.commit?.store else { return "" }
        return (store.change == .deleted ? "deleted" : "stored") + (store.versionID.map { " as \($0)" } ?? "")
    }

    private static func faults(_ attempt: Attempt) -> String {
        attempt.faults.map { "\($0.fault.action) by \($0.fault.rule)" }.joined(separator: ", ")
    }

    private static func answer(_ attempt: Attempt) -> String {
        guard let answer = attempt.answer else { return "no answer" }
        let code = answer.code.map { " \($0.rawValue)" } ?? ""
        return "\(answer.status.code)\(code)" + (answer.isExpired ? " expired" : "")
            + (answer.retryAfter.map { " retry after \($0)s" } ?? "")
    }

    static func milliseconds(_ nanoseconds: Int64) -> String {
        DurationText.text(milliseconds: nanoseconds / 1_000_000)
    }

    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }

    // MARK: The drawing

    private var span: (start: UInt64, end: UInt64) {
        let monos = notes.map(\.mono)
        let start = min(attempts.map(\.mono).min() ?? 0, monos.min() ?? .max)
        let end = max(attempts.map { $0.end ?? $0.mono }.max() ?? 0, monos.max() ?? 0)
        return (start, max(end, start + 1))
    }

    private func bar(_ attempt: Attempt) -> String {
        bar(from: attempt.mono, to: attempt.end ?? span.end, mark: attempt.commit?.mono, "=")
    }

    private func bar(from: UInt64, to: UInt64, mark: UInt64?, _ sign: Character) -> String {
        var cells = [Character](repeating: " ", count: Self.width)
        let (first, last) = (place(from), max(place(from), place(to)))
        for index in first...last { cells[index] = sign }
        if let mark { cells[place(mark)] = "*" }
        return "[" + String(cells) + "]"
    }

    private func place(_ mono: UInt64) -> Int {
        let (start, end) = span
        let share = Double(min(max(mono, start), end) - start) / Double(end - start)
        return min(Int(share * Double(Self.width)), Self.width - 1)
    }
}
