import ShoalS3
import ShoalSQLite

// MARK: - Writing

extension DiskStore {
    package func beginBody(size: UInt64, lane: Int) throws(StoreError) -> any BodyWriter {
        let disk = options.disk
        let epoch = epoch.value
        if size == 0 {
            let body = DiskBody(size: 0, location: .empty, epoch: epoch, hold: .nothing)
            return DiskBodyWriter(body, on: disk, file: nil, offset: 0)
        }
        try admit(size)
        if size <= options.segmentBodyByteCountMax {
            let (segment, offset) = try segments.reserve(size, lane: lane)
            let body = DiskBody(
                size: size, location: .segment(number: segment.number, offset: offset), epoch: epoch,
                hold: .segment(segment))
            return DiskBodyWriter(body, on: disk, file: segment.file, offset: offset)
        }
        let claim = try blobs.begin()
        let body = DiskBody(size: size, location: .blob(claim.id), epoch: epoch, hold: .blob(claim))
        return DiskBodyWriter(body, on: disk, file: claim.file, offset: 0)
    }

    /// Throws if the disk has no room for bodies. Segments end then, so that deleting what is in them gives them back.
    private func admit(_ size: UInt64) throws(StoreError) {
        do {
            try headroom.admit(size)
        } catch {
            segments.sealActive()
            work.keepHouse()
            throw error
        }
    }

    package func commitPut(
        _ object: ObjectRecord, in bucket: BucketName, body: any StagedBody, condition: CommitCondition?,
        announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord, StoreError>) -> Void
    ) {
        let (body, failure) = publish(body, size: object.size)
        committer.enqueue(
            CommitRequest(
                scope: scope, bucket: bucket, write: .put(object, body, completion), condition: condition,
                failure: failure,
                announcement: announcement))
    }

    /// Brings a received body to the place where it stays; what went wrong with that is told by the commit.
    func publish(_ body: any StagedBody, size: UInt64) -> (body: DiskBody, failure: StoreError?) {
        guard let body = body as? DiskBody else { preconditionFailure("a body that was staged by another store") }
        precondition(body.size == size, "a record of \(size) bytes for a body of \(body.size)")
        guard case .blob(let claim) = body.hold else { return (body, nil) }
        do {
            try claim.publish()
            return (body, nil)
        } catch {
            return (body, error)
        }
    }

    package func commitDelete(
        _ path: ObjectPath, at time: Timestamp, condition: CommitCondition?, announcing announcement: Announcement?,
        completion: @escaping @Sendable (Result<ObjectRecord?, StoreError>) -> Void
    ) {
        committer.enqueue(
            CommitRequest(
                scope: scope, bucket: path.bucket, write: .delete(path.key, time, completion), condition: condition,
                failure: nil,
                announcement: announcement))
    }
}

// MARK: - Reading

extension DiskStore {
    /// Lookups of an object whose body went away in between; each time a newer one must have taken its place.
    static let openCountMax = 16

    package func record(of path: ObjectPath) throws(StoreError) -> ObjectRecord? {
        let record = try current(path)
        return record?.isDeleteMarker == true ? nil : record
    }

    package func current(_ path: ObjectPath) throws(StoreError) -> ObjectRecord? {
        try find(bucketID(path.bucket), path.key)?.record
    }

    package func openObject(_ path: ObjectPath) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        switch try openIfWhole(path) {
        case nil: nil
        case .deleted: nil
        case .open(let record, let body): (record, body)
        case .assembled: try openAssembled(path)
        }
    }

    package func openIfWhole(_ path: ObjectPath) throws(StoreError) -> ObjectOpening? {
        let bucket = try bucketID(path.bucket)
        var missing: BodyLocation?
        for _ in 0..<Self.openCountMax {
            guard let object = try find(bucket, path.key) else { return nil }
            if object.record.isDeleteMarker { return .deleted(object.record) }
            if object.location.upload != nil { return .assembled(object.record) }
            do {
                return .open(object.record, try open(object))
            } catch {
                // Overwriting and compaction may take the file between lookup and opening; the same place twice means
                // that it is not there.
                guard error.isMissingFile, missing != object.location else { throw error.asMissingBody }
                missing = object.location
            }
        }
        throw .bodyMissing(path: "the body of an object that changes all the time")
    }

    func find(_ bucket: BucketID, _ key: ObjectKey) throws(StoreError) -> StoredObject? {
        switch overlay.find(bucket, key) {
        case .object(let object): object
        case .deleted: nil
        case nil: try readers.read { (reader) throws(SQLiteError) in try reader.find(bucket, key) }
        }
    }

    /// The same for an object that was put together from parts, when the lookup said so.
    private func openAssembled(_ path: ObjectPath) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        let bucket = try bucketID(path.bucket)
        for _ in 0..<Self.openCountMax {
            guard let object = try find(bucket, path.key), !object.record.isDeleteMarker else { return nil }
            guard let upload = object.location.upload else { return try openObject(path) }
            let isCurrent = { () throws(StoreError) in try self.find(bucket, path.key)?.location == object.location }
            // Compaction may take a segment between lookup and pinning; then it is looked up again.
            do {
                if let body = try openAssembly(upload, isCurrent: isCurrent) { return (object.record, body) }
            } catch {
                guard error.isMissingFile else { throw error }
            }
        }
        throw .bodyMissing(path: "the parts of an object that changes all the time")
    }

    func open(_ object: StoredObject) throws(StoreError) -> DiskBodyFile {
        switch object.location {
        case .empty: .empty
        case .assembly: preconditionFailure("an object in parts is opened part by part")
        case .segment(let number, let offset):
            try segments.open(number, offset: offset, length: object.record.size)
        case .blob(let id): try blobs.open(id, length: object.record.size)
        }
    }

    package func list(_ bucket: BucketName, _ query: ListQuery) throws(StoreError) -> ListPage {
        let id = try bucketID(bucket)
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in
            var rows = RecordCollector()
            let isTruncated = try reader.page(id, query, into: &rows)
            return ListPage(entries: rows.entries, isTruncated: isTruncated)
        }
    }

    package func list<Sink: ListingSink>(
        _ bucket: BucketName, _ query: ListQuery, into makeSink: @Sendable () -> Sink
    ) throws(StoreError) -> (sink: Sink, isTruncated: Bool) {
        let id = try bucketID(bucket)
        try applier.applyAll()
        return try readers.read { (reader) throws(SQLiteError) in
            var rows = RowProjector(sink: makeSink())
            let isTruncated = try reader.page(id, query, into: &rows)
            return (rows.sink, isTruncated)
        }
    }
}

extension StoreError {
    fileprivate var asMissingBody: StoreError {
        guard case .disk(let failure) = self, failure.kind == .missing else { return self }
        return .bodyMissing(path: failure.path)
    }
}
