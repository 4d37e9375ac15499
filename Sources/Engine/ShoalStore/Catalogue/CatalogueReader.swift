import ShoalS3
import ShoalSQLite

/// A connection that only reads, with its statements. Not Sendable: `CatalogueReaders` lends it to one thread at a time.
final class CatalogueReader {
    let connection: Connection
    private let findStatement: Statement
    let pageStatement: Statement
    private let anyStatement: Statement
    private let beginStatement: Statement
    private let endStatement: Statement
    private let blobsStatement: Statement
    private let rowsStatement: Statement
    let uploads: UploadStatements
    let versions: VersionStatements
    let outbox: OutboxStatements

    init(_ path: String) throws(SQLiteError) {
        connection = try Connection(path, .readWrite)
        connection.setBusyTimeout(milliseconds: CatalogueWriter.busyTimeoutMilliseconds)
        try connection.execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192")
        let columns = "\(ObjectRow.recordColumns), \(ObjectRow.locationColumns)"
        findStatement = try connection.prepare("SELECT \(columns) FROM objects WHERE bucket = ?1 AND key = ?2")
        pageStatement = try connection.prepare(
            "SELECT \(ObjectRow.recordColumns) FROM objects WHERE bucket = ?1 AND key >= ?2 AND key < ?3 "
                + "AND \(ObjectRow.isObject) ORDER BY key")
        beginStatement = try connection.prepare("BEGIN")
        endStatement = try connection.prepare("COMMIT")
        anyStatement = try connection.prepare("SELECT 1 FROM objects WHERE bucket = ?1 LIMIT 1")
        blobsStatement = try connection.prepare(
            """
            SELECT blob FROM objects WHERE blob IS NOT NULL AND blob >= ?1 AND blob < ?2
            UNION ALL SELECT blob FROM parts WHERE blob IS NOT NULL AND blob >= ?1 AND blob < ?2
            UNION ALL SELECT blob FROM versions WHERE blob IS NOT NULL AND blob >= ?1 AND blob < ?2
            """)
        rowsStatement = try connection.prepare(
            """
            SELECT \(columns), bucket FROM objects WHERE (bucket, key) > (?1, ?2) ORDER BY bucket, key LIMIT ?3
            """)
        uploads = try UploadStatements(connection)
        versions = try VersionStatements(connection)
        outbox = try OutboxStatements(connection)
    }

    func find(_ bucket: BucketID, _ key: ObjectKey) throws(SQLiteError) -> StoredObject? {
        defer { findStatement.reset() }
        findStatement.bind(bucket, at: 1)
        findStatement.bind(key.bytes, at: 2)
        guard try findStatement.step() else { return nil }
        return ObjectRow.object(findStatement, key: key)
    }

    /// Runs several reads on one state of the catalogue; it also spares each of them the locks of its own transaction.
    func snapshot<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try beginStatement.run()
        do throws(SQLiteError) {
            let result = try body()
            try endStatement.run()
            return result
        } catch {
            // The reads are over; if even this fails the connection is beyond use, and the first error says why.
            try? endStatement.run()
            throw error
        }
    }

    func hasObjects(_ bucket: BucketID) throws(SQLiteError) -> Bool {
        defer { anyStatement.reset() }
        anyStatement.bind(bucket, at: 1)
        return try anyStatement.step()
    }

    /// The blobs of one folder that objects, versions and parts name.
    func blobs(inFolder byte: UInt8) throws(SQLiteError) -> Set<BlobID> {
        defer { blobsStatement.reset() }
        blobsStatement.bind([byte], at: 1)
        // One longer than any id for the last folder.
        blobsStatement.bind(byte == 255 ? [UInt8](repeating: 255, count: 17) : [byte + 1], at: 2)
        var blobs: Set<BlobID> = []
        while try blobsStatement.step() {
            if let id = BlobID(bytes: blobsStatement.bytes(0)) { blobs.insert(id) }
        }
        return blobs
    }

    /// A place in the order of all rows; the least is before the first.
    struct Position: Sendable {
        var bucket: BucketID = .min
        var key: [UInt8] = []
    }

    /// At most `limit` rows behind `position`, and where the next run begins; nil at the end.
    func rows(
        after position: Position, limit: Int
    ) throws(SQLiteError) -> (rows: [(bucket: BucketID, object: StoredObject)], next: Position?) {
        defer { rowsStatement.reset() }
        rowsStatement.bind(position.bucket, at: 1)
        rowsStatement.bind(position.key, at: 2)
        rowsStatement.bind(Int64(limit), at: 3)
        var rows: [(bucket: BucketID, object: StoredObject)] = []
        while try rowsStatement.step() {
            rows.append((rowsStatement.integer(ObjectRow.endColumn), ObjectRow.object(rowsStatement)))
        }
        guard rows.count == limit, let last = rows.last else { return (rows, nil) }
        return (rows, Position(bucket: last.bucket, key: last.object.record.key.bytes))
    }
}
