import ShoalS3
import ShoalSQLite

/// The one connection that changes the catalogue. Not Sendable: it lives under the applier's lock.
final class CatalogueWriter {
    /// Only recovery after a crash makes connections wait for one another this long.
    static let busyTimeoutMilliseconds: Int32 = 10_000

    let connection: Connection
    private let insertObject: Statement
    private let findLocation: Statement
    private let updateObject: Statement
    private let deleteObject: Statement
    private let moveObject: Statement
    private let putBucket: Statement
    private let deleteBucket: Statement
    private let bodiesOfBucket: Statement
    private let deleteObjects: Statement
    private let deleteVersions: Statement
    private let deleteUploads: Statement
    private let putSegment: Statement
    private let deleteSegment: Statement
    private let putMeta: Statement
    private let raiseMeta: Statement
    let uploads: UploadChangeStatements
    let versions: VersionChangeStatements
    let outbox: OutboxChangeStatements

    /// The connection must have been migrated.
    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        try connection.execute(
            "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = \(64 << 20); PRAGMA cache_size = -16384")
        connection.countWriteAheadFrames()
        insertObject = try connection.prepare(
            "INSERT OR IGNORE INTO objects VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")
        findLocation = try connection.prepare(
            "SELECT \(ObjectRow.locationColumns), size, upload FROM objects WHERE bucket = ?1 AND key = ?2")
        updateObject = try connection.prepare(
            """
            UPDATE objects SET etag = ?3, size = ?4, modified = ?5, attributes = ?6, checksum = ?7, segment = ?8,
            position = ?9, blob = ?10, upload = ?11, ordinal = ?12, kind = ?13 WHERE bucket = ?1 AND key = ?2
            """)
        deleteObject = try connection.prepare("DELETE FROM objects WHERE bucket = ?1 AND key = ?2")
        moveObject = try connection.prepare(
            """
            UPDATE objects SET segment = ?3, position = ?4
            WHERE bucket = ?1 AND key = ?2 AND segment = ?5 AND position = ?6
            """)
        putBucket = try connection.prepare(
            """
            INSERT INTO buckets VALUES(?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(id) DO UPDATE SET
            created = excluded.created, region = excluded.region, settings = excluded.settings,
            versioning = excluded.versioning
            """)
        deleteBucket = try connection.prepare("DELETE FROM buckets WHERE id = ?1")
        let bodyColumns = "\(ObjectRow.locationColumns), size, upload"
        bodiesOfBucket = try connection.prepare(
            """
            SELECT \(bodyColumns) FROM objects WHERE bucket = ?1
            UNION ALL SELECT \(bodyColumns) FROM versions WHERE bucket = ?1
            """)
        deleteObjects = try connection.prepare("DELETE FROM objects WHERE bucket = ?1")
        deleteVersions = try connection.prepare("DELETE FROM versions WHERE bucket = ?1")
        deleteUploads = try connection.prepare("DELETE FROM uploads WHERE bucket = ?1")
        putSegment = try connection.prepare("INSERT OR REPLACE INTO segments VALUES(?1,?2,?3)")
        deleteSegment = try connection.prepare("DELETE FROM segments WHERE number = ?1")
        putMeta = try connection.prepare("INSERT OR REPLACE INTO meta VALUES(?1,?2)")
        raiseMeta = try connection.prepare(
            "INSERT INTO meta VALUES(?1,?2) ON CONFLICT(name) DO UPDATE SET value = max(value, excluded.value)")
        uploads = try UploadChangeStatements(connection)
        versions = try VersionChangeStatements(connection)
        outbox = try OutboxChangeStatements(connection)
    }
}

// MARK: - Objects, within a transaction

extension CatalogueWriter {
    /// A body that an object no longer names.
    struct Released {
        let location: BodyLocation
        let size: UInt64
    }

    /// Puts the row in place; what it replaced, if anything.
    func put(_ bucket: BucketID, _ object: StoredObject) throws(SQLiteError) -> Released? {
        ObjectRow.bind(bucket, object, to: insertObject)
        try insertObject.run()
        if connection.changes == 1 { return nil }
        let released = try location(bucket, object.record.key)
        ObjectRow.bind(bucket, object, to: updateObject)
        try updateObject.run()
        return released
    }

    func delete(_ bucket: BucketID, _ key: ObjectKey) throws(SQLiteError) -> Released? {
        guard let released = try location(bucket, key) else { return nil }
        deleteObject.bind(bucket, at: 1)
        deleteObject.bind(key.bytes, at: 2)
        try deleteObject.run()
        return released
    }

    /// Names other bytes for an object, unless it was replaced or deleted meanwhile: then false.
    func move(
        _ bucket: BucketID, _ key: ObjectKey, from old: (number: UInt64, offset: UInt64),
        to new: (number: UInt64, offset: UInt64)
    ) throws(SQLiteError) -> Bool {
        moveObject.bind(bucket, at: 1)
        moveObject.bind(key.bytes, at: 2)
        for (index, value) in [new.number, new.offset, old.number, old.offset].enumerated() {
            moveObject.bind(Int64(bitPattern: value), at: Int32(3 + index))
        }
        try moveObject.run()
        return connection.changes == 1
    }

    func location(_ bucket: BucketID, _ key: ObjectKey) throws(SQLiteError) -> Released? {
        defer { findLocation.reset() }
        findLocation.bind(bucket, at: 1)
        findLocation.bind(key.bytes, at: 2)
        return try findLocation.step() ? released(findLocation) : nil
    }

    /// Of a row of location, size and upload.
    private func released(_ row: borrowing Statement) -> Released {
        let location: BodyLocation =
            row.isNull(4)
            ? ObjectRow.location(row, at: 0) : .assembly(UploadNumber(UInt64(bitPattern: row.integer(4))))
        return Released(location: location, size: UInt64(bitPattern: row.integer(3)))
    }
}

// MARK: - Buckets, segments and counters, within a transaction

extension CatalogueWriter {
    func put(_ bucket: StoredBucket) throws(SQLiteError) {
        putBucket.bind(bucket.id, at: 1)
        putBucket.bind(bucket.scope.value, at: 2)
        putBucket.bind(bucket.record.name.text, at: 3)
        putBucket.bind(bucket.record.created.milliseconds, at: 4)
        putBucket.bind(bucket.record.region, at: 5)
        putBucket.bind(bucket.record.settings, at: 6)
        putBucket.bind(Int64(bucket.record.versioning.rawValue), at: 7)
        try putBucket.run()
    }

    /// Drops a bucket with every object, version and upload in it; the bodies of the objects and versions, and of the
    /// parts of open uploads.
    func delete(_ bucket: BucketID) throws(SQLiteError) -> [Released] {
        var bodies = try abortUploads(of: bucket)
        do {
            defer { bodiesOfBucket.reset() }
            bodiesOfBucket.bind(bucket, at: 1)
            while try bodiesOfBucket.step() { bodies.append(released(bodiesOfBucket)) }
        }
        try run(deleteObjects, bucket)
        try run(deleteVersions, bucket)
        try run(deleteUploads, bucket)
        try run(deleteBucket, bucket)
        return bodies
    }

    private func run(_ statement: borrowing Statement, _ bucket: BucketID) throws(SQLiteError) {
        statement.bind(bucket, at: 1)
        try statement.run()
    }

    func put(_ space: SegmentSpace, of segment: UInt64) throws(SQLiteError) {
        putSegment.bind(Int64(bitPattern: segment), at: 1)
        putSegment.bind(Int64(bitPattern: space.live), at: 2)
        putSegment.bind(Int64(bitPattern: space.end), at: 3)
        try putSegment.run()
    }

    func deleteSegment(_ number: UInt64) throws(SQLiteError) {
        deleteSegment.bind(Int64(bitPattern: number), at: 1)
        try deleteSegment.run()
    }

    func set(_ meta: CatalogueState.Meta, to value: UInt64) throws(SQLiteError) {
        putMeta.bind(meta.rawValue, at: 1)
        putMeta.bind(Int64(bitPattern: value), at: 2)
        try putMeta.run()
    }

    /// Remembers that a number is used up.
    func raiseNextSegment(above number: UInt64) throws(SQLiteError) {
        raiseMeta.bind(CatalogueState.Meta.nextSegment.rawValue, at: 1)
        raiseMeta.bind(Int64(bitPattern: number + 1), at: 2)
        try raiseMeta.run()
    }

    /// Drops every row but the counters.
    func clear() throws(SQLiteError) {
        try connection.execute(
            """
            DELETE FROM objects; DELETE FROM buckets; DELETE FROM segments; DELETE FROM uploads; DELETE FROM parts;
            DELETE FROM versions; DELETE FROM outbox
            """)
    }
}
