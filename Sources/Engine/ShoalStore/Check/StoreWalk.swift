import ShoalCrypto
import ShoalS3
import ShoalSQLite

/// One pass over catalogue, log and folders.
struct StoreWalk {
    private static let rowCount = 1_000
    private static let chunkByteCount = 1 << 20

    private let directories: StoreDirectories
    private let disk: any Disk
    private let verifyContent: Bool

    init(_ directories: StoreDirectories, _ disk: any Disk, verifyContent: Bool) {
        self.directories = directories
        self.disk = disk
        self.verifyContent = verifyContent
    }

    /// Tells each object, with what is wrong with it, and each unknown file.
    func run(_ tell: (StoreCheck.Finding?, StoredObject?) -> Void) throws(StoreError) {
        let catalogue = try state()
        let replay = try LogReplay(in: directories.log, on: disk, after: catalogue.appliedSequence)
        let pending = PendingObjects(replay.records)
        let names = names(catalogue.buckets, replay.records)
        var named = NamedFiles()
        func visit(_ bucket: BucketID, _ object: StoredObject) {
            named.note(object.location)
            let owner = (names[bucket, default: "bucket \(bucket)"], object.record.key.description)
            tell(check(object.location, object.record.size, object.record.etag, owner), object)
        }
        let readers = CatalogueReaders(directories.database)
        defer { readers.close() }
        try visitRows(readers, except: pending.replaced, visit)
        for (key, object) in pending.objects { visit(key.bucket, object) }
        for record in replay.records { if let body = record.change.newBody { named.note(body.location) } }
        try visitParts(replay.records, readers) { (upload, part) in
            named.note(part.location)
            tell(check(part.location, part.record.size, part.record.etag, upload), nil)
        }
        for path in try unknownFiles(named) { tell(.unknown(path: path), nil) }
    }

    private func state() throws(StoreError) -> CatalogueState {
        do {
            let connection = try Connection(directories.database, .readWrite)
            connection.setBusyTimeout(milliseconds: CatalogueWriter.busyTimeoutMilliseconds)
            let found = try connection.integer("PRAGMA user_version") ?? 0
            guard found <= CatalogueSchema.version else {
                throw StoreError.newerFormat(
                    path: directories.database, found: found, supported: CatalogueSchema.version)
            }
            guard found == CatalogueSchema.version else {
                throw StoreError.unusable(
                    path: directories.root,
                    reason: "its format is an older one; starting Shoal once brings it up to date")
            }
            return try CatalogueState(connection)
        } catch let error as SQLiteError {
            throw .catalogue(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("only these two are thrown above: \(error)")
        }
    }

    /// Tells every part of an upload, open or completed, that the log has not changed since.
    private func visitParts(
        _ records: [LogRecord], _ readers: CatalogueReaders,
        _ visit: (_ owner: (bucket: String, key: String), StoredPart) -> Void
    ) throws(StoreError) {
        var logged: [UploadNumber: [Int: StoredPart]] = [:]
        for record in records {
            if case .putPart(let upload, let part) = record.change {
                logged[upload, default: [:]][part.record.number] = part
            }
        }
        func tell(_ upload: UploadNumber, _ part: StoredPart) {
            visit(("upload \(upload.value)", "part \(part.record.number)"), part)
        }
        try readers.eachRun(from: CatalogueReader.PartPosition()) { (reader, start) throws(SQLiteError) in
            try reader.partRows(after: start, limit: Self.rowCount)
        } _: { rows in
            for row in rows where logged[row.upload]?[row.part.record.number] == nil { tell(row.upload, row.part) }
        }
        for (upload, parts) in logged { for part in parts.values { tell(upload, part) } }
    }

    /// Tells every object and older version of the catalogue, except the objects of some keys.
    private func visitRows(
        _ readers: CatalogueReaders, except replaced: Set<OverlayKey>, _ visit: (BucketID, StoredObject) -> Void
    ) throws(StoreError) {
        try readers.eachRun(from: CatalogueReader.Position()) { (reader, start) throws(SQLiteError) in
            try reader.rows(after: start, limit: Self.rowCount)
        } _: { rows in
            for row in rows
            where !replaced.contains(OverlayKey(bucket: row.bucket, key: row.object.record.key.bytes)) {
                visit(row.bucket, row.object)
            }
        }
        try readers.eachRun(from: CatalogueReader.VersionPosition()) { (reader, start) throws(SQLiteError) in
            try reader.versionRows(after: start, limit: Self.rowCount)
        } _: { rows in
            for row in rows { visit(row.bucket, row.object) }
        }
    }

    private func names(_ buckets: [StoredBucket], _ records: [LogRecord]) -> [BucketID: String] {
        var names: [BucketID: String] = [:]
        for bucket in buckets { names[bucket.id] = bucket.record.name.text }
        for record in records {
            if case .putBucket(let bucket) = record.change { names[bucket.id] = bucket.record.name.text }
        }
        return names
    }
}

// MARK: - Bodies

extension StoreWalk {
    private func check(
        _ location: BodyLocation, _ size: UInt64, _ etag: ETag, _ owner: (bucket: String, key: String)
    ) -> StoreCheck.Finding? {
        let (bucket, key) = owner
        let (path, offset): (String, UInt64)
        switch location {
        // Parts are looked at by themselves.
        case .empty, .assembly: return nil
        case .segment(let number, let start): (path, offset) = ("\(directories.segments)/\(number)", start)
        case .blob(let id): (path, offset) = ("\(directories.blobs)/\(id.folder)/\(id.name)", 0)
        }
        do {
            let file = try disk.open(path, .readOnly)
            guard try disk.size(of: file) >= offset + size else {
                return .missing(bucket: bucket, key: key, path: path)
            }
            guard verifyContent, let md5 = etag.md5 else { return nil }
            let digest = try digest(of: file, from: offset, count: size)
            return digest == md5 ? nil : .altered(bucket: bucket, key: key, path: path)
        } catch {
            // What cannot be read cannot be served either.
            return .missing(bucket: bucket, key: key, path: path)
        }
    }

    private func digest(of file: DiskFile, from offset: UInt64, count: UInt64) throws(StoreError) -> [UInt8] {
        let digest = Digest(.md5)
        var buffer = [UInt8](repeating: 0, count: Int(min(count, UInt64(Self.chunkByteCount))))
        var position: UInt64 = 0
        while position < count {
            let wanted = Int(min(count - position, UInt64(buffer.count)))
            let start = offset + position
            let got = try buffer.withMutableBytes { (bytes) throws(StoreError) in
                try disk.read(file, at: start, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]))
            }
            guard got > 0 else { throw .bodyMissing(path: file.path) }
            digest.update(buffer[..<got])
            position += UInt64(got)
        }
        return digest.finish()
    }
}

// MARK: - Files

extension StoreWalk {
    /// The blobs that objects and parts name.
    private struct NamedFiles {
        private(set) var blobs: Set<BlobID> = []

        mutating func note(_ location: BodyLocation) {
            if case .blob(let id) = location { blobs.insert(id) }
        }
    }

    /// Bodies with a file of their own that nothing names, received or half received. A segment without a living body
    /// is space that waits to be given back, which is no finding.
    private func unknownFiles(_ named: NamedFiles) throws(StoreError) -> [String] {
        var unknown = try disk.names(in: directories.staging).map { "\(directories.staging)/\($0)" }
        for byte in UInt8.min...UInt8.max {
            let folder = "\(directories.blobs)/\(BlobID.folder(byte))"
            for name in try disk.names(in: folder) {
                if let id = BlobID(name: name), named.blobs.contains(id) { continue }
                unknown.append("\(folder)/\(name)")
            }
        }
        return unknown.sorted()
    }
}

/// The objects that the log has and the catalogue has not.
private struct PendingObjects {
    private var byKey: [OverlayKey: [StoredObject]] = [:]
    /// Keys of which nothing is left that the catalogue has.
    private(set) var replaced: Set<OverlayKey> = []

    init(_ records: [LogRecord]) {
        for record in records {
            guard let key = record.change.overlayKey else { continue }
            if record.change.replaces {
                replaced.insert(key)
                byKey[key] = nil
            }
            switch record.change {
            case .putObject(_, let object), .completeUpload(_, let object, _): byKey[key, default: []].append(object)
            default: break
            }
        }
    }

    var objects: [(OverlayKey, StoredObject)] { byKey.flatMap { key, objects in objects.map { (key, $0) } } }
}
