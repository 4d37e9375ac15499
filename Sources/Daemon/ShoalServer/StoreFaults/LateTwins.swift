import ShoalS3
import Synchronization

/// Commits whose connections were cut and that come behind the next commit of their key.
final class LateTwins: Sendable {
    /// Of one scope; each holds its body. Further ones never come.
    private static let countMax = 1_024

    private struct State {
        var twins: [ObjectPath: [Latecomer]] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    func add(_ twin: Latecomer, behind path: ObjectPath) {
        change { state in
            guard state.count < Self.countMax else { return twin.drop() }
            state.twins[path, default: []].append(twin)
            state.count += 1
        }
    }

    /// Those that a commit of the key has waited for; none with one load if there are none at all.
    func take(_ path: ObjectPath) -> [Latecomer] {
        guard count.load(ordering: .acquiring) > 0 else { return [] }
        return change { state in
            let twins = state.twins.removeValue(forKey: path) ?? []
            state.count -= twins.count
            return twins
        }
    }

    func clear() {
        change { state in
            for twin in state.twins.values.joined() { twin.drop() }
            state = State()
        }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            defer { count.store(state.count, ordering: .releasing) }
            return body(&state)
        }
    }
}
