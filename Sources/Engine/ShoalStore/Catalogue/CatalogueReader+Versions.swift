import ShoalS3
import ShoalSQLite

/// The statements that read versions.
final class VersionStatements {
    fileprivate let findNull: Statement
    fileprivate let findNumber: Statement
    fileprivate let currentPage: Statement
    fileprivate let olderPage: Statement
    fileprivate let rows: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        let columns = "\(ObjectRow.recordColumns), \(ObjectRow.locationColumns)"
        findNull = try connection.prepare(
            "SELECT \(columns) FROM versions WHERE bucket = ?1 AND key = ?2 AND \(ObjectRow.isNull)")
        findNumber = try connection.prepare(
            "SELECT \(columns) FROM versions WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3")
        currentPage = try connection.prepare(
            "SELECT \(columns) FROM objects WHERE bucket = ?1 AND key >= ?2 AND key < ?3 ORDER BY key")
        olderPage = try connection.prepare(
            """
            SELECT \(columns) FROM versions WHERE bucket = ?1 AND key = ?2 AND ordinal < ?3 ORDER BY ordinal DESC
            """)
        rows = try connection.prepare(
            """
            SELECT \(columns), bucket FROM versions WHERE (bucket, key) > (?1, ?2)
                OR (bucket = ?1 AND key = ?2 AND ordinal < ?3) ORDER BY bucket, key, ordinal DESC LIMIT ?4
            """)
    }
}

extension CatalogueReader {
    /// That version, be it the current one or an older one.
    func find(
        _ bucket: BucketID, _ key: ObjectKey, _ version: ObjectVersion
    ) throws(SQLiteError) -> StoredObject? {
        if let current = try find(bucket, key), current.record.version == version { return current }
        let older =
            switch version {
            case .null: try older(versions.findNull, bucket, key, nil)
            case .number(let ordinal): try older(versions.findNumber, bucket, key, ordinal)
            }
        return older?.record.version == version ? older : nil
    }

    private func older(
        _ statement: borrowing Statement, _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64?
    ) throws(SQLiteError) -> StoredObject? {
        defer { statement.reset() }
        statement.bind(bucket, at: 1)
        statement.bind(key.bytes, at: 2)
        if let ordinal { statement.bind(Int64(bitPattern: ordinal), at: 3) }
        return try statement.step() ? ObjectRow.object(statement, key: key) : nil
    }

    /// A place in the order of all older versions; the least is before the first.
    struct VersionPosition: Sendable {
        var bucket: BucketID = .min
        var key: [UInt8] = []
        var ordinal: UInt64 = 0
    }

    /// At most `limit` older versions of all keys behind `position`, and where the next run begins; nil at the end.
    func versionRows(
        after position: VersionPosition, limit: Int
    ) throws(SQLiteError) -> (rows: [(bucket: BucketID, object: StoredObject)], next: VersionPosition?) {
        defer { versions.rows.reset() }
        versions.rows.bind(position.bucket, at: 1)
        versions.rows.bind(position.key, at: 2)
        versions.rows.bind(Int64(bitPattern: position.ordinal), at: 3)
        versions.rows.bind(Int64(limit), at: 4)
        var rows: [(bucket: BucketID, object: StoredObject)] = []
        while try versions.rows.step() {
            rows.append((versions.rows.integer(ObjectRow.endColumn), ObjectRow.object(versions.rows)))
        }
        guard rows.count == limit, let last = rows.last else { return (rows, nil) }
        let record = last.object.record
        return (rows, VersionPosition(bucket: last.bucket, key: record.key.bytes, ordinal: record.ordinal))
    }
}

// MARK: - Listing

extension CatalogueReader {
    /// One page of a bucket's versions; what is rolled up is jumped over.
    func page(_ bucket: BucketID, _ query: VersionQuery) throws(SQLiteError) -> VersionPage {
        let keys = ListQuery(
            prefix: query.prefix, delimiter: query.delimiter, startAfter: query.afterKey, limit: query.limit)
        guard query.limit > 0, let first = keys.firstKey, let end = keys.endKey else {
            return VersionPage(entries: [], isTruncated: false)
        }
        var page = VersionPageBuilder(limit: query.limit)
        return try snapshot { () throws(SQLiteError) in
            if let version = query.afterVersion, query.afterKey.starts(with: query.prefix) {
                try addOlder(bucket, ObjectKey(stored: query.afterKey), than: version, to: &page)
            }
            var lower = first
            while !page.isFull, let jump = try scan(bucket, from: lower, to: end, keys, into: &page) { lower = jump }
            return VersionPage(entries: page.entries, isTruncated: page.isFull)
        }
    }

    /// Adds what is older than a version of the key the page begins in.
    private func addOlder(
        _ bucket: BucketID, _ key: ObjectKey, than version: ObjectVersion, to page: inout VersionPageBuilder
    ) throws(SQLiteError) {
        let marker = try find(bucket, key, version)?.record.ordinal
        let ordinal: UInt64 = if let marker { marker } else if case .number(let number) = version { number } else { 0 }
        // The current version comes first, unless the marker is of one that is gone and was later.
        if let current = try find(bucket, key), current.record.ordinal < ordinal {
            page.add(.version(current.record, isLatest: true))
        }
        try addOlder(bucket, key, below: ordinal, to: &page)
    }

    private func addOlder(
        _ bucket: BucketID, _ key: ObjectKey, below ordinal: UInt64, to page: inout VersionPageBuilder
    ) throws(SQLiteError) {
        guard ordinal > 0 else { return }
        defer { versions.olderPage.reset() }
        versions.olderPage.bind(bucket, at: 1)
        versions.olderPage.bind(key.bytes, at: 2)
        versions.olderPage.bind(Int64(bitPattern: ordinal), at: 3)
        while !page.isFull, try versions.olderPage.step() {
            page.add(.version(ObjectRow.record(versions.olderPage, key: key), isLatest: false))
        }
    }

    /// Where to go on behind a roll-up; nil at the end.
    private func scan(
        _ bucket: BucketID, from lower: [UInt8], to end: [UInt8], _ keys: ListQuery,
        into page: inout VersionPageBuilder
    ) throws(SQLiteError) -> [UInt8]? {
        defer { versions.currentPage.reset() }
        versions.currentPage.bind(bucket, at: 1)
        versions.currentPage.bind(lower, at: 2)
        versions.currentPage.bind(end, at: 3)
        while !page.isFull, try versions.currentPage.step() {
            if let rollUp = versions.currentPage.withBytes(0, { keys.rollUp(of: $0) }) {
                page.add(.rollUp(rollUp))
                return rollUp.successor
            }
            let record = ObjectRow.record(versions.currentPage)
            page.add(.version(record, isLatest: true))
            try addOlder(bucket, record.key, below: record.ordinal, to: &page)
        }
        return nil
    }
}

/// Collects the entries of one page; full once there is one too many, which is not kept.
private struct VersionPageBuilder {
    private let limit: Int
    private(set) var entries: [VersionPage.Entry] = []
    private(set) var isFull = false

    init(limit: Int) { self.limit = limit }

    mutating func add(_ entry: VersionPage.Entry) {
        isFull = entries.count == limit
        if !isFull { entries.append(entry) }
    }
}
