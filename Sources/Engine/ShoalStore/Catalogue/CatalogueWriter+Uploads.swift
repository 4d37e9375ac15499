import ShoalS3
import ShoalSQLite

/// The statements that change uploads and parts.
final class UploadChangeStatements {
    fileprivate let putUpload: Statement
    fileprivate let completeUpload: Statement
    fileprivate let deleteUpload: Statement
    fileprivate let forgetCompleted: Statement
    fileprivate let uploadsOfBucket: Statement
    fileprivate let putPart: Statement
    fileprivate let findPart: Statement
    fileprivate let deletePart: Statement
    fileprivate let partsOfUpload: Statement
    fileprivate let deleteParts: Statement
    fileprivate let movePart: Statement

    /// Completed uploads that are remembered.
    private static let completedCountMax = 1_000

    init(_ connection: Connection) throws(SQLiteError) {
        putUpload = try connection.prepare("INSERT OR REPLACE INTO uploads VALUES(?1,?2,?3,?4,?5,NULL)")
        completeUpload = try connection.prepare("UPDATE uploads SET result = ?2 WHERE number = ?1")
        deleteUpload = try connection.prepare("DELETE FROM uploads WHERE number = ?1")
        forgetCompleted = try connection.prepare(
            """
            DELETE FROM uploads WHERE result IS NOT NULL AND number <= (
                SELECT number FROM uploads WHERE result IS NOT NULL ORDER BY number DESC
                LIMIT 1 OFFSET \(Self.completedCountMax))
            """)
        uploadsOfBucket = try connection.prepare("SELECT number FROM uploads WHERE bucket = ?1 AND result IS NULL")
        putPart = try connection.prepare("INSERT OR REPLACE INTO parts VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)")
        findPart = try connection.prepare(
            "SELECT \(PartRow.columns) FROM parts WHERE upload = ?1 AND number = ?2")
        deletePart = try connection.prepare("DELETE FROM parts WHERE upload = ?1 AND number = ?2")
        partsOfUpload = try connection.prepare(
            "SELECT \(PartRow.columns) FROM parts WHERE upload = ?1 ORDER BY number")
        deleteParts = try connection.prepare("DELETE FROM parts WHERE upload = ?1")
        movePart = try connection.prepare(
            """
            UPDATE parts SET segment = ?3, position = ?4
            WHERE upload = ?1 AND number = ?2 AND segment = ?5 AND position = ?6
            """)
    }
}

// MARK: - Within a transaction

extension CatalogueWriter {
    func put(_ upload: StoredUpload) throws(SQLiteError) {
        uploads.putUpload.bind(Int64(bitPattern: upload.record.number.value), at: 1)
        uploads.putUpload.bind(upload.bucket, at: 2)
        uploads.putUpload.bind(upload.record.key.bytes, at: 3)
        uploads.putUpload.bind(upload.record.initiated.milliseconds, at: 4)
        uploads.putUpload.bind(upload.record.attributes, at: 5)
        try uploads.putUpload.run()
    }

    /// Puts the part in place; what it replaced, if anything.
    func put(_ upload: UploadNumber, _ part: StoredPart) throws(SQLiteError) -> Released? {
        let released = try find(upload, part.record.number)
        PartRow.bind(upload, part, to: uploads.putPart)
        try uploads.putPart.run()
        return released
    }

    private func find(_ upload: UploadNumber, _ number: Int) throws(SQLiteError) -> Released? {
        defer { uploads.findPart.reset() }
        uploads.findPart.bind(Int64(bitPattern: upload.value), at: 1)
        uploads.findPart.bind(Int64(number), at: 2)
        guard try uploads.findPart.step() else { return nil }
        return Released(PartRow.part(uploads.findPart))
    }

    /// Keeps what the completion names and its result; the bodies of the parts that go.
    func complete(_ completion: Completion) throws(SQLiteError) -> [Released] {
        let kept = Set(completion.parts)
        var released: [Released] = []
        for part in try parts(of: completion.upload) where !kept.contains(part.record.number) {
            uploads.deletePart.bind(Int64(bitPattern: completion.upload.value), at: 1)
            uploads.deletePart.bind(Int64(part.record.number), at: 2)
            try uploads.deletePart.run()
            released.append(Released(part))
        }
        uploads.completeUpload.bind(Int64(bitPattern: completion.upload.value), at: 1)
        uploads.completeUpload.bind(completion.result, at: 2)
        try uploads.completeUpload.run()
        try uploads.forgetCompleted.run()
        return released
    }

    /// Drops an open upload; the bodies of its parts.
    func abort(_ upload: UploadNumber) throws(SQLiteError) -> [Released] {
        uploads.deleteUpload.bind(Int64(bitPattern: upload.value), at: 1)
        try uploads.deleteUpload.run()
        return try dropParts(of: upload)
    }

    /// Drops every open upload of a bucket; the bodies of their parts.
    func abortUploads(of bucket: BucketID) throws(SQLiteError) -> [Released] {
        var numbers: [UploadNumber] = []
        do {
            defer { uploads.uploadsOfBucket.reset() }
            uploads.uploadsOfBucket.bind(bucket, at: 1)
            while try uploads.uploadsOfBucket.step() {
                numbers.append(UploadNumber(UInt64(bitPattern: uploads.uploadsOfBucket.integer(0))))
            }
        }
        var released: [Released] = []
        for number in numbers { released += try abort(number) }
        return released
    }

    /// Drops the parts of an upload, open or completed; their bodies.
    func dropParts(of upload: UploadNumber) throws(SQLiteError) -> [Released] {
        let released = try parts(of: upload).map { Released($0) }
        uploads.deleteParts.bind(Int64(bitPattern: upload.value), at: 1)
        try uploads.deleteParts.run()
        return released
    }

    private func parts(of upload: UploadNumber) throws(SQLiteError) -> [StoredPart] {
        defer { uploads.partsOfUpload.reset() }
        uploads.partsOfUpload.bind(Int64(bitPattern: upload.value), at: 1)
        var parts: [StoredPart] = []
        while try uploads.partsOfUpload.step() { parts.append(PartRow.part(uploads.partsOfUpload)) }
        return parts
    }

    /// Names other bytes for a part, unless it was replaced or dropped meanwhile: then false.
    func move(
        _ upload: UploadNumber, _ number: Int, from old: (number: UInt64, offset: UInt64),
        to new: (number: UInt64, offset: UInt64)
    ) throws(SQLiteError) -> Bool {
        uploads.movePart.bind(Int64(bitPattern: upload.value), at: 1)
        uploads.movePart.bind(Int64(number), at: 2)
        for (index, value) in [new.number, new.offset, old.number, old.offset].enumerated() {
            uploads.movePart.bind(Int64(bitPattern: value), at: Int32(3 + index))
        }
        try uploads.movePart.run()
        return connection.changes == 1
    }
}

extension CatalogueWriter.Released {
    fileprivate init(_ part: StoredPart) { self.init(location: part.location, size: part.record.size) }
}
