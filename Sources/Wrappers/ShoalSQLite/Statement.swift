import CShoalSQLite

/// One prepared statement, finalized when the value goes out of scope.
/// Not Sendable: it belongs to the thread of its connection.
/// https://sqlite.org/c3ref/stmt.html
package struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let db: OpaquePointer
    private let sql: String

    init(_ sql: String, on db: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(db, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard result == SQLITE_OK, let handle else { throw SQLiteError(on: db, result: result, sql: sql) }
        self.handle = handle
        self.db = db
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Moves to the next row; false when there is none left.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw SQLiteError(on: db, result: code, sql: sql)
        }
    }

    /// Back to before the first row. It ends the read transaction of a SELECT, so it is not left for later.
    package func reset() { sqlite3_reset(handle) }

    /// Runs to the end, for statements without rows, and resets also when that fails.
    package func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }
}

// MARK: - Parameters, counted from 1 as SQLite does

extension Statement {
    package func bind(_ value: Int64, at index: Int32) { check(sqlite3_bind_int64(handle, index, value)) }

    package func bindNull(at index: Int32) { check(sqlite3_bind_null(handle, index)) }

    package func bind(_ text: String, at index: Int32) {
        check(sqlite3_bind_text(handle, index, text, -1, shoal_sqlite_transient()))
    }

    /// Copies the bytes.
    package func bind(_ bytes: [UInt8], at index: Int32) {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, !bytes.isEmpty else {
                return check(sqlite3_bind_zeroblob(handle, index, 0))
            }
            check(sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), shoal_sqlite_transient()))
        }
    }

    private func check(_ result: Int32) {
        // A wrong index, a statement in use, or no memory: our own mistakes, or beyond repair.
        precondition(result == SQLITE_OK, "bind failed with \(result) in: \(sql)")
    }
}

// MARK: - Columns, counted from 0 as SQLite does

extension Statement {
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func text(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// The same, for who looks at several columns of a row at once and keeps none.
    package func borrowedBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The pointer must be asked for before the count: asking may convert the value.
        let base = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a BLOB or TEXT column, valid until the next `step` or `reset`; none for NULL.
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(borrowedBytes(column))
    }
}
