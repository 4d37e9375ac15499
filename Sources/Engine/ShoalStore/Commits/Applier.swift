import ShoalS3
import ShoalSQLite
import Synchronization

/// Brings logged changes into the catalogue, many to a transaction.
final class Applier: Sendable {
    private let overlay: Overlay
    private let state: Mutex<State>
    private let applied: Atomic<UInt64>
    private let writeAheadFrames = Atomic<Int>(0)
    /// Blobs that nothing names any more.
    private let released = Mutex<[BlobID]>([])

    /// What the applier's lock guards: the catalogue's only writer, and what it knows of the segments.
    struct State {
        /// Nil once the store is closed.
        fileprivate var openWriter: CatalogueWriter?
        var spaces: [UInt64: SegmentSpace]
        var nextSegment: UInt64
        /// A batch whose transaction failed; it comes first next time.
        fileprivate var unfinished: Overlay.Batch?

        fileprivate func writer() throws(StoreError) -> CatalogueWriter {
            guard let openWriter else { throw .closed }
            return openWriter
        }
    }

    init(_ writer: sending CatalogueWriter, _ catalogue: CatalogueState, overlay: Overlay) {
        self.overlay = overlay
        state = Mutex(State(openWriter: writer, spaces: catalogue.segments, nextSegment: catalogue.nextSegment))
        applied = Atomic(catalogue.appliedSequence)
    }

    /// Everything up to here is in the catalogue.
    var appliedSequence: UInt64 { applied.load(ordering: .acquiring) }

    /// Pages in SQLite's write-ahead log, applied to the database or not.
    var writeAheadFrameCount: Int { writeAheadFrames.load(ordering: .relaxed) }

    var spaces: [UInt64: SegmentSpace] { state.withLock { $0.spaces } }

    /// Returns when everything acknowledged before the call is in the catalogue. Blocking.
    func applyAll() throws(StoreError) {
        if overlay.isSettled { return }
        try state.withLock { (state) throws(StoreError) in
            while let batch = state.unfinished ?? overlay.take() {
                state.unfinished = batch
                let writer = try state.writer()
                do throws(SQLiteError) { try apply(batch, writer, &state) } catch { throw .catalogue(error) }
                state.unfinished = nil
                applied.store(batch.lastSequence, ordering: .releasing)
                overlay.settle(batch)
            }
        }
    }

    /// One transaction of somebody else, such as compaction, with nobody applying. What it does to `spaces` counts only
    /// if it does not throw.
    func transaction<Result: Sendable>(
        _ body: @Sendable (CatalogueWriter, inout [UInt64: SegmentSpace]) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        try state.withLock { (state) throws(StoreError) in
            let writer = try state.writer()
            do throws(SQLiteError) {
                var spaces = state.spaces
                let result = try writer.connection.transaction { () throws(SQLiteError) in
                    try body(writer, &spaces)
                }
                state.spaces = spaces
                noteFrames(writer)
                return result
            } catch {
                throw .catalogue(error)
            }
        }
    }

    /// Empties the catalogue and makes void what is logged up to `sequence`; the caller keeps commits away. If it throws,
    /// nothing has changed.
    func clear(at sequence: UInt64) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            let writer = try state.writer()
            do throws(SQLiteError) {
                try writer.connection.transaction { () throws(SQLiteError) in
                    try writer.clear()
                    try writer.set(.appliedSequence, to: sequence)
                }
                noteFrames(writer)
            } catch {
                throw .catalogue(error)
            }
            state.spaces = [:]
            state.unfinished = nil
            overlay.clear()
            applied.store(sequence, ordering: .releasing)
        }
    }

    /// Objects of these segments were moved: what memory knows of their places is out of date.
    func forgetPlaces(inSegments numbers: Set<UInt64>) { overlay.forgetApplied(inSegments: numbers) }

    /// Checkpoints with nobody writing. Blocking.
    func checkpoint(_ kind: Connection.Checkpoint) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            let writer = try state.writer()
            do throws(SQLiteError) { try writer.connection.checkpoint(kind) } catch { throw .catalogue(error) }
        }
    }

    /// Closes the catalogue; what is not applied by now waits in the log for the next start.
    func close() { state.withLock { $0.openWriter = nil } }

    /// Blobs to be removed, once.
    func takeReleased() -> [BlobID] {
        released.withLock { released in
            defer { released = [] }
            return released
        }
    }

    private func noteFrames(_ writer: CatalogueWriter) {
        writeAheadFrames.store(writer.connection.writeAheadFrameCount, ordering: .relaxed)
    }
}

// MARK: - One batch

extension Applier {
    private func apply(
        _ batch: Overlay.Batch, _ writer: CatalogueWriter, _ state: inout State
    ) throws(SQLiteError) {
        var effects = Effects(state.spaces)
        let nextSegment = state.nextSegment
        try writer.connection.transaction { () throws(SQLiteError) in
            for change in inRowOrder(batch.changes) { try apply(change, writer, &effects) }
            for entry in batch.messages { try writer.put(entry) }
            for number in effects.touched {
                if let space = effects.spaces[number] { try writer.put(space, of: number) }
            }
            if let highest = effects.touched.max(), highest >= nextSegment {
                try writer.raiseNextSegment(above: highest)
            }
            try writer.set(.appliedSequence, to: batch.lastSequence)
        }
        state.spaces = effects.spaces
        state.nextSegment = max(nextSegment, (effects.touched.max() ?? 0) + 1)
        noteFrames(writer)
        let blobs = effects.blobs + batch.superseded.compactMap { if case .blob(let id) = $0 { id } else { nil } }
        if !blobs.isEmpty { released.withLock { $0 += blobs } }
    }

    /// Buckets, uploads and parts in their order, then objects in the order of their rows, so that each page is met once.
    /// An object does not depend on a later change of those, but for the removal of its bucket: what came before that is
    /// applied before it.
    private func inRowOrder(_ changes: [PendingChange]) -> [Change] {
        var ordered: [Change] = []
        var start = changes.startIndex
        for (index, change) in changes.enumerated() where change.change.removesBucket {
            ordered += rowOrder(changes[start..<index]) + [change.change]
            start = index + 1
        }
        return ordered + rowOrder(changes[start...])
    }

    private func rowOrder(_ changes: ArraySlice<PendingChange>) -> [Change] {
        var objects: [(key: OverlayKey, sequence: UInt64, change: Change)] = []
        objects.reserveCapacity(changes.count)
        var others: [Change] = []
        for change in changes {
            if let key = change.change.rowKey {
                objects.append((key, change.sequence, change.change))
            } else {
                others.append(change.change)
            }
        }
        // A key occurs more than once if an upload was completed to it or its attributes were changed.
        objects.sort { $0.key == $1.key ? $0.sequence < $1.sequence : $0.key < $1.key }
        return others + objects.map(\.change)
    }

    private func apply(_ change: Change, _ writer: CatalogueWriter, _ effects: inout Effects) throws(SQLiteError) {
        switch change {
        case .putObject(let bucket, let object):
            effects.name(object.location, size: object.record.size)
            try put(bucket, object, writer, &effects)
        case .deleteObject(let bucket, let key):
            try release(try writer.delete(bucket, key), writer, &effects)
        case .updateObject(let bucket, let key, let ordinal, let attributes):
            try writer.update(bucket, key, ordinal, attributes)
        case .deleteVersion(let bucket, let key, let ordinal):
            try release(try writer.deleteVersion(bucket, key, ordinal), writer, &effects)
        case .putBucket(let bucket): try writer.put(bucket)
        case .deleteBucket(let id):
            for body in try writer.delete(id) { try release(body, writer, &effects) }
        case .createUpload(let upload): try writer.put(upload)
        case .putPart(let upload, let part):
            let released = try writer.put(upload, part)
            effects.name(part.location, size: part.record.size)
            if let released { effects.release(released) }
        case .completeUpload(let bucket, let object, let completion):
            for body in try writer.complete(completion) { effects.release(body) }
            try put(bucket, object, writer, &effects)
        case .abortUpload(let upload):
            for body in try writer.abort(upload) { effects.release(body) }
        }
    }

    /// Puts the row in place, beside the versions that stay if the object is a version.
    private func put(
        _ bucket: BucketID, _ object: StoredObject, _ writer: CatalogueWriter, _ effects: inout Effects
    ) throws(SQLiteError) {
        let released =
            object.record.ordinal > 0 ? try writer.putVersion(bucket, object) : try writer.put(bucket, object)
        try release(released, writer, &effects)
    }

    /// Gives back the body of an object; with one that was put together, its parts.
    private func release(
        _ body: CatalogueWriter.Released?, _ writer: CatalogueWriter, _ effects: inout Effects
    ) throws(SQLiteError) {
        guard let body else { return }
        guard let upload = body.location.upload else { return effects.release(body) }
        for part in try writer.dropParts(of: upload) { effects.release(part) }
    }
}

/// What a transaction does to the space of segments and to blobs.
private struct Effects {
    private(set) var spaces: [UInt64: SegmentSpace]
    private(set) var touched: Set<UInt64> = []
    private(set) var blobs: [BlobID] = []

    init(_ spaces: [UInt64: SegmentSpace]) { self.spaces = spaces }

    mutating func name(_ location: BodyLocation, size: UInt64) {
        guard case .segment(let number, let offset) = location else { return }
        touched.insert(number)
        spaces[number, default: SegmentSpace()].live += size
        spaces[number, default: SegmentSpace()].end = max(spaces[number]?.end ?? 0, offset + size)
    }

    mutating func release(_ body: CatalogueWriter.Released) {
        switch body.location {
        case .empty, .assembly: break
        case .segment(let number, _):
            touched.insert(number)
            spaces[number]?.live -= body.size
        case .blob(let id): blobs.append(id)
        }
    }
}
