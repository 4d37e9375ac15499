/// A line that tells how far something is, on a terminal only; elsewhere it stays silent.
struct ProgressBar {
    private static let cells = 30

    let label: String
    let total: UInt64
    let terminal: Terminal
    private let text: (UInt64) -> String
    private var shown = ""

    /// `text` writes `total` and what is done of it; they are bytes unless it says otherwise.
    init(
        _ label: String, total: UInt64, on terminal: Terminal, text: @escaping (UInt64) -> String = ByteCountText.of
    ) {
        self.label = label
        self.total = total
        self.terminal = terminal
        self.text = text
    }

    /// Draws the state after `done` of `total`, if it looks different from the last one.
    mutating func show(_ done: UInt64) {
        guard terminal.errorIsTerminal else { return }
        let line = Self.line(label: label, done: done, total: total, text: text)
        guard line != shown else { return }
        shown = line
        // Back to the first column, the line, and whatever stood behind it erased.
        terminal.noteRaw("\r\(line)\u{1B}[K")
    }

    /// Leaves an empty line for what follows.
    mutating func finish() {
        guard terminal.errorIsTerminal, !shown.isEmpty else { return }
        terminal.noteRaw("\r\u{1B}[K")
        shown = ""
    }

    static func line(
        label: String, done: UInt64, total: UInt64, text: (UInt64) -> String = ByteCountText.of
    ) -> String {
        let share = total == 0 ? 1 : min(1, Double(done) / Double(total))
        let full = Int(share * Double(cells))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: cells - full)
        let percent = String(Int(share * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        return "\(label) [\(bar)] \(padding)\(percent)% \(text(done)) of \(text(total))"
    }
}
