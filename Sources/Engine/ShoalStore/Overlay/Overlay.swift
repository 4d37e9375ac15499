import Glibc
import ShoalS3
import Synchronization

/// Bucket and key as memory looks them up.
struct OverlayKey: Hashable, Comparable {
    let bucket: BucketID
    let key: [UInt8]

    /// The order of the catalogue's rows.
    static func < (left: OverlayKey, right: OverlayKey) -> Bool {
        guard left.bucket == right.bucket else { return left.bucket < right.bucket }
        return left.key.withUnsafeBytes { left in
            right.key.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(first, second, min(left.count, right.count))
                return order < 0 || (order == 0 && left.count < right.count)
            }
        }
    }

    /// Feeds the key as one run of bytes: the derived form takes them one by one.
    func hash(into hasher: inout Hasher) {
        hasher.combine(bucket)
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// A change that is in the log and may not be in the catalogue yet.
struct PendingChange: Sendable {
    let sequence: UInt64
    let change: Change
    /// Keeps the bytes of a put in place until the catalogue knows them.
    let body: DiskBody?
    /// For the outbox.
    var messages: [OutboxMessage] = []
}

/// The changes that are acknowledged and not applied: what a reader must look at before the catalogue.
///
/// Looking here first and there second misses nothing, because a change leaves only after the catalogue has it. Objects
/// stay for a while even then, because what was just written is what is read next; such an entry says the same as the
/// catalogue does, and goes when a later change or compaction makes it untrue.
final class Overlay: Sendable {
    /// Objects that stay after the catalogue has them.
    static let appliedCountMax = 4_096

    /// What the overlay says about a key.
    enum Finding: Sendable {
        case object(StoredObject)
        case deleted
    }

    /// Changes for one transaction of the catalogue.
    struct Batch: Sendable {
        fileprivate(set) var changes: [PendingChange]
        /// Bodies that were replaced before the catalogue heard of them.
        fileprivate(set) var superseded: [BodyLocation]
        /// For the outbox, those of superseded changes too.
        let messages: [OutboxEntry]
        let lastSequence: UInt64
    }

    fileprivate struct Entry {
        let finding: Finding
        let sequence: UInt64
        /// Index among the pending changes, as long as `generation` is the current one.
        let slot: Int
        let generation: UInt64
        var isApplied = false
    }

    fileprivate struct State {
        var entries: [OverlayKey: Entry] = [:]
        /// A nil was replaced by a later change of the same key.
        var pending: [PendingChange?] = []
        var superseded: [BodyLocation] = []
        var messages: [OutboxEntry] = []
        var lastSequence: UInt64 = 0
        /// Counts the batches taken.
        var generation: UInt64 = 0
        var isBatchOut = false
        /// Keys whose entries were applied, oldest first from `appliedStart` on; some are not in `entries` any more.
        var applied: [(key: OverlayKey, sequence: UInt64)] = []
        var appliedStart = 0
    }

    private let state = Mutex(State())

    func find(_ bucket: BucketID, _ key: ObjectKey) -> Finding? {
        state.withLock { $0.entries.isEmpty ? nil : $0.entries[OverlayKey(bucket: bucket, key: key.bytes)]?.finding }
    }

    /// True if everything added so far is in the catalogue.
    var isSettled: Bool { state.withLock { $0.pending.isEmpty && !$0.isBatchOut } }

    /// Changes not yet taken for the catalogue.
    var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Adds logged changes in order, and messages of changes that are left out; the number of changes that waited before.
    @discardableResult
    func add(_ changes: [PendingChange], besides messages: [OutboxEntry] = []) -> Int {
        state.withLock { state in
            defer {
                state.messages += messages
                for change in changes { state.add(change) }
            }
            return state.pending.count
        }
    }

    /// Takes everything that waits; nil if nothing does. `settle` has to follow before the next batch is taken.
    func take() -> Batch? {
        state.withLock { state in
            guard !state.pending.isEmpty else { return nil }
            precondition(!state.isBatchOut, "two batches at once")
            let batch = Batch(
                changes: state.pending.compactMap { $0 }, superseded: state.superseded, messages: state.messages,
                lastSequence: state.lastSequence)
            state.pending = []
            state.superseded = []
            state.messages = []
            state.generation += 1
            state.isBatchOut = true
            return batch
        }
    }

    /// Forgets deletions the catalogue now has, and the oldest objects it has had for a while, except where a later change
    /// has taken their place.
    func settle(_ batch: Batch) {
        state.withLock { state in
            state.isBatchOut = false
            for change in batch.changes {
                guard let key = change.change.overlayKey, let entry = state.entries[key],
                    entry.sequence == change.sequence
                else { continue }
                state.settle(key, entry)
            }
            state.dropOldestApplied()
        }
    }

    /// Forgets where applied objects are, because compaction has moved those of these segments.
    func forgetApplied(inSegments numbers: Set<UInt64>) {
        state.withLock { state in
            state.entries = state.entries.filter { _, entry in
                guard entry.isApplied, case .object(let object) = entry.finding,
                    let number = object.location.segmentNumber
                else { return true }
                return !numbers.contains(number)
            }
        }
    }

    /// Forgets what it says of an object that the catalogue knows better by now.
    func forgetApplied(_ key: OverlayKey) {
        state.withLock { state in
            if state.entries[key]?.isApplied == true { state.entries[key] = nil }
        }
    }

    /// Forgets everything, for a store that becomes empty.
    func clear() { state.withLock { $0 = State() } }
}

extension Overlay.State {
    fileprivate mutating func add(_ change: PendingChange) {
        lastSequence = change.sequence
        if !change.messages.isEmpty { messages += OutboxEntry.entries(change.messages, of: change.sequence) }
        if let key = change.change.overlayKey, let finding = change.change.finding {
            let entry = Overlay.Entry(
                finding: finding, sequence: change.sequence, slot: pending.count, generation: generation)
            let previous = entries.updateValue(entry, forKey: key)
            if change.change.replaces, let previous, previous.generation == generation { supersede(previous) }
        }
        pending.append(change)
    }

    fileprivate mutating func settle(_ key: OverlayKey, _ entry: Overlay.Entry) {
        guard case .object = entry.finding else {
            entries[key] = nil
            return
        }
        entries[key]?.isApplied = true
        applied.append((key, entry.sequence))
    }

    fileprivate mutating func dropOldestApplied() {
        while applied.count - appliedStart > Overlay.appliedCountMax {
            let (key, sequence) = applied[appliedStart]
            appliedStart += 1
            if entries[key]?.sequence == sequence { entries[key] = nil }
        }
        guard appliedStart > Overlay.appliedCountMax else { return }
        applied.removeFirst(appliedStart)
        appliedStart = 0
    }

    /// The catalogue never has to hear of a change that a later one of the same batch undoes.
    private mutating func supersede(_ previous: Overlay.Entry) {
        guard pending[previous.slot]?.change.isSupersedable == true else { return }
        pending[previous.slot] = nil
        if case .object(let object) = previous.finding { superseded.append(object.location) }
    }
}

extension Change {
    /// The object whose place it says; nil for any other change.
    var overlayKey: OverlayKey? { finding == nil ? nil : rowKey }

    /// Whether nothing is left of the object that was there before, as is so in a bucket without versions.
    var replaces: Bool {
        switch self {
        case .putObject(_, let object), .completeUpload(_, let object, _): object.record.ordinal == 0
        case .deleteObject: true
        case .updateObject, .deleteVersion, .putBucket, .deleteBucket, .createUpload, .putPart, .abortUpload: false
        }
    }

    /// Whether it may be left out where a change follows that replaces the object; the end of an upload may not.
    var isSupersedable: Bool {
        switch self {
        case .putObject(_, let object): object.record.ordinal == 0
        case .deleteObject: true
        case .updateObject, .deleteVersion, .putBucket, .deleteBucket, .createUpload, .putPart, .completeUpload,
            .abortUpload:
            false
        }
    }

    fileprivate var finding: Overlay.Finding? {
        switch self {
        case .putObject(_, let object), .completeUpload(_, let object, _): .object(object)
        case .deleteObject: .deleted
        case .updateObject, .deleteVersion, .putBucket, .deleteBucket, .createUpload, .putPart, .abortUpload: nil
        }
    }
}
