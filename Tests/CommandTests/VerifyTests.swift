import ShoalAdminAPI
import ShoalFaults
import Testing

@testable import shoal

@Suite struct `shoal verify` {
    @Test func `asks for the checks it is given`() throws {
        let command = try Verify(
            arguments(
                Verify.self,
                ["one-commit key=photos/7.jpg", "backoff min=1s factor>=1.5", "--quiesce", "500ms", "--since", "7"]))
        #expect(command.request.checks.map(\.line) == ["one-commit key=photos/7.jpg", "backoff min=1s factorMin=1.5"])
        #expect(command.request.quiesceMs == 500 && command.request.since == 7 && command.request.allFired)
        #expect(try VerifyRequest(decoding: command.request.bytes) == command.request)
    }

    @Test func `asks whether every rule struck, and nothing else, without any`() throws {
        let usual = try Verify(arguments(Verify.self, [])).request
        #expect(usual == VerifyRequest(checks: []))
        #expect(try !Verify(arguments(Verify.self, ["--silent-rules"])).request.allFired)
    }

    @Test(arguments: [
        (
            ["one-comit"], "column 1: no check is called 'one-comit'; the nearest is 'one-commit' in 'one-comit'"
        ),
        (["quiet"], "column 1: quiet needs for= in 'quiet'"),
        (["--quiesce", "11m"], "--quiesce takes 10m at most"),
        (["--quiesce", "soon"], "--quiesce takes a length of time such as 90s, 20m or 1h30m, not 'soon'"),
        (Array(repeating: "all-fired", count: 257), "at most 256 checks go into one call"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try Verify(arguments(Verify.self, words)) }
    }

    private func verdict(_ outcome: String, _ misses: Bool = false) throws -> VerdictView {
        let json = #"{"outcome":"\#(outcome)","onlyMissesFirings":\#(misses),"results":[]}"#
        return try VerdictView(decoding: Array(json.utf8))
    }

    @Test func `ends with what scripts can tell apart`() throws {
        #expect(Verify.exitCode(of: try verdict("pass")) == .done)
        #expect(Verify.exitCode(of: try verdict("fail")) == .checkFailed)
        #expect(Verify.exitCode(of: try verdict("fail", true)) == .ruleNeverFired)
        #expect(Verify.exitCode(of: try verdict("incomplete")) == .checkFailed)
    }

    @Test func `prints a line for each check, and the evidence behind a failure`() throws {
        let json =
            #"{"check":"one-commit","outcome":"fail","reason":"2 commits","timeline":["photos/a","  #1"],"#
            + #""rules":["PutObject @auth reset"],"wouldPass":"the same without #2"}"#
        #expect(
            Verify.lines(of: try CheckResultView(decoding: Array(json.utf8))) == [
                "FAIL  one-commit: 2 commits", "      rule: PutObject @auth reset", "      photos/a", "        #1",
                "      would pass: the same without #2",
            ])
        let words = try ["pass", "notApplicable", "incomplete"].map { outcome in
            let json = #"{"check":"resumed","outcome":"\#(outcome)","reason":"r"}"#
            return Verify.lines(of: try CheckResultView(decoding: Array(json.utf8)))
        }
        #expect(words == [["pass  resumed: r"], ["n/a   resumed: r"], ["gap   resumed: r"]])
    }

    @Test func `names every check in its help`() {
        let help = Verify.declaration.discussion
        #expect(CheckName.allCases.allSatisfy { help.contains("\n\($0.word)") })
    }
}

@Suite struct `shoal journal as an archive` {
    @Test func `has a short flag`() throws {
        #expect(try Journal(arguments(Journal.self, ["--har"])).formatName == "har")
    }

    @Test(arguments: [
        (["--har", "--format", "har"], "--har is short for --format har; give one of them"),
        (["--har", "--follow"], "an HTTP archive has an end; --follow goes with text and ndjson"),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try Journal(arguments(Journal.self, words)) }
    }
}
