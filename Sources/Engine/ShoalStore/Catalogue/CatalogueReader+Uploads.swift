import ShoalS3
import ShoalSQLite

/// The statements that read uploads and parts.
final class UploadStatements {
    fileprivate let parts: Statement
    fileprivate let completed: Statement
    fileprivate let page: Statement
    fileprivate let partRows: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        parts = try connection.prepare(
            "SELECT \(PartRow.columns) FROM parts WHERE upload = ?1 AND number > ?2 ORDER BY number LIMIT ?3")
        completed = try connection.prepare(
            """
            SELECT number, key, initiated, attributes, result FROM uploads
            WHERE number = ?1 AND bucket = ?2 AND result IS NOT NULL
            """)
        page = try connection.prepare(
            """
            SELECT key, number, initiated, attributes FROM uploads
            WHERE result IS NULL AND bucket = ?1 AND (key, number) > (?2, ?3) AND key < ?4 ORDER BY key, number
            """)
        partRows = try connection.prepare(
            """
            SELECT \(PartRow.columns), upload FROM parts WHERE (upload, number) > (?1, ?2)
            ORDER BY upload, number LIMIT ?3
            """)
    }
}

/// How a part stands in a row of the catalogue.
enum PartRow {
    static let columns = "number, etag, size, modified, checksum, segment, position, blob"
    static let columnCount: Int32 = 8

    static func part(_ row: borrowing Statement) -> StoredPart {
        let record = PartRecord(
            number: Int(row.integer(0)), etag: ObjectRow.etag(row, at: 1), size: UInt64(bitPattern: row.integer(2)),
            lastModified: Timestamp(milliseconds: row.integer(3)), checksum: ObjectRow.checksum(row, at: 4))
        return StoredPart(record: record, location: ObjectRow.location(row, at: 5))
    }

    /// Binds upload and part to the parameters 1 to 9, in the order of the table.
    static func bind(_ upload: UploadNumber, _ part: StoredPart, to statement: borrowing Statement) {
        statement.bind(Int64(bitPattern: upload.value), at: 1)
        statement.bind(Int64(part.record.number), at: 2)
        ObjectRow.bind(part.record.etag, to: statement, at: 3)
        statement.bind(Int64(bitPattern: part.record.size), at: 4)
        statement.bind(part.record.lastModified.milliseconds, at: 5)
        ObjectRow.bind(part.record.checksum, to: statement, at: 6)
        ObjectRow.bind(part.location, to: statement, at: 7)
    }
}

extension CatalogueReader {
    /// Parts with numbers above `marker`, ascending.
    func parts(of upload: UploadNumber, after marker: Int, limit: Int) throws(SQLiteError) -> [StoredPart] {
        defer { uploads.parts.reset() }
        uploads.parts.bind(Int64(bitPattern: upload.value), at: 1)
        uploads.parts.bind(Int64(marker), at: 2)
        uploads.parts.bind(Int64(limit), at: 3)
        var parts: [StoredPart] = []
        while try uploads.parts.step() { parts.append(PartRow.part(uploads.parts)) }
        return parts
    }

    func completedUpload(_ number: UploadNumber, in bucket: BucketID) throws(SQLiteError) -> CompletedUpload? {
        defer { uploads.completed.reset() }
        uploads.completed.bind(Int64(bitPattern: number.value), at: 1)
        uploads.completed.bind(bucket, at: 2)
        guard try uploads.completed.step() else { return nil }
        let record = UploadRecord(
            number: number, key: ObjectKey(stored: uploads.completed.bytes(1)),
            initiated: Timestamp(milliseconds: uploads.completed.integer(2)),
            attributes: uploads.completed.bytes(3))
        return CompletedUpload(upload: record, result: uploads.completed.bytes(4))
    }

    /// A place in the order of all parts; the least is before the first.
    struct PartPosition: Sendable {
        var upload = UploadNumber(0)
        var number = 0
    }

    /// At most `limit` parts of all uploads behind `position`, and where the next run begins; nil at the end.
    func partRows(
        after position: PartPosition, limit: Int
    ) throws(SQLiteError) -> (rows: [(upload: UploadNumber, part: StoredPart)], next: PartPosition?) {
        defer { uploads.partRows.reset() }
        uploads.partRows.bind(Int64(bitPattern: position.upload.value), at: 1)
        uploads.partRows.bind(Int64(position.number), at: 2)
        uploads.partRows.bind(Int64(limit), at: 3)
        var rows: [(upload: UploadNumber, part: StoredPart)] = []
        while try uploads.partRows.step() {
            let upload = UploadNumber(UInt64(bitPattern: uploads.partRows.integer(PartRow.columnCount)))
            rows.append((upload, PartRow.part(uploads.partRows)))
        }
        guard rows.count == limit, let last = rows.last else { return (rows, nil) }
        return (rows, PartPosition(upload: last.upload, number: last.part.record.number))
    }
}

// MARK: - Listing

extension CatalogueReader {
    /// One page of a bucket's open uploads. Its cost follows the entries it returns: what is rolled up is jumped over.
    func page(_ bucket: BucketID, _ query: UploadQuery) throws(SQLiteError) -> UploadPage {
        let keys = ListQuery(
            prefix: query.prefix, delimiter: query.delimiter, startAfter: query.afterKey, limit: query.limit)
        guard query.limit > 0, let first = keys.firstKey, let end = keys.endKey else {
            return UploadPage(entries: [], isTruncated: false)
        }
        // Uploads are behind the place (key, number); numbers begin at 1.
        var place = (key: first, number: Int64(0))
        if let upload = query.afterUpload, query.afterKey.starts(with: query.prefix) {
            place = (query.afterKey, Int64(bitPattern: upload.value))
        }
        var entries: [UploadPage.Entry] = []
        return try snapshot { () throws(SQLiteError) in
            while true {
                defer { uploads.page.reset() }
                uploads.page.bind(bucket, at: 1)
                uploads.page.bind(place.key, at: 2)
                uploads.page.bind(place.number, at: 3)
                uploads.page.bind(end, at: 4)
                var jump: [UInt8]?
                while jump == nil, try uploads.page.step() {
                    guard entries.count < query.limit else { return UploadPage(entries: entries, isTruncated: true) }
                    if let rollUp = uploads.page.withBytes(0, { keys.rollUp(of: $0) }) {
                        entries.append(.rollUp(rollUp))
                        jump = rollUp.successor ?? end
                    } else {
                        entries.append(.upload(uploadRecord()))
                    }
                }
                guard let jump else { return UploadPage(entries: entries, isTruncated: false) }
                place = (jump, 0)
            }
        }
    }

    private func uploadRecord() -> UploadRecord {
        UploadRecord(
            number: UploadNumber(UInt64(bitPattern: uploads.page.integer(1))),
            key: ObjectKey(stored: uploads.page.bytes(0)),
            initiated: Timestamp(milliseconds: uploads.page.integer(2)), attributes: uploads.page.bytes(3))
    }
}
