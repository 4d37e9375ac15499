import Synchronization

/// A log file that gets no more records.
struct RetiredLog: Sendable {
    let number: UInt64
    /// It may go once the catalogue has applied this and has it on the device.
    let lastSequence: UInt64
}

/// The log files that wait for the catalogue.
final class LogShelf: Sendable {
    private let logs = Mutex<[RetiredLog]>([])

    func add(_ log: RetiredLog) { logs.withLock { $0.append(log) } }

    /// Takes down the files whose records are all applied up to `sequence`.
    func take(appliedUpTo sequence: UInt64) -> [RetiredLog] {
        logs.withLock { logs in
            let applied = logs.filter { $0.lastSequence <= sequence }
            logs.removeAll { $0.lastSequence <= sequence }
            return applied
        }
    }

    func hasLogs(appliedUpTo sequence: UInt64) -> Bool {
        logs.withLock { $0.contains { $0.lastSequence <= sequence } }
    }
}
