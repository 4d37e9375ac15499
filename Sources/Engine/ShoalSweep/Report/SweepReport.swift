/// Everything a sweep found, in the order of its runs.
package struct SweepReport: Sendable {
    package struct Run: Sendable {
        package let cell: SweepCell
        package let evidence: SweepEvidence
        package let verdict: SweepVerdict

        package init(_ cell: SweepCell, _ evidence: SweepEvidence, _ verdict: SweepVerdict) {
            self.cell = cell
            self.evidence = evidence
            self.verdict = verdict
        }
    }

    /// What was run each time.
    package let command: [String]
    /// What has to be stored, in words.
    package let expectation: String
    package let plannedCount: Int
    package let runs: [Run]
    /// Sentences on what was left out and why.
    package let notes: [String]
    package let mustSurvive: Bool
    /// Of rules of chance; nil if nothing is left to it.
    package let seed: UInt64?

    package init(
        command: [String], expectation: String, plannedCount: Int, runs: [Run], notes: [String] = [],
        mustSurvive: Bool = false, seed: UInt64? = nil
    ) {
        self.command = command
        self.expectation = expectation
        self.plannedCount = plannedCount
        self.runs = runs.sorted { $0.cell.number < $1.cell.number }
        self.notes = notes
        self.mustSurvive = mustSurvive
        self.seed = seed
    }

    package func colour(_ run: Run) -> SweepOutcome.Colour { run.verdict.outcome.colour(mustSurvive: mustSurvive) }

    package func count(_ colour: SweepOutcome.Colour) -> Int { runs.count { self.colour($0) == colour } }

    package var redRuns: [Run] { runs.filter { colour($0) == .red } }

    package var isComplete: Bool { runs.count == plannedCount }

    /// Whether any rule struck anything.
    package var hasStruck: Bool { runs.contains { $0.evidence.firings > 0 } }

    /// `68 runs: 60 green, 4 yellow, 3 red, 1 grey`
    package var summary: String {
        let counts = [SweepOutcome.Colour.green, .yellow, .red, .grey].map { ($0, count($0)) }.filter { $0.1 > 0 }
        let parts = counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
        let runs = isComplete ? "\(self.runs.count) runs" : "\(self.runs.count) of \(plannedCount) runs"
        return runs + (parts.isEmpty ? "" : ": \(parts)")
    }

    /// Outcomes there are, best first.
    package var outcomes: [SweepOutcome] {
        SweepOutcome.allCases.filter { outcome in runs.contains { $0.verdict.outcome == outcome } }
    }
}

extension SweepCell {
    /// `PutObject @commit.after reset, first attempt, fresh connection`
    package var title: String { "\(operation) @\(site) \(action), \(variant.words)" }
}
