import ShoalSQLite

/// The statements that change the outbox.
final class OutboxChangeStatements {
    fileprivate let put: Statement
    fileprivate let remove: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        put = try connection.prepare("INSERT OR REPLACE INTO outbox VALUES(?1,?2,?3,?4,?5,?6)")
        remove = try connection.prepare("DELETE FROM outbox WHERE destination = ?1 AND sequence = ?2 AND place = ?3")
    }
}

// MARK: - Within a transaction

extension CatalogueWriter {
    func put(_ entry: OutboxEntry) throws(SQLiteError) {
        OutboxRow.bind(entry.position, of: entry.message.destination, to: outbox.put)
        outbox.put.bind(entry.message.subject, at: 4)
        outbox.put.bind(entry.message.body, at: 5)
        outbox.put.bind(entry.message.created.milliseconds, at: 6)
        try outbox.put.run()
    }

    /// Does nothing if it is not there.
    func removeFromOutbox(_ position: OutboxEntry.Position, of destination: String) throws(SQLiteError) {
        OutboxRow.bind(position, of: destination, to: outbox.remove)
        try outbox.remove.run()
    }
}
