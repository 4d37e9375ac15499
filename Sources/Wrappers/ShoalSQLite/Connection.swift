import CShoalSQLite

/// One connection to a database file, for one thread at a time; closed when the last reference goes.
///
/// Opened without SQLite's own mutex, so it may wander between threads only if its owner passes it on whole.
/// https://sqlite.org/c3ref/sqlite3.html
package final class Connection {
    package enum Access: Sendable {
        case readOnly, readWrite, create
    }

    private let db: OpaquePointer
    /// Written by SQLite's hook after each commit, on the committing thread.
    private let walFrames: UnsafeMutablePointer<Int32>

    /// Once for the process. If another library was first with SQLite this changes nothing, which costs only speed.
    private static let configuration = shoal_sqlite_disable_statistics()

    package init(_ path: String, _ access: Access) throws(SQLiteError) {
        _ = Self.configuration
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let handle else {
            let error = SQLiteError(on: handle, result: result, sql: "open \(path)")
            sqlite3_close_v2(handle)
            throw error
        }
        db = handle
        walFrames = .allocate(capacity: 1)
        walFrames.initialize(to: 0)
    }

    deinit {
        // The v2 form waits for statements that outlive this object by a moment.
        sqlite3_close_v2(db)
        walFrames.deallocate()
    }

    /// How long a statement waits for another connection's lock before it fails with `SQLITE_BUSY`.
    package func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(db, milliseconds) }

    /// Runs statements that give no rows, separated by `;`.
    package func execute(_ sql: String) throws(SQLiteError) {
        let result = sqlite3_exec(db, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(on: db, result: result, sql: sql) }
    }

    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, on: db)
    }

    /// The integer in the first column of the first row; nil if there is no row.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Rows changed by the last INSERT, UPDATE or DELETE that completed.
    package var changes: Int { Int(sqlite3_changes(db)) }

    /// Runs `body` in one transaction that is rolled back if anything is thrown.
    package func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back by itself (disk full, I/O error); then this fails and changes nothing.
            if sqlite3_get_autocommit(db) == 0 { sqlite3_exec(db, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }
}

// MARK: - Write-ahead log

extension Connection {
    package enum Checkpoint: Sendable {
        /// Copies what it can without waiting for anybody.
        case passive
        /// Waits for readers and leaves a log file of no bytes.
        case truncate

        fileprivate var mode: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// Moves pages from the write-ahead log into the database file and syncs both.
    /// https://sqlite.org/c3ref/wal_checkpoint_v2.html
    package func checkpoint(_ kind: Checkpoint) throws(SQLiteError) {
        let result = sqlite3_wal_checkpoint_v2(db, nil, kind.mode, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(on: db, result: result, sql: "checkpoint \(kind)") }
    }

    /// Starts counting; this also ends SQLite's own checkpoints on this connection.
    /// https://sqlite.org/c3ref/wal_hook.html
    package func countWriteAheadFrames() {
        sqlite3_wal_hook(
            db,
            { context, _, _, frames in
                context?.assumingMemoryBound(to: Int32.self).pointee = frames
                return SQLITE_OK
            }, walFrames)
    }

    /// Pages in the write-ahead log after this connection's last commit.
    package var writeAheadFrameCount: Int { Int(walFrames.pointee) }
}
