import ShoalFaults
import ShoalS3
import ShoalStore

// MARK: - Reading

extension FaultyStore {
    func current(_ path: ObjectPath) throws(StoreError) -> ObjectRecord? {
        if let failure = effects.openFailure ?? effects.readFailure?.error { throw failure }
        guard let state = try earlierState(of: path, for: .head) else { return try base.current(path) }
        return state.record
    }

    func openIfWhole(_ path: ObjectPath) throws(StoreError) -> ObjectOpening? {
        if let failure = effects.openFailure { throw failure }
        if let state = try earlierState(of: path, for: .get) {
            return switch state {
            case .absent: nil
            case .deleted(let marker): .deleted(marker)
            case .object(let record, let file): .open(record, faulty(file))
            }
        }
        guard case .open(let record, let file) = try base.openIfWhole(path) else { return try base.openIfWhole(path) }
        return .open(record, faulty(file))
    }

    func openObject(_ path: ObjectPath) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        if let failure = effects.openFailure { throw failure }
        if let state = try earlierState(of: path, for: .get) {
            guard case .object(let record, let file) = state else { return nil }
            return (record, faulty(file))
        }
        return try base.openObject(path).map { ($0.0, faulty($0.1)) }
    }

    func openObject(
        _ path: ObjectPath, version: ObjectVersion
    ) throws(StoreError) -> (ObjectRecord, any BodyFile)? {
        if let failure = effects.openFailure { throw failure }
        return try base.openObject(path, version: version).map { ($0.0, faulty($0.1)) }
    }

    /// The body as a rule wants it read.
    private func faulty(_ file: any BodyFile) -> any BodyFile {
        var file = file
        if let corruption = effects.readCorruption(of: file.length) { file = CorruptBody(file, corruption) }
        if let (error, after) = effects.readFailure { file = FailingBody(file, after: after, error) }
        return file
    }

    /// What a reader finds in place of what is there; nil if that is what it finds.
    private func earlierState(of path: ObjectPath, for kind: StoreFault.ReadKind) throws(StoreError) -> PastState? {
        if let count = effects.staleness { return try staleState(of: path, count) }
        return world.past.state(hiding: path, from: kind, now: world.now)
    }

    /// Of a bucket with versions the version itself, else what was noted since a rule asks for it. Nil if that does not
    /// reach back: the object is read as it is.
    private func staleState(of path: ObjectPath, _ count: Int) throws(StoreError) -> PastState? {
        guard base.bucket(path.bucket)?.versioning != .never else { return world.past.state(of: path, back: count) }
        let query = VersionQuery(prefix: path.key.bytes, limit: count + 1)
        let versions = try base.listVersions(path.bucket, query).entries.compactMap { entry -> ObjectRecord? in
            guard case .version(let record, _) = entry, record.key == path.key else { return nil }
            return record
        }
        guard count < versions.count else { return .absent }
        let record = versions[count]
        if record.isDeleteMarker { return .deleted(record) }
        return try base.openObject(path, version: record.version).map { .object($0.0, $0.1) } ?? .absent
    }

    // MARK: Listing

    func list(_ bucket: BucketName, _ query: ListQuery) throws(StoreError) -> ListPage { try base.list(bucket, query) }

    func list<Sink: ListingSink>(
        _ bucket: BucketName, _ query: ListQuery, into makeSink: @Sendable () -> Sink
    ) throws(StoreError) -> (sink: Sink, isTruncated: Bool) {
        let hidden = world.past.states(hiding: bucket, now: world.now)
        guard !hidden.isEmpty else { return try base.list(bucket, query, into: makeSink) }
        let page = try base.list(bucket, query) { VeiledSink(makeSink(), hidden) }
        world.past.countListing(of: page.sink.met, in: bucket)
        return (page.sink.base, page.isTruncated)
    }
}

/// Shows a page with what is hidden as it was before.
private struct VeiledSink<Base: ListingSink>: ListingSink {
    var base: Base
    private let hidden: [[UInt8]: PastState]
    /// The keys that would have been shown otherwise.
    private(set) var met: [[UInt8]] = []

    init(_ base: Base, _ hidden: [[UInt8]: PastState]) {
        self.base = base
        self.hidden = hidden
    }

    mutating func take(_ object: ListedObject) {
        let key = [UInt8](object.key)
        guard let state = hidden[key] else { return base.take(object) }
        met.append(key)
        guard case .object(let record, _) = state else { return }
        ListedObject.with(record) { base.take($0) }
    }

    mutating func take(rollUp: [UInt8]) { base.take(rollUp: rollUp) }
}
