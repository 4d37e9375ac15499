import ShoalFaults
import ShoalS3
import ShoalStore
import Synchronization

/// An object as it was at some time, with its bytes held open.
enum PastState: Sendable {
    case absent
    case deleted(ObjectRecord)
    case object(ObjectRecord, any BodyFile)

    /// As it is now. Blocking.
    init(of path: ObjectPath, in store: any ObjectStore) throws(StoreError) {
        if let (record, file) = try store.openObject(path) {
            self = .object(record, file)
        } else if let marker = try store.current(path), marker.isDeleteMarker {
            self = .deleted(marker)
        } else {
            self = .absent
        }
    }

    /// The object or the delete marker; nil if there was neither.
    var record: ObjectRecord? {
        switch self {
        case .absent: nil
        case .deleted(let record), .object(let record, _): record
        }
    }
}

/// What the objects of one world were before their last changes, as far as rules ask for it.
final class PastStates: Sendable {
    /// Keys that are noted or hidden at a time. Each holds its old body open; further ones are not noted, and not hidden.
    private static let keyCountMax = 1_024

    /// A write that some reads do not find.
    struct Veil: Sendable {
        let path: ObjectPath
        fileprivate let number: UInt64
    }

    private struct Hiding {
        let number: UInt64
        let state: PastState
        /// By the scope's clock.
        let end: Timestamp?
        var readsLeft: UInt64?
        let kind: StoreFault.ReadKind?

        func hides(from kind: StoreFault.ReadKind, now: Timestamp) -> Bool {
            (self.kind == nil || self.kind == kind) && end.map { now < $0 } ?? true && readsLeft != 0
        }
    }

    private struct State {
        var hidings: [ObjectPath: Hiding] = [:]
        /// Latest first.
        var noted: [ObjectPath: [PastState]] = [:]
        /// What each was before the first change that was noted.
        var originals: [ObjectPath: PastState] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())
    private let hidingCount = Atomic<Int>(0)

    /// Whether a read has to be asked about at all: one load.
    var hidesAnything: Bool { hidingCount.load(ordering: .acquiring) > 0 }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            defer { hidingCount.store(state.hidings.count, ordering: .releasing) }
            return body(&state)
        }
    }

    /// Forgets everything, as when the rules go.
    func clear() { change { $0 = State() } }

    /// The rules have changed: forgets what none of them asks for any more.
    func follow(_ plan: FaultPlan) {
        let (keepsPast, hidesWrites) = (plan.keepsPast, plan.hidesWrites)
        guard !keepsPast || !hidesWrites else { return }
        change { state in
            if !keepsPast { (state.noted, state.originals) = ([:], [:]) }
            if !hidesWrites { state.hidings = [:] }
        }
    }

    // MARK: Hiding

    func hide(
        _ path: ObjectPath, behind past: PastState, _ invisibility: StoreFault.Invisibility, now: Timestamp
    ) -> Veil {
        change { state in
            if state.hidings.count >= Self.keyCountMax {
                state.hidings = state.hidings.filter { $0.value.hides(from: $0.value.kind ?? .get, now: now) }
            }
            state.lastNumber += 1
            guard state.hidings[path] != nil || state.hidings.count < Self.keyCountMax else {
                return Veil(path: path, number: state.lastNumber)
            }
            // Several hidden writes of one key hide what was there before the first.
            let first = state.hidings[path].flatMap { $0.hides(from: $0.kind ?? .get, now: now) ? $0.state : nil }
            state.hidings[path] = Hiding(
                number: state.lastNumber, state: first ?? past,
                end: invisibility.time.map { now.adding(milliseconds: $0.wholeMilliseconds) },
                readsLeft: invisibility.reads, kind: invisibility.kind)
            return Veil(path: path, number: state.lastNumber)
        }
    }

    func lift(_ veil: Veil) {
        change { state in
            if state.hidings[veil.path]?.number == veil.number { state.hidings[veil.path] = nil }
        }
    }

    /// Another write, of which nothing is hidden, shows the key as it is.
    func reveal(_ path: ObjectPath) { change { $0.hidings[path] = nil } }

    /// What a read of the key finds instead of what is there, counted; nil if that.
    func state(hiding path: ObjectPath, from kind: StoreFault.ReadKind, now: Timestamp) -> PastState? {
        guard hidesAnything else { return nil }
        return change { state in
            guard let hiding = state.hidings[path] else { return nil }
            guard hiding.hides(from: kind, now: now) else {
                if hiding.kind == nil || hiding.kind == kind { state.hidings[path] = nil }
                return nil
            }
            if let left = hiding.readsLeft { state.hidings[path]?.readsLeft = left - 1 }
            return hiding.state
        }
    }

    /// What a listing of the bucket shows in place of what is there, by key.
    func states(hiding bucket: BucketName, now: Timestamp) -> [[UInt8]: PastState] {
        guard hidesAnything else { return [:] }
        return state.withLock { state in
            var states: [[UInt8]: PastState] = [:]
            for (path, hiding) in state.hidings where path.bucket == bucket && hiding.hides(from: .list, now: now) {
                states[path.key.bytes] = hiding.state
            }
            return states
        }
    }

    /// A listing has not found these.
    func countListing(of keys: [[UInt8]], in bucket: BucketName) {
        change { state in
            for path in state.hidings.keys where path.bucket == bucket && keys.contains(path.key.bytes) {
                guard let left = state.hidings[path]?.readsLeft, left > 0 else { continue }
                state.hidings[path]?.readsLeft = left - 1
            }
        }
    }

    // MARK: Noting

    func note(_ past: PastState, of path: ObjectPath) {
        change { state in
            guard state.noted[path] != nil || state.noted.count < Self.keyCountMax else { return }
            if state.originals[path] == nil { state.originals[path] = past }
            state.noted[path] = Array(([past] + (state.noted[path] ?? [])).prefix(Int(StoreFault.versionCountMax)))
        }
    }

    /// Every object that was changed since changes are noted, as it was before.
    var originals: [ObjectPath: PastState] { state.withLock { $0.originals } }

    /// What the object was before its last `count` changes; nil if they are not all known.
    func state(of path: ObjectPath, back count: Int) -> PastState? {
        state.withLock { state in
            guard let noted = state.noted[path], noted.count >= count else { return nil }
            return noted[count - 1]
        }
    }
}
