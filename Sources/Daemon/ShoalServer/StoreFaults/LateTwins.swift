import ShoalNet
import ShoalS3
import Synchronization

/// Commits whose connections were cut and that come behind the next commit of their key.
final class LateTwins: Sendable {
    private let waiting = Mutex<[ObjectPath: [@Sendable () -> Void]]>([:])
    private let count = Atomic<Int>(0)
    private let clearings = Atomic<UInt64>(0)

    /// Changes whenever everything is forgotten: what was put off before that is not to come any more.
    var generation: UInt64 { clearings.load(ordering: .acquiring) }

    func add(_ path: ObjectPath, _ work: @escaping @Sendable () -> Void) {
        waiting.withLock { waiting in
            waiting[path, default: []].append(work)
            count.store(waiting.count, ordering: .releasing)
        }
    }

    /// Those that a commit of the key has waited for; none with one load if there are none at all.
    func take(_ path: ObjectPath) -> [@Sendable () -> Void] {
        guard count.load(ordering: .acquiring) > 0 else { return [] }
        return waiting.withLock { waiting in
            defer { count.store(waiting.count, ordering: .releasing) }
            return waiting.removeValue(forKey: path) ?? []
        }
    }

    func clear() {
        clearings.add(1, ordering: .acquiringAndReleasing)
        waiting.withLock { waiting in
            waiting = [:]
            count.store(0, ordering: .releasing)
        }
    }
}
