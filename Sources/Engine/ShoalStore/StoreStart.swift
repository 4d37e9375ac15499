import ShoalS3
import ShoalSQLite

/// The folders of a store.
struct StoreDirectories: Sendable {
    let root: String

    var database: String { root + "/shoal.sqlite" }
    var log: String { root + "/log" }
    var segments: String { root + "/segments" }
    var blobs: String { root + "/blobs" }
    var staging: String { root + "/staging" }

    /// Makes what is missing, parents of the root included. Throws `unusable` with the reason in words.
    func prepare(on disk: any Disk) throws(StoreError) {
        do throws(StoreError) {
            try makeRoot(on: disk)
            let owner = try disk.owner(of: root)
            guard owner == disk.effectiveUser || disk.effectiveUser == 0 else {
                throw StoreError.unusable(
                    path: root, reason: "it belongs to user \(owner), and Shoal runs as user \(disk.effectiveUser)")
            }
            for folder in [log, segments, blobs, staging] { _ = try disk.makeDirectory(folder) }
        } catch {
            throw error.asUnusable(root)
        }
    }

    private func makeRoot(on disk: any Disk) throws(StoreError) {
        do {
            _ = try disk.makeDirectory(root)
        } catch {
            guard error.isMissingFile, let slash = root.lastIndex(of: "/"), slash != root.startIndex else {
                throw error
            }
            try StoreDirectories(root: String(root[..<slash])).makeRoot(on: disk)
            _ = try disk.makeDirectory(root)
        }
    }
}

extension StoreError {
    /// What keeps a store from opening, said so that somebody can help it.
    func asUnusable(_ path: String) -> StoreError {
        guard case .disk(let failure) = self else { return self }
        return switch failure.kind {
        case .readOnly: .unusable(path: path, reason: "the file system is read-only (\(failure))")
        case .denied: .unusable(path: path, reason: "this user may not write there (\(failure))")
        case .full: .unusable(path: path, reason: "the disk is full (\(failure))")
        case .exists, .missing, .damaged, .outOfDescriptors: self
        }
    }
}

/// The steps between a directory and a running store.
struct StoreStart {
    let directories: StoreDirectories
    let lock: DirectoryLock
    let registry: BucketRegistry
    let uploads: UploadRegistry
    let holds = BlobHolds()
    let overlay = Overlay()
    let readers: CatalogueReaders
    let applier: Applier
    let segments: SegmentStore
    let blobs: BlobStore
    let upkeep: Upkeep
    let commitState: Committer.State
    /// The catalogue was made just now.
    let isNew: Bool

    init(_ directory: String, _ options: DiskStoreOptions) throws(StoreError) {
        let disk = options.disk
        directories = StoreDirectories(root: directory)
        try directories.prepare(on: disk)
        do throws(StoreError) { lock = try DirectoryLock(in: directory, on: disk) } catch {
            throw error.asUnusable(directory)
        }

        let (writer, isNew) = try Self.openCatalogue(directories.database, options.durability)
        self.isNew = isNew
        let catalogue: CatalogueState
        do throws(SQLiteError) {
            catalogue = try CatalogueState(writer.connection)
        } catch {
            throw .catalogue(error)
        }
        let replay = try LogReplay(in: directories.log, on: disk, after: catalogue.appliedSequence)
        // The write-ahead file was made by now; its name must not be lost either.
        if options.durability == .power { try disk.synchronizeDirectory(directory) }

        blobs = BlobStore(in: directory, on: disk, durability: options.durability)
        segments = try Self.openSegments(directories, options, catalogue, replay)
        registry = BucketRegistry(catalogue.buckets)
        uploads = UploadRegistry(catalogue.uploads)
        applier = Applier(writer, catalogue, overlay: overlay)
        readers = CatalogueReaders(directories.database)
        let shelf = LogShelf()
        for file in replay.files { shelf.add(file) }
        upkeep = Upkeep(
            directories, applier: applier, readers: readers, segments: segments, blobs: blobs, holds: holds,
            shelf: shelf, options: options)
        commitState = Committer.State(
            log: IntentLog(
                in: directories.log, on: disk, durability: options.durability, after: replay.lastNumber, shelf: shelf),
            lastSequence: replay.lastSequence)
        revive(replay.records, options)
    }

    private static func openCatalogue(
        _ path: String, _ durability: Durability
    ) throws(StoreError) -> (CatalogueWriter, isNew: Bool) {
        do {
            let connection = try Connection(path, .create)
            connection.setBusyTimeout(milliseconds: CatalogueWriter.busyTimeoutMilliseconds)
            let isNew = try CatalogueSchema.migrate(connection, path: path, durability: durability)
            return (try CatalogueWriter(connection), isNew)
        } catch let error as SQLiteError {
            throw .catalogue(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("only these two are thrown above: \(error)")
        }
    }

    /// Every segment that a row, a file or a log record names is known; those that nothing is alive in go soon.
    private static func openSegments(
        _ directories: StoreDirectories, _ options: DiskStoreOptions, _ catalogue: CatalogueState, _ replay: LogReplay
    ) throws(StoreError) -> SegmentStore {
        var ends = catalogue.segments.mapValues(\.end)
        for number in try options.disk.names(in: directories.segments).compactMap({ UInt64($0) }) {
            ends[number, default: 0] += 0
        }
        for record in replay.records {
            guard let body = record.change.newBody, case .segment(let number, let offset) = body.location else {
                continue
            }
            ends[number] = max(ends[number] ?? 0, offset + body.size)
        }
        return SegmentStore(
            in: directories.root, on: options.disk, laneCount: options.laneCount,
            byteCountMax: options.segmentByteCountMax, known: ends,
            nextNumber: max(catalogue.nextSegment, (ends.keys.max() ?? 0) + 1))
    }
}

// MARK: - Replay

extension StoreStart {
    /// Takes up what the log has and the catalogue has not, as if it had just been committed.
    private func revive(_ records: [LogRecord], _ options: DiskStoreOptions) {
        var buckets = Set(registry.all.map(\.id))
        var changes: [PendingChange] = []
        var messages: [OutboxEntry] = []
        let replaced = lastReplacements(records)
        for (index, record) in records.enumerated() {
            // The body of an older record of the same key may be gone already.
            if let key = record.change.overlayKey, let last = replaced[key], index < last,
                record.change.isSupersedable
            {
                messages += OutboxEntry.entries(record.messages, of: record.sequence)
                continue
            }
            switch record.change {
            case .putBucket(let bucket):
                registry.put(bucket)
                buckets.insert(bucket.id)
            case .deleteBucket(let id):
                registry.remove(id)
                uploads.removeAll(of: id)
                buckets.remove(id)
            case .createUpload(let upload): uploads.put(upload)
            case .completeUpload(_, _, let completion): uploads.remove(completion.upload)
            case .abortUpload(let upload): uploads.remove(upload)
            case .putPart: break
            case .putObject(let bucket, _), .deleteObject(let bucket, _), .updateObject(let bucket, _, _, _),
                .deleteVersion(let bucket, _, _):
                // Only a power cut in `process` mode loses the one and keeps the other.
                guard buckets.contains(bucket) else {
                    options.report(
                        StoreIncident("replay of the log", "an object of the lost bucket \(bucket) is dropped"))
                    continue
                }
            }
            let body = body(of: record, options)
            changes.append(
                PendingChange(
                    sequence: record.sequence, change: record.change, body: body, messages: record.messages))
        }
        if !changes.isEmpty { overlay.add(changes, besides: messages) }
    }

    /// For each key the index of the last record that left nothing of what was there before.
    private func lastReplacements(_ records: [LogRecord]) -> [OverlayKey: Int] {
        var last: [OverlayKey: Int] = [:]
        for (index, record) in records.enumerated() where record.change.replaces {
            if let key = record.change.overlayKey { last[key] = index }
        }
        return last
    }

    /// The body, held in place until the catalogue knows it; nil for what has none, or if its file is gone.
    private func body(of record: LogRecord, _ options: DiskStoreOptions) -> DiskBody? {
        guard let body = record.change.newBody else { return nil }
        let hold: DiskBody.Hold
        switch body.location {
        case .empty, .assembly: return nil
        case .blob(let id): hold = .blob(blobs.reclaim(id))
        case .segment(let number, _):
            do {
                hold = .segment(try segments.pin(number))
            } catch {
                options.report(StoreIncident("replay of the log", error))
                return nil
            }
        }
        return DiskBody(size: body.size, location: body.location, epoch: 0, hold: hold)
    }
}
