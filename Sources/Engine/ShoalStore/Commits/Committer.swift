import ShoalS3
import ShoalSQLite
import Synchronization

/// Puts writes in order: judges their conditions, logs those that wait together with one write, and makes them visible.
///
/// Whoever holds the commit lock commits everybody's requests; who does not get it need not wait, since the holder looks
/// at the queue again after letting go.
final class Committer: Sendable {
    /// Requests logged together at most.
    static let groupCountMax = 128
    /// Groups one call commits before it leaves the rest to the background.
    private static let groupsPerCallMax = 16

    private let queue = Mutex<[CommitRequest]>([])
    private let state: Mutex<State>
    private let buckets: BucketRegistry
    private let uploads: UploadRegistry
    private let overlay: Overlay
    private let applier: Applier
    private let readers: CatalogueReaders
    private let segments: SegmentStore
    private let options: DiskStoreOptions
    /// The applier's thread.
    private let applierWake: WakeUp

    /// What the commit lock guards.
    struct State: Sendable {
        var log: IntentLog
        var lastSequence: UInt64
        var resets = Resets()
        var isClosed = false
        fileprivate var buffer: [UInt8] = []

        init(log: IntentLog, lastSequence: UInt64) {
            self.log = log
            self.lastSequence = lastSequence
        }
    }

    /// When the scopes were emptied, in resets since the start.
    struct Resets: Sendable {
        private var count: UInt64 = 0
        private var lastOfAll: UInt64 = 0
        private var last: [ScopeNumber: UInt64] = [:]

        /// One scope is emptied; the number of resets with this one.
        mutating func note(_ scope: ScopeNumber) -> UInt64 {
            count += 1
            last[scope] = count
            return count
        }

        /// Everything is emptied.
        mutating func noteAll() -> UInt64 {
            count += 1
            lastOfAll = count
            last = [:]
            return count
        }

        /// Whether the body was begun since the scope was last emptied.
        func allow(_ body: DiskBody, in scope: ScopeNumber) -> Bool { body.epoch >= max(lastOfAll, last[scope] ?? 0) }
    }

    init(
        _ state: State, buckets: BucketRegistry, uploads: UploadRegistry, overlay: Overlay, applier: Applier,
        readers: CatalogueReaders,
        segments: SegmentStore, options: DiskStoreOptions, applierWake: WakeUp
    ) {
        self.state = Mutex(state)
        self.buckets = buckets
        self.uploads = uploads
        self.overlay = overlay
        self.applier = applier
        self.readers = readers
        self.segments = segments
        self.options = options
        self.applierWake = applierWake
    }

    func enqueue(_ request: CommitRequest) { queue.withLock { $0.append(request) } }

    /// Commits what is enqueued unless another thread is at it. In `power` mode this waits for the device.
    func drain() {
        for _ in 0..<Self.groupsPerCallMax {
            guard let outcomes = state.withLockIfAvailable({ commitGroup(&$0) }) else { return }
            for outcome in outcomes { outcome.tell() }
            if queue.withLock({ $0.isEmpty }) { return }
        }
        applierWake.signal()
    }

    /// Runs `body` with the commit lock, and commits what could not get it meanwhile. Blocking.
    func exclusively<Result: Sendable>(
        _ body: (inout State) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { drain() }
        return try state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw .closed }
            return try body(&state)
        }
    }

    /// Logs one change of a bucket with its messages and hands it to the applier, within `exclusively`.
    func log(
        _ change: Change, announcing messages: [OutboxMessage] = [], _ state: inout State
    ) throws(StoreError) {
        try makeRoom()
        // Also when the log fails: a sequence that may stand in it is not given again.
        state.lastSequence += 1
        var bytes: [UInt8] = []
        LogRecord(sequence: state.lastSequence, change: change, messages: messages).append(to: &bytes)
        try state.log.append(bytes, lastSequence: state.lastSequence)
        publish([PendingChange(sequence: state.lastSequence, change: change, body: nil, messages: messages)])
    }

    /// Commits what is enqueued, then refuses everything.
    func close() {
        drain()
        state.withLock { state in
            state.isClosed = true
            state.log.rotate()
        }
        drain()
    }

    /// Hands logged changes over to readers and to the applier.
    private func publish(_ changes: [PendingChange]) {
        let waiting = overlay.add(changes)
        // The applier sleeps until the first change, then gathers more until its delay ends or there are enough.
        let isEnough = waiting < options.applyCount && waiting + changes.count >= options.applyCount
        if waiting == 0 || isEnough { applierWake.signal() }
        let destinations = Set(changes.lazy.flatMap(\.messages).map(\.destination))
        if !destinations.isEmpty { options.outboxFilled(destinations) }
    }
}

// MARK: - One group

extension Committer {
    private func commitGroup(_ state: inout State) -> [CommitOutcome] {
        let requests = takeGroup()
        guard !requests.isEmpty else { return [] }
        var group = CommitGroup(sequence: state.lastSequence, count: requests.count)
        for request in requests { judge(request, state, &group) }
        guard !group.changes.isEmpty else { return group.outcomes }
        // Also when the log fails: a sequence that may stand in it is not given again.
        state.lastSequence += UInt64(group.changes.count)
        do {
            try makeRoom()
            if options.durability == .power { try synchronizeBodies(of: group.changes) }
            state.buffer.removeAll(keepingCapacity: true)
            for change in group.changes {
                LogRecord(sequence: change.sequence, change: change.change, messages: change.messages)
                    .append(to: &state.buffer)
            }
            try state.log.append(state.buffer, lastSequence: state.lastSequence)
        } catch {
            group.fail(error)
            return group.outcomes
        }
        for change in group.changes {
            change.body?.keep()
            if let key = change.change.overlayKey { uploads.noteWrite(of: key) }
        }
        publish(group.changes)
        return group.outcomes
    }

    private func takeGroup() -> [CommitRequest] {
        queue.withLock { queue in
            guard queue.count > Self.groupCountMax else {
                defer { queue.removeAll(keepingCapacity: true) }
                return Array(queue)
            }
            defer { queue.removeFirst(Self.groupCountMax) }
            return Array(queue.prefix(Self.groupCountMax))
        }
    }

    /// Decides about one request, in the light of those before it in the group.
    private func judge(_ request: CommitRequest, _ state: State, _ group: inout CommitGroup) {
        do {
            guard !state.isClosed else { throw StoreError.closed }
            if let failure = request.failure { throw failure }
            guard let target = buckets.find(request.bucket, in: request.scope) else { throw StoreError.noSuchBucket }
            let (bucket, versioning) = (target.id, target.record.versioning)
            switch request.write {
            case .put(let object, let body, _):
                guard state.resets.allow(body, in: request.scope) else { throw StoreError.bodyDiscarded }
                if let condition = request.condition {
                    let current = try current(bucket, object.key, in: group)
                    if let refusal = condition.refusal(for: current) { throw refusal }
                }
                let record = object.versioned(versioning, sequence: group.nextSequence)
                let stored = StoredObject(record: record, location: body.location)
                group.accept(request, .putObject(bucket, stored), body: body, result: record)
            case .delete(let key, let time, _):
                let current = try current(bucket, key, in: group)
                if let refusal = request.condition?.refusal(for: current) { throw refusal }
                if versioning != .never {
                    let marker = ObjectRecord.deleteMarker(key, at: time)
                        .versioned(versioning, sequence: group.nextSequence)
                    group.accept(
                        request, .putObject(bucket, StoredObject(record: marker, location: .empty)), body: nil,
                        result: marker)
                } else if let current {
                    group.accept(request, .deleteObject(bucket, key), body: nil, result: current)
                } else {
                    group.answer(request, .success(nil))
                }
            case .part(let upload, let part, let body, _):
                guard state.resets.allow(body, in: request.scope) else { throw StoreError.bodyDiscarded }
                guard uploads.find(upload)?.bucket == bucket else { throw StoreError.noSuchUpload }
                let stored = StoredPart(record: part, location: body.location)
                group.accept(request, .putPart(upload, stored), body: body, result: nil)
            }
        } catch let error as StoreError {
            group.answer(request, .failure(error))
        } catch {
            preconditionFailure("only store errors are thrown above: \(error)")
        }
    }

    /// The object that is current for the holder of the commit lock.
    func current(_ bucket: BucketID, _ key: ObjectKey) throws(StoreError) -> ObjectRecord? {
        try current(bucket, key, in: nil)
    }

    private func current(
        _ bucket: BucketID, _ key: ObjectKey, in group: CommitGroup?
    ) throws(StoreError) -> ObjectRecord? {
        switch group?.find(bucket, key) ?? overlay.find(bucket, key) {
        case .object(let object): return object.record.isDeleteMarker ? nil : object.record
        case .deleted: return nil
        case nil:
            let record = try readers.read { (reader) throws(SQLiteError) in try reader.find(bucket, key) }?.record
            return record?.isDeleteMarker == true ? nil : record
        }
    }

    /// Waits for the catalogue if it is too far behind; throws what keeps it from going on.
    private func makeRoom() throws(StoreError) {
        if overlay.pendingCount >= options.pendingCountMax { try applier.applyAll() }
    }

    private func synchronizeBodies(of changes: [PendingChange]) throws(StoreError) {
        var synchronized: Set<UInt64> = []
        for change in changes {
            switch change.body?.hold {
            case .segment(let segment):
                if synchronized.insert(segment.number).inserted { try options.disk.synchronize(segment.file) }
            case .blob(let claim): try claim.synchronize()
            case .nothing, nil: break
            }
        }
        try segments.synchronizeNames()
    }
}

/// The requests decided together.
private struct CommitGroup {
    private(set) var changes: [PendingChange] = []
    private(set) var outcomes: [CommitOutcome] = []
    private var sequence: UInt64

    init(sequence: UInt64, count: Int) {
        self.sequence = sequence
        changes.reserveCapacity(count)
        outcomes.reserveCapacity(count)
    }

    /// The number the next change gets.
    var nextSequence: UInt64 { sequence + 1 }

    mutating func accept(_ request: CommitRequest, _ change: Change, body: DiskBody?, result: ObjectRecord?) {
        sequence += 1
        var messages: [OutboxMessage] = []
        if let announcement = request.announcement, let result {
            messages = announcement(CommittedChange(sequence: sequence, record: result))
        }
        changes.append(PendingChange(sequence: sequence, change: change, body: body, messages: messages))
        outcomes.append(CommitOutcome(write: request.write, result: .success(result)))
    }

    mutating func answer(_ request: CommitRequest, _ result: Result<ObjectRecord?, StoreError>) {
        outcomes.append(CommitOutcome(write: request.write, result: result))
    }

    /// Turns every answer into a failure. Requests were judged by earlier ones of the group, so that refusals fall with
    /// what they rested on.
    mutating func fail(_ error: StoreError) {
        for index in outcomes.indices { outcomes[index].result = .failure(error) }
    }

    /// The last of the changes to a key; a group is short, so it is searched from the end.
    func find(_ bucket: BucketID, _ key: ObjectKey) -> Overlay.Finding? {
        for change in changes.reversed() {
            switch change.change {
            case .putObject(bucket, let object) where object.record.key.bytes == key.bytes: return .object(object)
            case .deleteObject(bucket, let deleted) where deleted.bytes == key.bytes: return .deleted
            default: continue
            }
        }
        return nil
    }
}

extension DiskBody {
    /// A log record names the bytes from now on.
    fileprivate func keep() {
        if case .blob(let claim) = hold { claim.keep() }
    }
}
