import ShoalS3
import ShoalSQLite

// MARK: - Writing

extension DiskStore {
    package func updateAttributes(
        of path: ObjectPath, version: ObjectVersion?, announcing announcement: Announcement?,
        _ change: @Sendable (ObjectRecord) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> ObjectRecord? {
        try changeRow(of: path, version, announcement) { (bucket, record, log) throws(StoreError) in
            guard !record.isDeleteMarker else { return record }
            let changed = record.with(upload: record.upload, attributes: try change(record))
            try log(
                .updateObject(bucket, path.key, ordinal: record.ordinal, attributes: changed.attributes), changed,
                record)
            return changed
        }
    }

    package func deleteVersion(
        _ path: ObjectPath, _ version: ObjectVersion, announcing announcement: Announcement?,
        approve: @Sendable (ObjectRecord, _ isLatest: Bool) throws(StoreError) -> Void
    ) throws(StoreError) -> ObjectRecord? {
        try changeRow(of: path, version, announcement) { (bucket, record, log) throws(StoreError) in
            let latest = try readers.read { (reader) throws(SQLiteError) in try reader.find(bucket, path.key) }
            try approve(record, latest?.record.ordinal == record.ordinal)
            try log(.deleteVersion(bucket, path.key, ordinal: record.ordinal), record, nil)
            uploads.noteWrite(of: OverlayKey(bucket: bucket, key: path.key.bytes))
            return record
        }
    }

    /// Logs a change of a version: what it is after that or was at last, and what it was before if it stays.
    private typealias RowLog = (Change, ObjectRecord, _ previous: ObjectRecord?) throws(StoreError) -> Void

    /// Changes the row of one version, by default the current one, in the catalogue at once, because the overlay knows
    /// objects only as they were put. Nil if there is no such row.
    private func changeRow(
        of path: ObjectPath, _ version: ObjectVersion?, _ announcement: Announcement?,
        _ change: (BucketID, ObjectRecord, RowLog) throws(StoreError) -> ObjectRecord
    ) throws(StoreError) -> ObjectRecord? {
        try committer.exclusively { (state) throws(StoreError) in
            let bucket = try bucketID(path.bucket)
            try applier.applyAll()
            let found = try readers.read { (reader) throws(SQLiteError) in
                guard let version else { return try reader.find(bucket, path.key) }
                return try reader.find(bucket, path.key, version)
            }
            guard let found else { return nil }
            defer { overlay.forgetApplied(OverlayKey(bucket: bucket, key: path.key.bytes)) }
            let result = try change(bucket, found.record) { (change, record, previous) throws(StoreError) in
                let committed = CommittedChange(
                    sequence: state.lastSequence + 1, record: record, previous: previous)
                try committer.log(change, announcing: announcement?(committed) ?? [], &state)
            }
            try applier.applyAll()
            return result
        }
    }
}

// MARK: - Reading

extension DiskStore {
    package func record(of path: ObjectPath, version: ObjectVersion) throws(StoreError) -> ObjectRecord? {
        try find(bucketID(path.bucket), path.key, version)?.record
    }

    private func find(
        _ bucket: BucketID, _ key: ObjectKey, _ version: ObjectVersion
    ) throws(StoreError) -> StoredObject? {
        if let current = try find(bucket, key), current.record.version == version { return current }
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in try reader.find(bucket, key, version) }
    }

    package func openObject(
        _ path: ObjectPath, version: ObjectVersion
    ) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        let bucket = try bucketID(path.bucket)
        for attempt in 1...Self.openCountMax {
            guard let object = try find(bucket, path.key, version), !object.record.isDeleteMarker else { return nil }
            // Compaction may take a file between lookup and opening; then it is looked up again.
            do {
                guard let upload = object.location.upload else { return (object.record, try open(object)) }
                let body = try openAssembly(upload) { () throws(StoreError) in
                    try find(bucket, path.key, version)?.location == object.location
                }
                if let body { return (object.record, body) }
            } catch {
                guard error.isMissingFile, attempt < Self.openCountMax else { throw error }
            }
        }
        return nil
    }

    package func listVersions(_ bucket: BucketName, _ query: VersionQuery) throws(StoreError) -> VersionPage {
        let id = try bucketID(bucket)
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in try reader.page(id, query) }
    }
}
