import ShoalS3

/// A report for a terminal or a log: the matrix, what its signs mean, and each red cell with what to do about it.
package struct SweepText: Sendable {
    private static let outputLineCountMax = 12

    private let report: SweepReport
    private let hasColours: Bool

    package init(_ report: SweepReport, hasColours: Bool) {
        self.report = report
        self.hasColours = hasColours
    }

    package var text: String {
        var lines = SweepMatrix(report).tables.flatMap { self.lines($0) + [""] }
        lines += report.outcomes.map { "  \(painted(String($0.symbol), $0))  \($0.meaning)" }
        if !report.outcomes.isEmpty { lines.append("") }
        for run in report.redRuns { lines += details(run) + [""] }
        lines += report.notes.map { "note: \($0)" }
        if let seed = report.seed { lines.append("note: chance was drawn from --rng-seed \(seed)") }
        lines.append("stored without faults: \(report.expectation)")
        lines.append(report.summary)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: The matrix

    private func lines(_ table: SweepMatrix.Table) -> [String] {
        let margin = max(table.operation.count, table.rows.map { $0.site.count + 2 }.max() ?? 0)
        let actions = table.actions
        let widths = actions.map { action in
            // Wide enough for the action's name over its columns; the last column takes what is left.
            let headings = action.columns.map { $0.variant.heading.count }
            let own = headings.reduce(0, +) + 2 * (headings.count - 1)
            return (headings, slack: max(0, action.name.count - own))
        }
        var first = table.operation + blanks(margin - table.operation.count)
        var second = blanks(margin)
        for (action, (headings, slack)) in zip(actions, widths) {
            let whole = headings.reduce(0, +) + 2 * (headings.count - 1) + slack
            first += "   " + action.name + blanks(whole - action.name.count)
            second += "   " + action.columns.map(\.variant.heading).joined(separator: "  ") + blanks(slack)
        }
        let rows = table.rows.map { row in
            var line = "  " + row.site + blanks(margin - row.site.count - 2)
            var place = 0
            for (headings, slack) in widths {
                line += "   "
                for (index, width) in headings.enumerated() {
                    line += signs(row.cells[place], width: width) + (index < headings.count - 1 ? "  " : blanks(slack))
                    place += 1
                }
            }
            return trimmed(line)
        }
        return [trimmed(first), trimmed(second)] + rows
    }

    private func signs(_ runs: [SweepReport.Run], width: Int) -> String {
        let signs = runs.map { painted(String($0.verdict.outcome.symbol), $0.verdict.outcome) }.joined()
        let left = max(0, (width - runs.count) / 2)
        return blanks(left) + signs + blanks(width - runs.count - left)
    }

    private func painted(_ text: String, _ outcome: SweepOutcome) -> String {
        guard hasColours else { return text }
        // SGR of ECMA-48 §8.3.117.
        let code =
            switch outcome.colour(mustSurvive: report.mustSurvive) {
            case .green: "32"
            case .yellow: "33"
            case .red: "1;31"
            case .grey: "90"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) }

    // MARK: Red cells

    private func details(_ run: SweepReport.Run) -> [String] {
        let outcome = run.verdict.outcome
        var lines = ["\(painted("\(outcome.symbol)", outcome)) run \(run.cell.number): \(run.cell.title)"]
        lines.append("    \(outcome.rawValue): \(run.verdict.reason)")
        lines.append("    again: \(run.cell.command)")
        lines += run.evidence.timeline.map { "    \($0)" }
        let output = run.evidence.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let shown = output.last == "" ? output.dropLast() : output[...]
        if !shown.isEmpty {
            lines.append("    it said:")
            lines += shown.prefix(Self.outputLineCountMax).map { "      \($0)" }
        }
        if shown.count > Self.outputLineCountMax {
            lines.append("      and \(shown.count - Self.outputLineCountMax) more lines")
        }
        return lines.map(SweepText.printable)
    }

    /// What a command wrote must not steer a terminal; our own colours are told by their escape at the start.
    private static func printable(_ line: String) -> String {
        let own = line.hasPrefix("\u{1B}[") ? line.prefix { $0 != " " } : ""
        let rest = line.dropFirst(own.count).unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "?" : scalar
        }
        return own + String(String.UnicodeScalarView(rest))
    }
}
