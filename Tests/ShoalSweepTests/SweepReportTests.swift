import ShoalFaults
import ShoalJSON
import ShoalXML
import Testing

@testable import ShoalSweep

@Suite struct `A sweep's report` {
    /// Two operations, an outcome of each colour, and output that would break a page.
    private static func report(mustSurvive: Bool = false) throws -> SweepReport {
        let lines: [(String, SweepOutcome, String)] = [
            ("PutObject @auth 1*reset connection=fresh", .survived, "everything is stored"),
            ("PutObject @auth reset", .gaveUp, "exit code 56; sweep/photo.jpg is missing"),
            ("PutObject @auth 1*SlowDown connection=fresh", .gaveUpEarly, "exit code 22; sweep/photo.jpg is missing"),
            ("PutObject @commit.after 1*reset connection=fresh", .lied, "exit code 0, and sweep/a<b>.jpg is missing"),
            ("PutObject @commit.after 1*reset connection=reused", .rewritten, "everything is stored"),
            ("PutObject @commit.after reset", .hung, "still ran after 30 seconds and was killed"),
            ("GetObject @response.at(50%) hang(8s)->reset", .notStruck, "no request came"),
        ]
        let runs = try lines.enumerated().map { index, entry in
            SweepReport.Run(
                try Story.cell(entry.0, number: 3 + index), evidence(of: entry.1), SweepVerdict(entry.1, entry.2))
        }
        return SweepReport(
            command: ["./upload.sh", "a&b.jpg"], expectation: Story.expectation.words, plannedCount: runs.count,
            runs: runs.reversed(), notes: ["no-retry-after is not asked"], mustSurvive: mustSurvive, seed: 42)
    }

    private static func evidence(of outcome: SweepOutcome) -> SweepEvidence {
        SweepEvidence(
            ending: outcome == .hung ? .timedOut : .exit(0), milliseconds: 1_204,
            output: outcome == .lied ? "</pre><script>alert(1)</script>\u{1B}[2J\nuploaded\n" : "",
            firings: outcome == .notStruck ? 0 : 1,
            requests: [Story.put(struckAt: .commitAfter, outcome: .info)],
            findings: [.init(check: "no-retry-after", outcome: .notApplicable, reason: "no such refusal")],
            timeline: ["PutObject sweep/photo.jpg (obj-1): 1 attempt, 1 commit", "  #1  first  [====*=]  fresh"])
    }

    @Test func `is a matrix with what to do about each red cell`() throws {
        let text = SweepText(try Self.report(), hasColours: false).text
        #expect(try isGolden(text, "report.txt"), "\(text)")
    }

    @Test func `has colours on a terminal, and steers it with nothing else`() throws {
        let text = SweepText(try Self.report(), hasColours: true).text
        #expect(text.contains("\u{1B}[1;31mL\u{1B}[0m") && text.contains("\u{1B}[32m✓\u{1B}[0m"))
        #expect(!text.contains("\u{1B}[2J"))
    }

    @Test func `is a page that needs nothing else`() throws {
        let html = SweepPage(try Self.report()).html
        #expect(try isGolden(html, "report.html"), "\(html)")
        #expect(!html.contains("<script>alert") && !html.contains("src=") && !html.contains("http"))
    }

    @Test func `is XML that CI servers read`() throws {
        let xml = try Self.report().junit
        #expect(try isGolden(xml, "report.xml"), "\(xml)")
        _ = try XMLDocument.parse(Array(xml.utf8))
        #expect(!xml.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test func `is JSON with everything`() throws {
        let json = try Self.report().json
        #expect(try isGolden(json.text + "\n", "report.json"), "\(json.text)")
        #expect(try JSONParser.parse(json.bytes) == json)
    }

    @Test func `counts giving up early as red for a client that must survive`() throws {
        #expect(try Self.report().summary == "7 runs: 3 green, 1 yellow, 2 red, 1 grey")
        #expect(try Self.report(mustSurvive: true).summary == "7 runs: 3 green, 3 red, 1 grey")
    }

    @Test func `says how much is missing of what was planned`() throws {
        let whole = try Self.report()
        let part = SweepReport(
            command: whole.command, expectation: whole.expectation, plannedCount: 60, runs: whole.runs)
        #expect(!part.isComplete && part.summary.hasPrefix("7 of 60 runs: "))
    }

    @Test func `writes the rule for a shell, quotes and all`() throws {
        let cell = try Story.cell("PutObject \"it's a.jpg\" @auth reset")
        #expect(cell.command == #"shoal fault add 'PutObject "it'\''s a.jpg" @auth reset'"#)
    }
}
