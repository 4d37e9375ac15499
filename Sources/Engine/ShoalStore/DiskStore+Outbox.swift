import ShoalSQLite

extension DiskStore {
    package func outbox(
        of destination: String, after position: OutboxEntry.Position?, limit: Int
    ) throws(StoreError) -> [OutboxEntry] {
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in
            try reader.outbox(of: destination, after: position, limit: limit)
        }
    }

    package func outboxEntry(
        at position: OutboxEntry.Position, of destination: String
    ) throws(StoreError) -> OutboxEntry? {
        try readers.read { (reader) throws(SQLiteError) in try reader.outboxEntry(at: position, of: destination) }
    }

    package func removeFromOutbox(
        _ position: OutboxEntry.Position, of destination: String
    ) throws(StoreError) {
        try applier.transaction { (writer, _) throws(SQLiteError) in
            try writer.removeFromOutbox(position, of: destination)
        }
        // Nobody else may be writing who would see that the write-ahead log has grown.
        if upkeep.isDue { work.keepHouse() }
    }

    package func outboxCounts() throws(StoreError) -> [OutboxCount] {
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in try reader.outboxCounts() }
    }
}
