import ShoalS3
import ShoalSQLite

/// How an object stands in a row of the catalogue.
enum ObjectRow {
    /// The columns every reading statement begins with, in the order `record(_:)` reads them.
    static let recordColumns = "key, etag, size, modified, attributes, checksum, upload, ordinal, kind"
    static let locationColumns = "segment, position, blob"
    /// Where the location begins in a row of both.
    static let locationColumn: Int32 = 9
    /// The first column behind both.
    static let endColumn: Int32 = 12

    /// What the column `kind` holds besides NULL, which is an object called `null`. Part of the format on disk.
    static let (numbered, numberedMarker, nullMarker): (Int64, Int64, Int64) = (1, 2, 3)
    /// Conditions on rows.
    static let isObject = "(kind IS NULL OR kind = 1)"
    static let isNull = "(kind IS NULL OR kind = 3)"

    /// The object in the columns above, from column 0.
    static func record(_ row: borrowing Statement) -> ObjectRecord {
        record(row, key: ObjectKey(stored: row.bytes(0)))
    }

    static func record(_ row: borrowing Statement, key: ObjectKey) -> ObjectRecord {
        let kind = row.isNull(8) ? 0 : row.integer(8)
        return ObjectRecord(
            key: key, etag: etag(row, at: 1), size: UInt64(bitPattern: row.integer(2)),
            lastModified: Timestamp(milliseconds: row.integer(3)), attributes: row.bytes(4),
            checksum: checksum(row, at: 5),
            upload: row.isNull(6) ? nil : UploadNumber(UInt64(bitPattern: row.integer(6))),
            ordinal: UInt64(bitPattern: row.integer(7)), isNull: kind != numbered && kind != numberedMarker,
            isDeleteMarker: kind >= numberedMarker)
    }

    /// The object in the columns above as a listing shows it, until the statement moves on.
    static func listed(_ row: borrowing Statement) -> ListedObject {
        let isTagText = row.isText(1)
        return ListedObject(
            key: row.borrowedBytes(0), size: UInt64(bitPattern: row.integer(2)),
            lastModified: Timestamp(milliseconds: row.integer(3)), attributes: row.borrowedBytes(4),
            tag: row.borrowedBytes(1), isTagText: isTagText, checksum: row.borrowedBytes(5))
    }

    /// The object with its location, in the columns of both from column 0.
    static func object(_ row: borrowing Statement, key: ObjectKey? = nil) -> StoredObject {
        let record = record(row, key: key ?? ObjectKey(stored: row.bytes(0)))
        return StoredObject(
            record: record, location: record.upload.map { .assembly($0) } ?? location(row, at: locationColumn))
    }

    static func etag(_ row: borrowing Statement, at column: Int32) -> ETag {
        row.isText(column) ? ETag(unquoted: row.text(column)) : row.withBytes(column) { ETag(storedMD5: $0) }
    }

    static func checksum(_ row: borrowing Statement, at column: Int32) -> Checksum? {
        row.isNull(column) ? nil : row.withBytes(column) { Checksum(stored: $0) }
    }

    /// The location in three columns, the first of which is `column`.
    static func location(_ row: borrowing Statement, at column: Int32) -> BodyLocation {
        if !row.isNull(column) {
            return .segment(
                number: UInt64(bitPattern: row.integer(column)), offset: UInt64(bitPattern: row.integer(column + 1)))
        }
        return BlobID(bytes: row.bytes(column + 2)).map { .blob($0) } ?? .empty
    }

    /// Binds bucket and object to the parameters 1 to 13, in the order of the table.
    static func bind(_ bucket: BucketID, _ object: StoredObject, to statement: borrowing Statement) {
        let record = object.record
        statement.bind(bucket, at: 1)
        statement.bind(record.key.bytes, at: 2)
        bind(record.etag, to: statement, at: 3)
        statement.bind(Int64(bitPattern: record.size), at: 4)
        statement.bind(record.lastModified.milliseconds, at: 5)
        if record.attributes.isEmpty { statement.bindNull(at: 6) } else { statement.bind(record.attributes, at: 6) }
        bind(record.checksum, to: statement, at: 7)
        bind(object.location, to: statement, at: 8)
        if let upload = object.location.upload {
            statement.bind(Int64(bitPattern: upload.value), at: 11)
        } else {
            statement.bindNull(at: 11)
        }
        if record.ordinal > 0 {
            statement.bind(Int64(bitPattern: record.ordinal), at: 12)
        } else {
            statement.bindNull(at: 12)
        }
        switch (record.isNull, record.isDeleteMarker) {
        case (true, false): statement.bindNull(at: 13)
        case (true, true): statement.bind(nullMarker, at: 13)
        case (false, let isMarker): statement.bind(isMarker ? numberedMarker : numbered, at: 13)
        }
    }

    static func bind(_ etag: ETag, to statement: borrowing Statement, at index: Int32) {
        if let md5 = etag.md5 { statement.bind(md5, at: index) } else { statement.bind(etag.text, at: index) }
    }

    static func bind(_ checksum: Checksum?, to statement: borrowing Statement, at index: Int32) {
        if let checksum { statement.bind(checksum.stored, at: index) } else { statement.bindNull(at: index) }
    }

    /// Binds a location to three parameters, the first of which is `index`.
    static func bind(_ location: BodyLocation, to statement: borrowing Statement, at index: Int32) {
        for parameter in index..<(index + 3) { statement.bindNull(at: parameter) }
        switch location {
        case .empty, .assembly: break
        case .segment(let number, let offset):
            statement.bind(Int64(bitPattern: number), at: index)
            statement.bind(Int64(bitPattern: offset), at: index + 1)
        case .blob(let id): statement.bind(id.bytes, at: index + 2)
        }
    }
}
