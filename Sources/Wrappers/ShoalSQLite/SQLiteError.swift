import CShoalSQLite

/// A failure SQLite reported, with the statement it happened in.
/// https://sqlite.org/rescode.html
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code, such as 787 for `SQLITE_CONSTRAINT_FOREIGNKEY`.
    package let extendedCode: Int32
    package let message: String
    /// The statement, with its parameters unbound: values never reach a log.
    package let sql: String

    /// The primary result code: the low byte of the extended one.
    package var code: Int32 { extendedCode & 0xFF }

    /// `SQLITE_FULL`: the disk, or the page limit of the database, is exhausted.
    package var isFull: Bool { code == SQLITE_FULL }

    init(on db: OpaquePointer?, result: Int32, sql: String) {
        extendedCode = db.map { sqlite3_extended_errcode($0) } ?? result
        message = String(cString: db.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(result))
        self.sql = sql
    }

    package var description: String { "SQLite \(extendedCode): \(message) in: \(sql)" }
}
