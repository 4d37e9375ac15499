import Glibc
import ShoalFaults
import ShoalJSON

/// What one process leaves to the next when a rule ends it: `DIR/crash.json` and `DIR/crash.ndjson`.
struct CrashRecord: Sendable {
    private let path: String
    /// A journal and the counters of ten thousand rules fit.
    private static let byteCountMax = 512 << 20

    init(in directory: String) { path = directory + "/crash" }

    private var stateFile: String { path + ".json" }
    private var journalFile: String { path + ".ndjson" }

    /// Throws what keeps a file from being written; the process ends all the same.
    func write(_ worlds: [JSON], seed: UInt64, restart: Duration, journal: [UInt8]) throws {
        try StartFile.write(String(decoding: journal, as: UTF8.self), to: journalFile, mode: 0o600)
        let state: JSON = [
            "restartMs": .integer(restart.wholeMilliseconds), "seed": .string(String(seed)), "worlds": .array(worlds),
        ]
        try StartFile.write(state.text, to: stateFile, mode: 0o600)
    }

    /// After what time the server is to be back, and what its chances are drawn from; nil if no rule has ended it.
    var restart: (wait: Duration, seed: UInt64?)? {
        guard access(stateFile, F_OK) == 0, let json = try? state(),
            case .integer(let milliseconds)? = json["restartMs"]
        else { return nil }
        var seed: UInt64?
        if case .string(let text)? = json["seed"] { seed = UInt64(text) }
        return (.milliseconds(milliseconds), seed)
    }

    /// What was left, which is removed; nil if nothing was.
    func take() throws -> (worlds: [JSON], journal: [UInt8])? {
        defer { remove() }
        guard access(stateFile, F_OK) == 0 else { return nil }
        let state = try state()
        guard case .array(let worlds)? = state["worlds"] else { return nil }
        return (worlds, try StartFile.read(journalFile, byteCountMax: Self.byteCountMax))
    }

    private func state() throws -> JSON {
        try JSONParser.parse(
            try StartFile.read(stateFile, byteCountMax: Self.byteCountMax), byteCountMax: Self.byteCountMax)
    }

    /// For a start that takes nothing up.
    func remove() {
        unlink(stateFile)
        unlink(journalFile)
    }
}

extension Facilities {
    /// Ends the process with status 137, as a shell tells of SIGKILL.
    func crash(restart: Duration) -> Never {
        // Rules first: what happens between the two is in the journal and was not counted, never the other way round.
        let worlds = worlds.all.map(\.handover)
        journal.takeLastLines { [crashRecord, log, seed] lines in
            do {
                try crashRecord.write(worlds, seed: seed, restart: restart, journal: lines)
            } catch {
                log.error("the journal could not be handed over", ["cause": "\(error)"])
            }
            _exit(Self.crashStatus)
        }
    }

    static var crashStatus: Int32 { 137 }

    /// Takes up what the process before has left, if a rule has ended it: the number of its last connection; nil if there is
    /// nothing to take up. What cannot be read is left, with a warning: the store is more than the test's own side.
    func resume() throws -> UInt64? {
        guard options.resumes else {
            crashRecord.remove()
            return nil
        }
        do {
            guard let (states, lines) = try crashRecord.take() else { return nil }
            // The journal first: what the rules do at once is written behind it.
            let scopes = Dictionary(uniqueKeysWithValues: worlds.all.map { ($0.name, $0.journalScope) })
            let last = journal.resume(lines) { scopes[$0] }
            for state in states {
                guard case .string(let name)? = state["scope"], let world = worlds.find(name) else { continue }
                try world.resume(state)
            }
            return last
        } catch {
            log.error("what the process before has left cannot be taken up", ["cause": "\(error)"])
            return nil
        }
    }
}
