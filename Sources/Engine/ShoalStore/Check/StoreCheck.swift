import ShoalCrypto
import ShoalS3
import ShoalSQLite

/// What an off-line look at a directory found: `shoal fsck`.
package struct StoreCheck: Sendable {
    /// Finding more than this is counted and not listed.
    package static let findingCountMax = 10_000

    package enum Finding: Sendable, Equatable {
        /// An acknowledged object whose bytes are not there, or not all of them.
        case missing(bucket: String, key: String, path: String)
        /// The bytes do not have the MD5 that the tag promises. Found only when contents are verified.
        case altered(bucket: String, key: String, path: String)
        /// A file that nothing names; the next start removes it.
        case unknown(path: String)
    }

    package private(set) var objectCount = 0
    /// Bytes of bodies that objects name.
    package private(set) var byteCount: UInt64 = 0
    package private(set) var missingCount = 0
    package private(set) var alteredCount = 0
    package private(set) var unknownCount = 0
    package private(set) var findings: [Finding] = []

    /// Nothing acknowledged is lost and nothing stored is unknown.
    package var isClean: Bool { missingCount == 0 && alteredCount == 0 && unknownCount == 0 }

    /// Checks the store in `directory`, which no daemon may be using. Changes nothing but `LOCK` and SQLite's own files.
    /// `verifyContent` reads every body whose tag is an MD5. Throws `locked`, and `unusable` if there is no store.
    package init(
        directory: String, verifyContent: Bool = false, disk: any Disk = SystemDisk()
    ) throws(StoreError) {
        let directories = StoreDirectories(root: directory)
        guard disk.exists(directories.database) else {
            throw .unusable(path: directory, reason: "there is no shoal.sqlite in it")
        }
        let lock = try DirectoryLock(in: directory, on: disk)
        let walk = StoreWalk(directories, disk, verifyContent: verifyContent)
        try walk.run { (finding, object) in note(finding, object) }
        withExtendedLifetime(lock) {}
    }

    private mutating func note(_ finding: Finding?, _ object: StoredObject?) {
        if let object {
            objectCount += 1
            byteCount += object.record.size
        }
        guard let finding else { return }
        switch finding {
        case .missing: missingCount += 1
        case .altered: alteredCount += 1
        case .unknown: unknownCount += 1
        }
        if findings.count < Self.findingCountMax { findings.append(finding) }
    }
}

/// One pass over catalogue, log and folders.
private struct StoreWalk {
    private static let rowCount = 1_000
    private static let chunkByteCount = 1 << 20

    let directories: StoreDirectories
    let disk: any Disk
    let verifyContent: Bool

    init(_ directories: StoreDirectories, _ disk: any Disk, verifyContent: Bool) {
        self.directories = directories
        self.disk = disk
        self.verifyContent = verifyContent
    }

    /// Tells each object, with what is wrong with it, and each unknown file.
    func run(_ tell: (StoreCheck.Finding?, StoredObject?) -> Void) throws(StoreError) {
        let catalogue = try state()
        let replay = try LogReplay(in: directories.log, on: disk, after: catalogue.appliedSequence)
        let overlay = newest(replay.records)
        let names = names(catalogue.buckets, replay.records)
        var named = NamedFiles()
        func visit(_ bucket: BucketID, _ object: StoredObject) {
            named.note(object.location)
            tell(check(object, in: names[bucket, default: "bucket \(bucket)"]), object)
        }
        let readers = CatalogueReaders(directories.database)
        defer { readers.close() }
        var position: CatalogueReader.Position? = CatalogueReader.Position()
        while let start = position {
            let run = try readers.read { (reader) throws(SQLiteError) in
                try reader.rows(after: start, limit: Self.rowCount)
            }
            position = run.next
            for row in run.rows where overlay[OverlayKey(bucket: row.bucket, key: row.object.record.key.bytes)] == nil {
                visit(row.bucket, row.object)
            }
        }
        for (key, change) in overlay { if case .putObject(_, let object) = change { visit(key.bucket, object) } }
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

    private func newest(_ records: [LogRecord]) -> [OverlayKey: Change] {
        var newest: [OverlayKey: Change] = [:]
        for record in records { if let key = record.change.overlayKey { newest[key] = record.change } }
        return newest
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
    private func check(_ object: StoredObject, in bucket: String) -> StoreCheck.Finding? {
        let (path, offset): (String, UInt64)
        switch object.location {
        case .empty: return nil
        case .segment(let number, let start): (path, offset) = ("\(directories.segments)/\(number)", start)
        case .blob(let id): (path, offset) = ("\(directories.blobs)/\(id.folder)/\(id.name)", 0)
        }
        let key = object.record.key.description
        do {
            let file = try disk.open(path, .readOnly)
            guard try disk.size(of: file) >= offset + object.record.size else {
                return .missing(bucket: bucket, key: key, path: path)
            }
            guard verifyContent, let md5 = object.record.etag.md5 else { return nil }
            let digest = try digest(of: file, from: offset, count: object.record.size)
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
    /// The blobs that objects name.
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
