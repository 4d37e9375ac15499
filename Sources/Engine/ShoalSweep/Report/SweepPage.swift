/// A report as one HTML page that needs nothing else and is readable on a phone: each sign of the matrix opens its run.
package struct SweepPage: Sendable {
    private let report: SweepReport

    package init(_ report: SweepReport) { self.report = report }

    package var html: String {
        let command = MarkupText.escaped(report.command.joined(separator: " "))
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(MarkupText.escaped(report.summary)) · shoal sweep</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(MarkupText.escaped(report.summary))</h1>
            <p><code>shoal sweep -- \(command)</code></p>
            <p>Stored without faults: \(MarkupText.escaped(report.expectation)).</p>
            \(notes)\(SweepMatrix(report).tables.map(table).joined())\(legend)<h2>Runs</h2>
            \(report.runs.map(details).joined())<script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
    }

    private var notes: String {
        report.notes.map { "<p class=\"note\">\(MarkupText.escaped($0))</p>\n" }.joined()
    }

    // MARK: The matrix

    private func table(_ table: SweepMatrix.Table) -> String {
        let actions = table.actions.map { action in
            "<th colspan=\"\(action.columns.count)\">\(MarkupText.escaped(action.name))</th>"
        }.joined()
        let variants = table.columns.map { "<th>\(MarkupText.escaped($0.variant.heading))</th>" }.joined()
        let rows = table.rows.map { row in
            let cells = row.cells.map { "<td>\($0.map(sign).joined())</td>" }.joined()
            return "<tr><th scope=\"row\">\(MarkupText.escaped(row.site))</th>\(cells)</tr>\n"
        }.joined()
        return """
            <h2>\(MarkupText.escaped(table.operation))</h2>
            <div class="scroll"><table>
            <thead><tr><td></td>\(actions)</tr>
            <tr><td></td>\(variants)</tr></thead>
            <tbody>
            \(rows)</tbody></table></div>

            """
    }

    private func sign(_ run: SweepReport.Run) -> String {
        let outcome = run.verdict.outcome
        let label = MarkupText.escaped("\(run.cell.title): \(outcome.rawValue)")
        return "<a class=\"\(report.colour(run).rawValue)\" href=\"#run-\(run.cell.number)\" title=\"\(label)\" "
            + "aria-label=\"\(label)\">\(outcome.symbol)</a>"
    }

    private var legend: String {
        let rows = report.outcomes.map { outcome in
            let colour = outcome.colour(mustSurvive: report.mustSurvive).rawValue
            return
                "<li><span class=\"\(colour)\">\(outcome.symbol)</span> \(MarkupText.escaped(outcome.meaning))</li>\n"
        }
        return "<ul class=\"legend\">\n\(rows.joined())</ul>\n"
    }

    // MARK: Runs

    private func details(_ run: SweepReport.Run) -> String {
        let (cell, evidence, outcome) = (run.cell, run.evidence, run.verdict.outcome)
        let findings = evidence.findings.map { finding in
            "<li>\(finding.outcome.rawValue): \(MarkupText.escaped("\(finding.check): \(finding.reason)"))</li>"
        }.joined()
        return """
            <details id="run-\(cell.number)">
            <summary><span class="\(report.colour(run).rawValue)">\(outcome.symbol)</span> \(cell.number) \
            \(MarkupText.escaped(cell.title))</summary>
            <p><b>\(outcome.rawValue)</b>: \(MarkupText.escaped(run.verdict.reason)), in \(evidence.milliseconds) ms</p>
            <pre>\(MarkupText.escaped(cell.command))</pre>
            \(block(evidence.timeline.joined(separator: "\n")))\(findings.isEmpty ? "" : "<ul>\(findings)</ul>\n")\
            \(block(evidence.output))</details>

            """
    }

    private func block(_ text: String) -> String {
        text.isEmpty ? "" : "<pre>\(MarkupText.escaped(text))</pre>\n"
    }

    // MARK: Looks

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem; }
        h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; }
        th, td { padding: .15rem .25rem; text-align: center; font-weight: normal; white-space: nowrap; }
        thead th { border-bottom: 1px solid #8888; font-size: .85rem; }
        tbody th { text-align: left; font-family: ui-monospace, monospace; font-size: .85rem; padding-right: .75rem; }
        td a { display: inline-block; min-width: 2.4rem; line-height: 2.4rem; }
        a, .green, .yellow, .red, .grey { text-decoration: none; border-radius: .3rem; font-weight: bold; }
        span.green, span.yellow, span.red, span.grey { display: inline-block; min-width: 1.6em; text-align: center; }
        .green { background: #1a7f37; color: #fff; } .yellow { background: #d4a72c; color: #000; }
        .red { background: #cf222e; color: #fff; } .grey { background: #8888; color: inherit; }
        .legend { list-style: none; padding: 0; } .note { border-left: 4px solid #d4a72c; padding-left: .5rem; }
        details { border-top: 1px solid #8884; padding: .3rem 0; } summary { cursor: pointer; }
        pre { overflow-x: auto; background: #8882; padding: .5rem; font-size: .8rem; }
        """

    /// A sign of the matrix opens what it leads to.
    private static let script = """
        function show() {
          const run = document.getElementById(location.hash.slice(1));
          if (run) { run.open = true; run.scrollIntoView(); }
        }
        addEventListener("hashchange", show);
        show();
        """
}
