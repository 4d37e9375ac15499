import ShoalFaults
import ShoalS3
import ShoalSweep

/// A sweep from its first run to its report.
struct SweepSession {
    /// A run that takes longer than this, and than ten times the first one, hangs.
    private static let timeoutMin: Int64 = 30_000
    /// Nobody knows yet how long a run takes.
    private static let rehearsalTimeout: Int64 = 600_000

    let options: SweepOptions
    let server: SweepServer
    let interruption: Interruption
    let terminal: Terminal

    /// What came before the plan.
    private struct Foundation {
        let expectation: SweepExpectation
        let plan: SweepPlan
        let checks: [Check]
        let milliseconds: Int64
        let notes: [String]
    }

    /// Nil if it was interrupted before there was anything to tell.
    func report() throws -> SweepReport? {
        guard let foundation = try foundation() else { return nil }
        let cells = foundation.plan.cells
        if options.listsOnly {
            for cell in cells { terminal.print("\(cell.number)\t\(Table.printable(cell.rule.line))") }
            return report(foundation, runs: [])
        }
        let milliseconds = options.timeout ?? max(Self.timeoutMin, 10 * foundation.milliseconds)
        let runner = runner(checks: foundation.checks)
        let floor = SweepFloor(cells, jobs: options.jobs) { cell -> SweepReport.Run? in
            guard let evidence = try runner.run(cell, milliseconds: milliseconds) else { return nil }
            return SweepReport.Run(
                cell, evidence, SweepVerdict(on: evidence, of: cell, expecting: foundation.expectation))
        }
        return report(foundation, runs: try runs(of: floor, count: cells.count))
    }

    private func runs(of floor: SweepFloor<SweepCell, SweepReport.Run>, count: Int) throws -> [SweepReport.Run] {
        var runs: [SweepReport.Run] = []
        var bar = ProgressBar("sweep", total: UInt64(count), on: terminal) { String($0) }
        bar.show(0)
        try floor.run(stop: interruption.raise) { run in
            runs.append(run)
            bar.show(UInt64(runs.count))
            let outcome = run.verdict.outcome
            if !terminal.errorIsTerminal {
                let line = "\(outcome.symbol) \(runs.count)/\(count) \(outcome.rawValue): \(run.cell.title)"
                terminal.note(Table.printable(line))
            }
            let isRed = outcome.colour(mustSurvive: options.mustSurvive) == .red
            if isRed, options.failsFast { interruption.raise() }
        }
        bar.finish()
        return runs
    }

    private func report(_ foundation: Foundation, runs: [SweepReport.Run]) -> SweepReport {
        let usesChance = foundation.plan.cells.contains { $0.rule.usesChance }
        return SweepReport(
            command: options.command, expectation: foundation.expectation.words,
            plannedCount: foundation.plan.cells.count, runs: runs, notes: foundation.notes,
            mustSurvive: options.mustSurvive, seed: usesChance ? options.seed : nil)
    }

    // MARK: Without faults

    /// Two runs without faults: what they store is what has to be stored, and where requests come by is what can be struck.
    private func foundation() throws -> Foundation? {
        let rehearsing = runner(checks: options.checks + [SweepOptions.usualCheck])
        guard
            let first = try rehearse(rehearsing, number: 1, probes: []),
            let second = try rehearse(
                rehearsing, number: 2, probes: SweepProbes(first.operations, at: options.settings.sites).rules)
        else { return nil }
        guard !first.operations.isEmpty else {
            throw NothingToSweep("no request reached \(server.endpoint): the command has to use AWS_ENDPOINT_URL")
        }
        let (checks, notes) = try checks(after: [first.evidence, second.evidence])
        let probes = SweepProbes(first.operations, at: options.settings.sites)
        let plan =
            options.rules.map { SweepPlan($0) }
            ?? SweepPlan(probes.reached(second.matched), counters: second.counters, options.settings)
        guard !plan.cells.isEmpty else {
            let seen = first.operations.map(\.rawValue).joined(separator: ", ")
            throw NothingToSweep("nothing of what was chosen is reached; the command's requests are \(seen)")
        }
        let leftOut = probes.leftOut.map(\.rawValue).joined(separator: ", ")
        return Foundation(
            expectation: SweepExpectation(first.evidence, second.evidence), plan: plan, checks: checks,
            milliseconds: first.evidence.milliseconds,
            notes: notes + (leftOut.isEmpty ? [] : ["too many operations for one sweep; left out: \(leftOut)"]))
    }

    private func rehearse(
        _ runner: SweepRunner, number: Int, probes: [FaultRule]
    ) throws -> SweepRunner.Rehearsal? {
        let limit = options.timeout ?? Self.rehearsalTimeout
        guard let rehearsal = try runner.rehearse(number: number, probes: probes, milliseconds: limit) else {
            return nil
        }
        guard rehearsal.evidence.saysSuccess else { throw FailedRehearsal(rehearsal.evidence, run: number) }
        return rehearsal
    }

    /// A check that fails without faults says nothing about faults: one that was asked for is an error.
    private func checks(after rehearsals: [SweepEvidence]) throws -> ([Check], notes: [String]) {
        let failed = rehearsals.flatMap(\.findings).filter { $0.outcome != .pass && $0.outcome != .notApplicable }
        if let own = failed.first(where: { finding in options.checks.contains { $0.line == finding.check } }) {
            throw FailedRehearsal(check: own)
        }
        guard let usual = failed.first else { return (options.checks + [SweepOptions.usualCheck], []) }
        return (options.checks, ["\(usual.check) is not asked, because it fails without faults: \(usual.reason)"])
    }

    private func runner(checks: [Check]) -> SweepRunner {
        SweepRunner(
            server: server, command: options.command, buckets: options.buckets, checks: checks, seed: options.seed,
            interruption: interruption)
    }
}

/// The command does not work without faults: exit code 1.
struct FailedRehearsal: Error, CustomStringConvertible {
    let description: String

    init(_ evidence: SweepEvidence, run: Int) {
        let said = evidence.output.isEmpty ? " and said nothing" : ":\n" + evidence.output
        description = "run \(run), without any fault, ended with \(evidence.endingText)\(said)"
    }

    init(check finding: SweepEvidence.Finding) {
        description = "without any fault the check '\(finding.check)' does not hold: \(finding.reason)"
    }
}

/// Nothing can be struck: exit code 3.
struct NothingToSweep: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
