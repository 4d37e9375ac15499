import ShoalS3
import ShoalSQLite

/// How an object stands in a row of the catalogue.
enum ObjectRow {
    /// The columns every reading statement begins with, in the order `record(_:)` reads them.
    static let recordColumns = "key, etag, size, modified, attributes, checksum"
    static let locationColumns = "segment, position, blob"

    /// The object in the columns above, from column 0.
    static func record(_ row: borrowing Statement) -> ObjectRecord {
        record(row, key: ObjectKey(stored: row.bytes(0)))
    }

    static func record(_ row: borrowing Statement, key: ObjectKey) -> ObjectRecord {
        ObjectRecord(
            key: key, etag: row.isText(1) ? ETag(unquoted: row.text(1)) : row.withBytes(1) { ETag(storedMD5: $0) },
            size: UInt64(bitPattern: row.integer(2)), lastModified: Timestamp(milliseconds: row.integer(3)),
            attributes: row.bytes(4), checksum: row.isNull(5) ? nil : row.withBytes(5) { Checksum(stored: $0) })
    }

    /// The location in three columns, the first of which is `column`.
    static func location(_ row: borrowing Statement, at column: Int32) -> BodyLocation {
        if !row.isNull(column) {
            return .segment(
                number: UInt64(bitPattern: row.integer(column)), offset: UInt64(bitPattern: row.integer(column + 1)))
        }
        return BlobID(bytes: row.bytes(column + 2)).map { .blob($0) } ?? .empty
    }

    /// Binds bucket and object to the parameters 1 to 10, in the order of the table.
    static func bind(_ bucket: BucketID, _ object: StoredObject, to statement: borrowing Statement) {
        let record = object.record
        statement.bind(bucket, at: 1)
        statement.bind(record.key.bytes, at: 2)
        if let md5 = record.etag.md5 { statement.bind(md5, at: 3) } else { statement.bind(record.etag.text, at: 3) }
        statement.bind(Int64(bitPattern: record.size), at: 4)
        statement.bind(record.lastModified.milliseconds, at: 5)
        if record.attributes.isEmpty { statement.bindNull(at: 6) } else { statement.bind(record.attributes, at: 6) }
        if let checksum = record.checksum { statement.bind(checksum.stored, at: 7) } else { statement.bindNull(at: 7) }
        bind(object.location, to: statement, at: 8)
    }

    /// Binds a location to three parameters, the first of which is `index`.
    static func bind(_ location: BodyLocation, to statement: borrowing Statement, at index: Int32) {
        for parameter in index..<(index + 3) { statement.bindNull(at: parameter) }
        switch location {
        case .empty: break
        case .segment(let number, let offset):
            statement.bind(Int64(bitPattern: number), at: index)
            statement.bind(Int64(bitPattern: offset), at: index + 1)
        case .blob(let id): statement.bind(id.bytes, at: index + 2)
        }
    }
}
