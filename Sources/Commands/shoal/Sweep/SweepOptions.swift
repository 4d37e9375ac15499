import Glibc
import ShoalFaults
import ShoalS3
import ShoalSweep

/// What `shoal sweep` was asked to do, understood.
struct SweepOptions: Sendable {
    /// Always asked, unless it fails without faults.
    static let usualCheck = check("no-retry-after")

    let command: [String]
    let buckets: [BucketName]
    let settings: SweepPlan.Settings
    /// In place of a plan by points.
    let rules: [FaultRule]?
    let checks: [Check]
    let seed: UInt64?
    let jobs: Int
    /// Milliseconds of one run; nil for what suits the first.
    let timeout: Int64?
    let listsOnly: Bool
    let failsFast: Bool
    let mustSurvive: Bool
    let files: [SweepFile]

    init(_ arguments: ParsedArguments) throws {
        guard !arguments.operands.isEmpty else {
            throw UsageError(
                "COMMAND is missing, as in `shoal sweep -- ./upload-test.sh`; `shoal sweep --help` tells more")
        }
        command = arguments.operands
        buckets = try Serve.buckets(arguments.values(Sweep.bucket))
        let document = try Self.document(arguments)
        (rules, seed) = (document?.rules, try Serve.seed(arguments) ?? document?.seed)
        settings = try Self.settings(arguments)
        checks = try arguments.values(Sweep.checks).map(Self.understood)
        jobs = try arguments.integer(Sweep.jobs, in: 1...256) ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        timeout = try Self.timeout(arguments)
        listsOnly = arguments.isOn(Sweep.list)
        failsFast = arguments.isOn(Sweep.failFast)
        mustSurvive = arguments.isOn(Sweep.mustSurvive)
        files = try SweepFile.Format.allCases.compactMap { try SweepFile($0, arguments) }
    }

    private static func document(_ arguments: ParsedArguments) throws -> RuleDocument? {
        guard let path = arguments.value(Sweep.rules) else { return nil }
        let others = [Sweep.actions, Sweep.points, Sweep.attempts, Sweep.only]
        if let other = others.first(where: { arguments.given.contains($0.name) }) {
            throw UsageError("--\(other.name) chooses among points, and --rules says itself what is struck")
        }
        let bytes = try SmallFile.bytes(path)
        let document: RuleDocument
        do throws(RuleError) {
            document = try RuleDocument(bytes)
        } catch {
            throw UsageError("\(path): \(error)")
        }
        guard !document.rules.isEmpty else { throw UsageError("\(path) holds no rules") }
        return document
    }

    private static func settings(_ arguments: ParsedArguments) throws(UsageError) -> SweepPlan.Settings {
        var settings = SweepPlan.Settings()
        do throws(SweepFlaw) {
            if let text = arguments.value(Sweep.actions) {
                settings.actions = []
                for part in SweepList.parts(of: text) { settings.actions.append(try SweepAction(part)) }
            }
            if let text = arguments.value(Sweep.points) {
                settings.sites = []
                for part in SweepList.parts(of: text) { settings.sites.append(try FaultSite(sweeping: part)) }
            }
            for text in arguments.values(Sweep.only) { settings.filters.append(try SweepFilter(text)) }
        } catch {
            throw UsageError("\(error)")
        }
        if let text = arguments.value(Sweep.attempts) {
            settings.attempts = []
            for part in SweepList.parts(of: text) {
                guard let attempts = SweepAttempts(rawValue: part) else {
                    throw .unknown(
                        "value of --\(Sweep.attempts.name)", part, among: SweepAttempts.allCases.map(\.rawValue))
                }
                settings.attempts?.append(attempts)
            }
        }
        return settings
    }

    private static func timeout(_ arguments: ParsedArguments) throws(UsageError) -> Int64? {
        guard let milliseconds = try arguments.duration(Sweep.timeout) else { return nil }
        guard (100...86_400_000).contains(milliseconds) else {
            throw UsageError("--\(Sweep.timeout.name) takes a length of time from 100ms to 24h")
        }
        return milliseconds
    }

    private static func understood(_ line: String) throws(UsageError) -> Check {
        do throws(RuleError) {
            return try Check(line: line)
        } catch {
            throw UsageError("\(error) in '\(line)'")
        }
    }

    /// One of our own.
    static func check(_ line: String) -> Check {
        do throws(RuleError) {
            return try Check(line: line)
        } catch {
            preconditionFailure("\(line) is no check: \(error)")
        }
    }
}
