import ShoalS3
import ShoalSQLite

/// The statements that read the outbox.
final class OutboxStatements {
    fileprivate let page: Statement
    fileprivate let find: Statement
    fileprivate let counts: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        page = try connection.prepare(
            """
            SELECT \(OutboxRow.columns) FROM outbox WHERE destination = ?1 AND (sequence, place) > (?2, ?3)
            ORDER BY sequence, place LIMIT ?4
            """)
        find = try connection.prepare(
            "SELECT \(OutboxRow.columns) FROM outbox WHERE destination = ?1 AND sequence = ?2 AND place = ?3")
        counts = try connection.prepare(
            "SELECT destination, count(*) FROM outbox GROUP BY destination ORDER BY destination")
    }
}

/// How a message stands in a row of the catalogue.
enum OutboxRow {
    static let columns = "sequence, place, destination, subject, body, created"

    static func entry(_ row: borrowing Statement) -> OutboxEntry {
        OutboxEntry(
            position: OutboxEntry.Position(
                sequence: UInt64(bitPattern: row.integer(0)), place: UInt32(clamping: row.integer(1))),
            message: OutboxMessage(
                destination: row.text(2), subject: row.bytes(3), body: row.bytes(4),
                created: Timestamp(milliseconds: row.integer(5))))
    }

    /// Binds the three columns that name a row to the parameters 1 to 3.
    static func bind(_ position: OutboxEntry.Position, of destination: String, to statement: borrowing Statement) {
        statement.bind(destination, at: 1)
        statement.bind(Int64(bitPattern: position.sequence), at: 2)
        statement.bind(Int64(position.place), at: 3)
    }
}

extension CatalogueReader {
    /// At most `limit` messages behind `position`, from the start if it is nil, in the order of commits.
    func outbox(
        of destination: String, after position: OutboxEntry.Position?, limit: Int
    ) throws(SQLiteError) -> [OutboxEntry] {
        defer { outbox.page.reset() }
        // No change has the number 0.
        OutboxRow.bind(position ?? .init(sequence: 0, place: 0), of: destination, to: outbox.page)
        outbox.page.bind(Int64(limit), at: 4)
        var entries: [OutboxEntry] = []
        while try outbox.page.step() { entries.append(OutboxRow.entry(outbox.page)) }
        return entries
    }

    func outboxEntry(
        at position: OutboxEntry.Position, of destination: String
    ) throws(SQLiteError) -> OutboxEntry? {
        defer { outbox.find.reset() }
        OutboxRow.bind(position, of: destination, to: outbox.find)
        return try outbox.find.step() ? OutboxRow.entry(outbox.find) : nil
    }

    /// How many messages wait, by destination.
    func outboxCounts() throws(SQLiteError) -> [OutboxCount] {
        defer { outbox.counts.reset() }
        var counts: [OutboxCount] = []
        while try outbox.counts.step() {
            counts.append(OutboxCount(destination: outbox.counts.text(0), count: Int(outbox.counts.integer(1))))
        }
        return counts
    }
}
