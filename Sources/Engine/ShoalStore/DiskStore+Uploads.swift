import ShoalS3
import ShoalSQLite

// MARK: - Writing

extension DiskStore {
    package func createUpload(
        _ path: ObjectPath, initiated: Timestamp, attributes: [UInt8]
    ) throws(StoreError) -> UploadRecord {
        try committer.exclusively { (state) throws(StoreError) in
            let bucket = try bucketID(path.bucket)
            let record = UploadRecord(
                number: UploadNumber(state.lastSequence + 1), key: path.key, initiated: initiated,
                attributes: attributes)
            let upload = StoredUpload(record: record, bucket: bucket)
            try committer.log(.createUpload(upload), &state)
            uploads.put(upload)
            return record
        }
    }

    package func commitPart(
        _ part: PartRecord, of upload: UploadNumber, in bucket: BucketName, body: any StagedBody,
        completion: @escaping @Sendable (Result<PartRecord, StoreError>) -> Void
    ) {
        let (body, failure) = publish(body, size: part.size)
        committer.enqueue(
            CommitRequest(
                scope: scope, bucket: bucket, write: .part(upload, part, body, completion), condition: nil,
                failure: failure,
                announcement: nil))
    }

    package func completeUpload(
        _ upload: UploadNumber, as object: ObjectRecord, in bucket: BucketName, parts: [PartRecord],
        condition: CommitCondition?, result: [UInt8], announcing announcement: Announcement?
    ) throws(StoreError) -> ObjectRecord {
        // Outside of the lock first, so that little is left to apply within it.
        try applier.applyAll()
        return try committer.exclusively { (state) throws(StoreError) in
            guard let target = storedBucket(bucket) else { throw .noSuchBucket }
            let bucketID = target.id
            guard uploads.find(upload)?.bucket == bucketID else { throw .noSuchUpload }
            try applier.applyAll()
            let stored = try readers.read { (reader) throws(SQLiteError) in
                try reader.parts(of: upload, after: 0, limit: PartNumber.valueMax)
            }
            try Self.check(parts, against: stored)
            if let condition {
                if let refusal = condition.refusal(for: try committer.current(bucketID, object.key)) { throw refusal }
                if uploads.isOvertaken(upload) { throw .overtaken }
            }
            let completion = Completion(upload: upload, parts: parts.map(\.number), result: result)
            let record = object.with(upload: upload, attributes: object.attributes)
                .versioned(target.record.versioning, sequence: state.lastSequence + 1)
            let assembled = StoredObject(record: record, location: .assembly(upload))
            let messages = announcement?(CommittedChange(sequence: state.lastSequence + 1, record: record)) ?? []
            try committer.log(.completeUpload(bucketID, assembled, completion), announcing: messages, &state)
            uploads.remove(upload)
            uploads.noteWrite(of: OverlayKey(bucket: bucketID, key: object.key.bytes))
            return record
        }
    }

    private static func check(_ parts: [PartRecord], against stored: [StoredPart]) throws(StoreError) {
        var rest = stored[...]
        for part in parts {
            rest = rest.drop { $0.record.number < part.number }
            guard rest.first?.record == part else { throw .partChanged(number: part.number) }
        }
    }

    package func abortUpload(_ number: UploadNumber, in bucket: BucketName) throws(StoreError) {
        try committer.exclusively { (state) throws(StoreError) in
            let bucket = try bucketID(bucket)
            guard uploads.find(number)?.bucket == bucket else { throw .noSuchUpload }
            try committer.log(.abortUpload(number), &state)
            uploads.remove(number)
        }
    }
}

// MARK: - Reading

extension DiskStore {
    package func upload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord? {
        guard let upload = uploads.find(number), upload.bucket == storedBucket(bucket)?.id else { return nil }
        return upload.record
    }

    package func endedUpload(_ number: UploadNumber, in bucket: BucketName) -> UploadRecord? {
        guard let upload = uploads.findEnded(number), upload.bucket == storedBucket(bucket)?.id else { return nil }
        return upload.record
    }

    package func completedUpload(
        _ number: UploadNumber, in bucket: BucketName
    ) throws(StoreError) -> CompletedUpload? {
        guard let bucket = storedBucket(bucket)?.id else { return nil }
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in try reader.completedUpload(number, in: bucket) }
    }

    package func parts(of upload: UploadNumber, after marker: Int, limit: Int) throws(StoreError) -> [PartRecord] {
        try storedParts(of: upload, after: marker, limit: limit).map(\.record)
    }

    private func storedParts(
        of upload: UploadNumber, after marker: Int, limit: Int
    ) throws(StoreError) -> [StoredPart] {
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in
            try reader.parts(of: upload, after: marker, limit: limit)
        }
    }

    package func listUploads(_ bucket: BucketName, _ query: UploadQuery) throws(StoreError) -> UploadPage {
        let id = try bucketID(bucket)
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in try reader.page(id, query) }
    }

    /// The body of an object that was put together from parts. `isCurrent` says whether the object is still there, once
    /// nothing of it can go any more; nil if it is not: then its blobs may have gone before they were held.
    func openAssembly(
        _ upload: UploadNumber, isCurrent: () throws(StoreError) -> Bool
    ) throws(StoreError) -> AssembledBody? {
        let parts = try storedParts(of: upload, after: 0, limit: PartNumber.valueMax)
        let hold = holds.hold(parts.compactMap { if case .blob(let id) = $0.location { id } else { nil } })
        guard try isCurrent() else { return nil }
        return try AssembledBody(parts, hold, segments: segments) {
            [segments, blobs] (location, size) throws(StoreError) in
            switch location {
            case .segment(let number, let offset): try segments.open(number, offset: offset, length: size)
            case .blob(let id): try blobs.open(id, length: size)
            case .empty, .assembly: .empty
            }
        }
    }
}
