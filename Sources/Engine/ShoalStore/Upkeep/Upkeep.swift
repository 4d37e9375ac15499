import ShoalSQLite
import Synchronization

/// What the store does for itself in the background: checkpoints, log files that are no longer needed, dead segments.
///
/// Runs on one thread. Everything may fail (a full disk) and is then tried again later; nothing here is needed for an
/// answer to a client.
final class Upkeep: Sendable {
    /// 16 MiB of pages: often enough for quick reads, seldom enough for each page to be written once.
    private static let checkpointFrameCount = 4_096
    /// Above this a checkpoint keeps writers away, so that it reaches the end.
    private static let checkpointFrameCountMax = 32_768

    let directories: StoreDirectories
    let applier: Applier
    let readers: CatalogueReaders
    let segments: SegmentStore
    let blobs: BlobStore
    let holds: BlobHolds
    let shelf: LogShelf
    let options: DiskStoreOptions
    private let connection = Mutex<Connection?>(nil)
    /// Held by whoever keeps house.
    let turn = Mutex<Void>(())
    /// Segments that lack bytes objects name: reported once and left as they are.
    let damaged = Mutex<Set<UInt64>>([])

    init(
        _ directories: StoreDirectories, applier: Applier, readers: CatalogueReaders, segments: SegmentStore,
        blobs: BlobStore, holds: BlobHolds, shelf: LogShelf, options: DiskStoreOptions
    ) {
        self.directories = directories
        self.applier = applier
        self.readers = readers
        self.segments = segments
        self.blobs = blobs
        self.holds = holds
        self.shelf = shelf
        self.options = options
    }

    var disk: any Disk { options.disk }

    /// There is something to do; asked after each batch.
    var isDue: Bool {
        applier.writeAheadFrameCount >= Self.checkpointFrameCount
            || shelf.hasLogs(appliedUpTo: applier.appliedSequence) || !victims().isEmpty
    }

    /// Does what is due; false if something failed and was reported.
    func run() -> Bool {
        turn.withLock { _ in
            removeReleasedBlobs()
            let isCheckpointed = attempt("checkpoint of the catalogue", checkpointIfDue)
            let isReclaimed = attempt("reclaiming of segments", reclaim)
            return attempt("removal of applied logs", removeAppliedLogs) && isCheckpointed && isReclaimed
        }
    }

    /// Removes the files of blobs that were replaced or deleted. One that cannot be removed is left to the next sweep.
    func removeReleasedBlobs() {
        let released = applier.takeReleased().filter { !holds.postpone($0) }
        for id in released + holds.takeReleased() {
            _ = attempt("removal of a replaced body") { () throws(StoreError) in try blobs.remove(id) }
        }
    }

    /// Runs a task whose failure is reported and no more.
    func attempt(_ activity: String, _ task: () throws(StoreError) -> Void) -> Bool {
        do {
            try task()
            return true
        } catch {
            options.report(StoreIncident(activity, error))
            return false
        }
    }
}

// MARK: - The catalogue's files

extension Upkeep {
    private func checkpointIfDue() throws(StoreError) {
        let frames = applier.writeAheadFrameCount
        if frames >= Self.checkpointFrameCountMax {
            try applier.checkpoint(.passive)
        } else if frames >= Self.checkpointFrameCount {
            try checkpoint()
        }
    }

    /// On a connection of its own, so that changes can be applied meanwhile.
    private func checkpoint() throws(StoreError) {
        try connection.withLock { (connection) throws(StoreError) in
            do throws(SQLiteError) {
                let open: Connection
                if let connection {
                    open = connection
                } else {
                    open = try Connection(directories.database, .readWrite)
                    open.setBusyTimeout(milliseconds: CatalogueWriter.busyTimeoutMilliseconds)
                    // The sync of the checkpoint is what log files wait for.
                    try open.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
                }
                connection = open
                try open.checkpoint(.passive)
            } catch {
                throw .catalogue(error)
            }
        }
    }

    /// Brings a database that was made without syncs to the device.
    func settleNewDatabase() { _ = attempt("first checkpoint of the catalogue", checkpoint) }

    func closeConnection() { connection.withLock { $0 = nil } }

    /// Brings every transaction committed so far to the device: the write-ahead log holds what no checkpoint has moved,
    /// and a checkpoint syncs what it moves. The database file itself is left alone, because closing a second
    /// descriptor of it would drop SQLite's locks: https://sqlite.org/howtocorrupt.html section 2.2.
    func synchronizeCatalogue() throws(StoreError) {
        try disk.synchronize(try disk.open(directories.database + "-wal", .readOnly))
        try disk.synchronizeDirectory(directories.root)
    }

    /// A log file may only vanish when the catalogue holds its records *on the device*: else a power cut would take the
    /// log and roll the catalogue back to before it.
    private func removeAppliedLogs() throws(StoreError) {
        let applied = applier.appliedSequence
        guard shelf.hasLogs(appliedUpTo: applied) else { return }
        try synchronizeCatalogue()
        try takeDownLogs(appliedUpTo: applied)
    }

    /// After a checkpoint that left nothing in the write-ahead log, and with no commit under way.
    func removeAllLogs() throws(StoreError) { try takeDownLogs(appliedUpTo: applier.appliedSequence) }

    private func takeDownLogs(appliedUpTo applied: UInt64) throws(StoreError) {
        let logs = shelf.take(appliedUpTo: applied)
        for (index, log) in logs.enumerated() {
            do {
                try disk.removeIfPresent(IntentLog.path(log.number, in: directories.log))
            } catch {
                for log in logs[index...] { shelf.add(log) }
                throw error
            }
        }
    }
}
