import ShoalS3
import ShoalSQLite

/// The statements that change versions. The latest version of a key stands in `objects`, the others in `versions`.
final class VersionChangeStatements {
    fileprivate let kindOfCurrent: Statement
    fileprivate let retire: Statement
    fileprivate let findNull: Statement
    fileprivate let findOlder: Statement
    fileprivate let deleteOlder: Statement
    fileprivate let isCurrent: Statement
    fileprivate let latestOlder: Statement
    fileprivate let promote: Statement
    fileprivate let deleteCurrent: Statement
    fileprivate let updateCurrent: Statement
    fileprivate let updateOlder: Statement
    fileprivate let move: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        let bodyColumns = "\(ObjectRow.locationColumns), size, upload, ordinal"
        let others = "etag, size, modified, attributes, checksum, segment, position, blob, upload"
        kindOfCurrent = try connection.prepare(
            "SELECT \(ObjectRow.isNull) FROM objects WHERE bucket = ?1 AND key = ?2")
        retire = try connection.prepare(
            """
            INSERT INTO versions(bucket, key, ordinal, \(others), kind)
            SELECT bucket, key, ifnull(ordinal, 0), \(others), kind FROM objects WHERE bucket = ?1 AND key = ?2
            """)
        findNull = try connection.prepare(
            "SELECT \(bodyColumns) FROM versions WHERE bucket = ?1 AND key = ?2 AND \(ObjectRow.isNull)")
        findOlder = try connection.prepare(
            "SELECT \(bodyColumns) FROM versions WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3")
        deleteOlder = try connection.prepare("DELETE FROM versions WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3")
        isCurrent = try connection.prepare(
            "SELECT 1 FROM objects WHERE bucket = ?1 AND key = ?2 AND ifnull(ordinal, 0) = ?3")
        latestOlder = try connection.prepare(
            "SELECT ordinal FROM versions WHERE bucket = ?1 AND key = ?2 ORDER BY ordinal DESC LIMIT 1")
        promote = try connection.prepare(
            """
            INSERT OR REPLACE INTO objects(bucket, key, \(others), ordinal, kind)
            SELECT bucket, key, \(others), nullif(ordinal, 0), kind FROM versions
            WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3
            """)
        deleteCurrent = try connection.prepare("DELETE FROM objects WHERE bucket = ?1 AND key = ?2")
        updateCurrent = try connection.prepare(
            "UPDATE objects SET attributes = ?4 WHERE bucket = ?1 AND key = ?2 AND ifnull(ordinal, 0) = ?3")
        updateOlder = try connection.prepare(
            "UPDATE versions SET attributes = ?4 WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3")
        move = try connection.prepare(
            """
            UPDATE versions SET segment = ?4, position = ?5
            WHERE bucket = ?1 AND key = ?2 AND ordinal = ?3 AND segment = ?6 AND position = ?7
            """)
    }
}

// MARK: - Within a transaction

extension CatalogueWriter {
    /// Makes the object the latest version of its key. What was latest stays as an older version, except that there is one
    /// version called `null` at most; the body of that, if it goes.
    func putVersion(_ bucket: BucketID, _ object: StoredObject) throws(SQLiteError) -> Released? {
        let (key, isNull) = (object.record.key, object.record.isNull)
        let currentIsNull = try flag(versions.kindOfCurrent, bucket, key)
        if isNull, currentIsNull == true { return try put(bucket, object) }
        let released = isNull ? try dropOlder(versions.findNull, bucket, key, nil) : nil
        if currentIsNull != nil {
            bind(bucket, key, nil, to: versions.retire)
            try versions.retire.run()
        }
        _ = try put(bucket, object)
        return released
    }

    /// Removes a version; if it is the latest, the one before it becomes that. The body of what went, if it was there.
    func deleteVersion(_ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64) throws(SQLiteError) -> Released? {
        guard try flag(versions.isCurrent, bucket, key, ordinal) != nil else {
            return try dropOlder(versions.findOlder, bucket, key, ordinal)
        }
        let released = try location(bucket, key)
        guard let next = try number(versions.latestOlder, bucket, key) else {
            bind(bucket, key, nil, to: versions.deleteCurrent)
            try versions.deleteCurrent.run()
            return released
        }
        bind(bucket, key, next, to: versions.promote)
        try versions.promote.run()
        bind(bucket, key, next, to: versions.deleteOlder)
        try versions.deleteOlder.run()
        return released
    }

    /// Gives the version other attributes if it is there.
    func update(
        _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64, _ attributes: [UInt8]
    ) throws(SQLiteError) {
        bind(bucket, key, ordinal, to: versions.updateCurrent)
        versions.updateCurrent.bind(attributes, at: 4)
        try versions.updateCurrent.run()
        guard connection.changes == 0 else { return }
        bind(bucket, key, ordinal, to: versions.updateOlder)
        versions.updateOlder.bind(attributes, at: 4)
        try versions.updateOlder.run()
    }

    /// Names other bytes for an older version, unless it went meanwhile: then false.
    func move(
        _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64, from old: (number: UInt64, offset: UInt64),
        to new: (number: UInt64, offset: UInt64)
    ) throws(SQLiteError) -> Bool {
        bind(bucket, key, ordinal, to: versions.move)
        for (index, value) in [new.number, new.offset, old.number, old.offset].enumerated() {
            versions.move.bind(Int64(bitPattern: value), at: Int32(4 + index))
        }
        try versions.move.run()
        return connection.changes == 1
    }

    /// Deletes the older version that the statement finds; its body.
    private func dropOlder(
        _ find: borrowing Statement, _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64?
    ) throws(SQLiteError) -> Released? {
        bind(bucket, key, ordinal, to: find)
        guard try find.step() else {
            find.reset()
            return nil
        }
        let location: BodyLocation =
            find.isNull(4)
            ? ObjectRow.location(find, at: 0) : .assembly(UploadNumber(UInt64(bitPattern: find.integer(4))))
        let released = Released(location: location, size: UInt64(bitPattern: find.integer(3)))
        let found = UInt64(bitPattern: find.integer(5))
        find.reset()
        bind(bucket, key, found, to: versions.deleteOlder)
        try versions.deleteOlder.run()
        return released
    }

    private func bind(
        _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64?, to statement: borrowing Statement
    ) {
        statement.bind(bucket, at: 1)
        statement.bind(key.bytes, at: 2)
        if let ordinal { statement.bind(Int64(bitPattern: ordinal), at: 3) }
    }

    /// The one value of a row as a flag; nil if there is no row.
    private func flag(
        _ statement: borrowing Statement, _ bucket: BucketID, _ key: ObjectKey, _ ordinal: UInt64? = nil
    ) throws(SQLiteError) -> Bool? {
        defer { statement.reset() }
        bind(bucket, key, ordinal, to: statement)
        return try statement.step() ? statement.integer(0) != 0 : nil
    }

    private func number(
        _ statement: borrowing Statement, _ bucket: BucketID, _ key: ObjectKey
    ) throws(SQLiteError) -> UInt64? {
        defer { statement.reset() }
        bind(bucket, key, nil, to: statement)
        return try statement.step() ? UInt64(bitPattern: statement.integer(0)) : nil
    }
}
