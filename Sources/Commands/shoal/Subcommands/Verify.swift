import ShoalAdminAPI
import ShoalFaults

/// `shoal verify`: whether the client did right.
struct Verify: Subcommand {
    static let quiesce = OptionDeclaration(
        "quiesce", .text("TIME"), "how long at most to wait for requests that are under way", usual: "2s", twin: false)
    static let since = OptionDeclaration(
        "since", .text("SEQ"), "look only at what came after that number of the journal", usual: "0", twin: false)
    static let silentRules = OptionDeclaration(
        "silent-rules", .none, "rules that never struck are fine", twin: false)
    static let preset = OptionDeclaration(
        "preset", .word("NAME", of: Preset.all.map(\.name)),
        "ask for what that preset implies; NAME=VALUE among the checks are its parameters", twin: false)
    static let json = OptionDeclaration("json", .none, "print the verdict as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["verify"], "judge what the client did, by the journal and by what is stored",
        discussion: """
            A check is a name and what it needs: `NAME [PARAMETER=VALUE]...`. `factor>=1.5` is short for `factorMin=1.5`, \
            `first<=1s` for `firstMax=1s`. Most are about the operations, or the objects, that op=ID, key=PATTERN and \
            bucket=PATTERN choose; without them, about all. Besides, every rule must have struck.
            Each check passes, fails with the attempts it rests on, or has nothing to judge; over a journal that has dropped \
            events nothing passes. Exit code 0: none failed; 1: one failed, or the journal has a gap; 3: only a rule never \
            struck.

            """ + checks,
        operands: [Operand("CHECK", "in quotes", isRequired: false, repeats: true)],
        options: [preset, quiesce, since, silentRules, json] + ServerOptions.scoped,
        examples: [
            .init("shoal verify 'one-commit key=photos/7.jpg'", "stored, and once only"),
            .init("shoal verify 'one-commit key=photos/7.jpg' 'backoff min=1s factor>=1.5'", "two checks at once"),
            .init("shoal verify verified-after-unknown", "whoever heard no answer looked before sending again"),
            .init("shoal verify fresh-url-after never-resent", "an expired link was replaced, and never used again"),
            .init(
                "shoal verify 'content key=a.jpg size=19908' 'wasted-bytes max=1MiB'",
                "the right bytes, and not too many"),
            .init("shoal verify --preset lost-answer key='photos/*'", "what the app should do when the answer is lost"),
        ])

    /// `  one-commit [op key bucket allowIdenticalRewrite]: exactly one commit …`, a line each.
    private static var checks: String {
        CheckName.allCases.map { name in
            let parameters = name.parameters.map(\.rawValue).joined(separator: " ")
            return "\(name.word)\(parameters.isEmpty ? "" : " [\(parameters)]"): \(name.meaning)"
        }.joined(separator: "\n")
    }

    let request: VerifyRequest
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        guard arguments.operands.count <= Check.countMax else {
            throw UsageError("at most \(Check.countMax) checks go into one call")
        }
        let quiesceMilliseconds = UInt64(clamping: try arguments.duration(Self.quiesce) ?? 0)
        guard quiesceMilliseconds <= VerifyRequest.quiesceMax else {
            let most = DurationText.text(milliseconds: Int64(VerifyRequest.quiesceMax))
            throw UsageError("--quiesce takes \(most) at most")
        }
        let (scene, lines) = try Self.scene(arguments)
        request = VerifyRequest(
            checks: try (scene?.checks ?? []) + lines.map(Self.check),
            since: try arguments.integer(Self.since, in: 0...UInt64(Int64.max)) ?? 0, quiesceMs: quiesceMilliseconds,
            allFired: !arguments.isOn(Self.silentRules) && scene?.allFired ?? true)
    }

    /// The preset that is asked for, filled with those operands that are its parameters: no check has a `=` in its name.
    private static func scene(_ arguments: ParsedArguments) throws(UsageError) -> (PresetScene?, checks: [String]) {
        guard let name = arguments.value(preset) else { return (nil, arguments.operands) }
        let isParameter = { (word: String) in word.prefix { $0 != " " }.contains("=") }
        let scene = try PresetArguments.scene(name, arguments.operands.filter(isParameter))
        return (scene, arguments.operands.filter { !isParameter($0) })
    }

    private static func check(_ line: String) throws(UsageError) -> Check {
        do throws(RuleError) {
            return try Check(line: line)
        } catch {
            throw UsageError("\(error) in '\(line)'")
        }
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        // The server bounds the wait itself.
        let answer = try client.send(
            "POST", AdminPath.verify(client.scope), body: request.bytes, timeoutMilliseconds: 0)
        let verdict = try VerdictView(decoding: answer)
        if arguments.isOn(Self.json) {
            terminal.print(verdict.json.text)
        } else {
            for line in verdict.results.flatMap(Self.lines) { terminal.print(Table.printable(line)) }
        }
        return Self.exitCode(of: verdict)
    }

    static func exitCode(of verdict: VerdictView) -> ExitCode {
        switch verdict.outcome {
        case .pass, .notApplicable: .done
        case .fail: verdict.onlyMissesFirings ? .ruleNeverFired : .checkFailed
        case .incomplete: .checkFailed
        }
    }

    /// What is said of one check: a line, and behind a failure its evidence.
    static func lines(of result: CheckResultView) -> [String] {
        let word =
            switch result.outcome {
            case .pass: "pass"
            case .fail: "FAIL"
            case .notApplicable: "n/a "
            case .incomplete: "gap "
            }
        var lines = ["\(word)  \(result.check): \(result.reason)"]
        lines += result.rules.map { "      rule: \($0)" }
        lines += result.timeline.map { "      \($0)" }
        if let wouldPass = result.wouldPass { lines.append("      would pass: \(wouldPass)") }
        return lines
    }
}
