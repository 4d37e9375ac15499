import Synchronization

/// Bodies with a file of their own: received in `DIR/staging`, kept in `DIR/blobs/ab/<id>`, never changed.
final class BlobStore: Sendable {
    let directory: String
    let stagingDirectory: String
    let disk: any Disk
    private let durability: Durability
    private let ids = BlobIDSource()
    /// Bodies between the first byte and the catalogue's row, which a sweep must not take for orphans.
    private let inFlight = Mutex<Set<BlobID>>([])

    init(in root: String, on disk: any Disk, durability: Durability) {
        directory = root + "/blobs"
        stagingDirectory = root + "/staging"
        self.disk = disk
        self.durability = durability
    }

    func path(_ id: BlobID) -> String { "\(directory)/\(id.folder)/\(id.name)" }

    func stagingPath(_ id: BlobID) -> String { "\(stagingDirectory)/\(id.name)" }

    func isInFlight(_ id: BlobID) -> Bool { inFlight.withLock { $0.contains(id) } }

    func begin() throws(StoreError) -> BlobClaim {
        let id = ids.next()
        // Before there is a file, or a sweep might meet one that nobody answers for.
        inFlight.withLock { _ = $0.insert(id) }
        do {
            return BlobClaim(id, in: self, file: try disk.open(stagingPath(id), .createNew))
        } catch {
            land(id)
            throw error
        }
    }

    /// The claim of a body that the log names and the catalogue does not yet.
    func reclaim(_ id: BlobID) -> BlobClaim {
        inFlight.withLock { _ = $0.insert(id) }
        return BlobClaim(id, in: self, file: nil)
    }

    /// Moves a received body to its final name.
    func publish(_ id: BlobID) throws(StoreError) {
        do {
            try disk.rename(stagingPath(id), to: path(id))
        } catch {
            // Folders are made when first needed: 256 of them at the start would cost milliseconds.
            guard error.isMissingFile else { throw error }
            _ = try disk.makeDirectory("\(directory)/\(id.folder)")
            if durability == .power { try disk.synchronizeDirectory(directory) }
            try disk.rename(stagingPath(id), to: path(id))
        }
    }

    func open(_ id: BlobID, length: UInt64) throws(StoreError) -> DiskBodyFile {
        DiskBodyFile(try disk.open(path(id), .readOnly), offset: 0, length: length)
    }

    func remove(_ id: BlobID) throws(StoreError) { try disk.removeIfPresent(path(id)) }

    fileprivate func land(_ id: BlobID) { inFlight.withLock { _ = $0.remove(id) } }
}

/// A blob that the catalogue does not know yet. Letting the claim go removes the file unless a commit kept it.
final class BlobClaim: Sendable {
    let id: BlobID
    private let store: BlobStore
    private let state: Mutex<State>

    private enum State {
        case staged(DiskFile)
        case published(DiskFile)
        case kept
    }

    fileprivate init(_ id: BlobID, in store: BlobStore, file: DiskFile?) {
        self.id = id
        self.store = store
        state = Mutex(file.map { .staged($0) } ?? .kept)
    }

    deinit {
        let leftover: String? = state.withLock { state in
            switch state {
            case .staged: store.stagingPath(id)
            case .published: store.path(id)
            case .kept: nil
            }
        }
        // A file that cannot be removed now is found by the sweep of the next start.
        if let leftover { try? store.disk.remove(leftover) }
        store.land(id)
    }

    /// The file being written; nil once a commit keeps it.
    var file: DiskFile? {
        state.withLock { state in
            switch state {
            case .staged(let file), .published(let file): file
            case .kept: nil
            }
        }
    }

    func publish() throws(StoreError) {
        guard let file else { return }
        try store.publish(id)
        state.withLock { $0 = .published(file) }
    }

    /// Brings bytes and name to the device.
    func synchronize() throws(StoreError) {
        guard let file else { return }
        try store.disk.synchronize(file)
        try store.disk.synchronizeDirectory("\(store.directory)/\(id.folder)")
    }

    /// A commit names the file from now on. Also closes it.
    func keep() { state.withLock { $0 = .kept } }
}
