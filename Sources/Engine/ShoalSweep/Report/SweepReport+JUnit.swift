extension SweepReport {
    /// JUnit's XML as CI servers read it: a test case for each run; red is a failure, grey is skipped.
    /// https://github.com/testmoapp/junitxml
    package var junit: String {
        let seconds = Self.seconds(runs.reduce(0) { $0 + $1.evidence.milliseconds })
        let counts = "tests=\"\(runs.count)\" failures=\"\(redRuns.count)\" skipped=\"\(count(.grey))\" errors=\"0\""
        let name = MarkupText.escaped((["shoal sweep --"] + command).joined(separator: " "))
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"shoal sweep\" \(counts) time=\"\(seconds)\">",
            "  <testsuite name=\"\(name)\" \(counts) time=\"\(seconds)\">",
        ]
        lines += runs.flatMap(testCase)
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func testCase(_ run: Run) -> [String] {
        let cell = run.cell
        let name = MarkupText.escaped("@\(cell.site) \(cell.action), \(cell.variant.words)")
        let time = Self.seconds(run.evidence.milliseconds)
        let head = "    <testcase classname=\"\(MarkupText.escaped(cell.operation))\" name=\"\(name)\" time=\"\(time)\""
        let outcome = run.verdict.outcome
        let reason = MarkupText.escaped(run.verdict.reason)
        var lines: [String] = []
        switch colour(run) {
        case .red:
            let again = MarkupText.escaped(cell.command)
            lines.append("      <failure type=\"\(outcome.rawValue)\" message=\"\(reason)\">\(again)</failure>")
        case .grey: lines.append("      <skipped message=\"\(reason)\"/>")
        case .green, .yellow: break
        }
        let said = ["\(outcome.rawValue): \(run.verdict.reason)"] + run.evidence.timeline
        let output = run.evidence.output.isEmpty ? [] : [run.evidence.output]
        let text = MarkupText.escaped((said + output).joined(separator: "\n"))
        lines.append("      <system-out>\(text)</system-out>")
        return [head + ">"] + lines + ["    </testcase>"]
    }

    /// `1.250`
    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
