import ShoalS3
import ShoalSQLite
import Synchronization

/// The store in a directory.
///
/// ```
/// DIR/shoal.sqlite    the catalogue, in write-ahead mode
/// DIR/log/<n>         commits that the catalogue may not have yet
/// DIR/segments/<n>    small bodies, appended
/// DIR/blobs/ab/<id>   larger bodies, one immutable file each
/// DIR/staging/<id>    larger bodies being received
/// DIR/LOCK            one store per directory
/// ```
/// One value serves one scope; the others see the same store through values of their own, from `scoped(to:)`.
///
/// A write is judged, logged and acknowledged (`Committer`), seen by readers at once (`Overlay`), and later brought into
/// the catalogue with many others (`Applier`).
package final class DiskStore: ObjectStore {
    let scope: ScopeNumber
    let options: DiskStoreOptions
    let registry: BucketRegistry
    let uploads: UploadRegistry
    let holds: BlobHolds
    let overlay: Overlay
    let readers: CatalogueReaders
    let applier: Applier
    let committer: Committer
    let segments: SegmentStore
    let blobs: BlobStore
    let upkeep: Upkeep
    let work: BackgroundWork
    let headroom: Headroom
    let epoch: ResetCount
    /// Nil for a value that does not own the store.
    private let lock: Mutex<DirectoryLock?>

    /// Opens or makes the store. Throws `locked`, `newerFormat`, `unusable`, or what the disk says.
    package init(directory: String, options: DiskStoreOptions = DiskStoreOptions()) throws(StoreError) {
        let start = try StoreStart(directory, options)
        scope = .main
        epoch = ResetCount()
        self.options = options
        registry = start.registry
        uploads = start.uploads
        holds = start.holds
        overlay = start.overlay
        readers = start.readers
        applier = start.applier
        segments = start.segments
        blobs = start.blobs
        upkeep = start.upkeep
        headroom = Headroom(in: directory, on: options.disk)
        lock = Mutex(start.lock)
        let applierWake = try WakeUp(in: directory)
        committer = Committer(
            start.commitState, buckets: registry, uploads: uploads, overlay: overlay, applier: applier,
            readers: readers,
            segments: segments, options: options, applierWake: applierWake)
        work = try BackgroundWork(committer, applier, upkeep, overlay, applierWake: applierWake)
        try work.start(isNew: start.isNew)
    }

    private init(sharing store: DiskStore, scope: ScopeNumber) {
        self.scope = scope
        epoch = store.epoch
        options = store.options
        registry = store.registry
        uploads = store.uploads
        holds = store.holds
        overlay = store.overlay
        readers = store.readers
        applier = store.applier
        committer = store.committer
        segments = store.segments
        blobs = store.blobs
        upkeep = store.upkeep
        work = store.work
        headroom = store.headroom
        lock = Mutex(nil)
    }

    package func scoped(to scope: ScopeNumber) -> any ObjectStore { DiskStore(sharing: self, scope: scope) }

    deinit { close() }

    package func flush() {
        if options.durability == .power { work.commit() } else { committer.drain() }
    }

    package func close() {
        guard let held = lock.withLock({ $0.take() }) else { return }
        work.stop()
        committer.close()
        shutDown()
        // The lock goes last: until here nobody else may open the directory.
        withExtendedLifetime(held) {}
    }

    /// Leaves a directory that the next start has nothing to do in. If that fails, the log does its part then.
    private func shutDown() {
        readers.close()
        upkeep.closeConnection()
        let isApplied = upkeep.attempt("applying of the log at the end") { () throws(StoreError) in
            try applier.applyAll()
            upkeep.removeReleasedBlobs()
            try applier.checkpoint(.truncate)
        }
        if isApplied { _ = upkeep.attempt("removal of the logs at the end", upkeep.removeAllLogs) }
        applier.close()
    }
}

/// Counts the resets of a store and its scopes, so that a body begun before one is not committed after it.
final class ResetCount: Sendable {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { count.load(ordering: .acquiring) }

    func set(_ value: UInt64) { count.store(value, ordering: .releasing) }
}
