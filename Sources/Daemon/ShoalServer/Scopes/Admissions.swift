import ShoalNet
import Synchronization

/// The open connections of one listener, and those that wait for one of them to end.
final class Admissions: Sendable {
    private struct Waiting {
        let connection: UInt64
        let limit: Int
        let admit: @Sendable () -> Void
    }

    private struct State {
        var openCount = 0
        /// Open, but not counted: above a limit when they came.
        var turnedAway: Set<UInt64> = []
        /// In order of arrival.
        var waiting: [Waiting] = []
    }

    private let state = Mutex(State())

    /// A connection has come: how many are open with it.
    func arrive() -> Int {
        state.withLock { state in
            state.openCount += 1
            return state.openCount
        }
    }

    /// It is above a limit and counts no longer.
    func turnAway(_ connection: UInt64) { state.withLock { Self.turnAway(connection, &$0) } }

    /// Calls `admit`, on any thread, once fewer than `limit` are open and nobody came before.
    func wait(_ connection: UInt64, limit: Int, admit: @escaping @Sendable () -> Void) {
        let admitted = state.withLock { state in
            Self.turnAway(connection, &state)
            state.waiting.append(Waiting(connection: connection, limit: limit, admit: admit))
            return Self.admissible(&state)
        }
        for waiting in admitted { waiting.admit() }
    }

    /// A connection is gone, whether it waited or not.
    func end(_ connection: UInt64) {
        let admitted = state.withLock { state in
            if state.turnedAway.remove(connection) == nil {
                state.openCount -= 1
            } else {
                state.waiting.removeAll { $0.connection == connection }
            }
            return Self.admissible(&state)
        }
        for waiting in admitted { waiting.admit() }
    }

    /// No rule limits them any more.
    func admitAll() {
        let admitted = state.withLock { state in
            defer { state.waiting = [] }
            for waiting in state.waiting { Self.admit(waiting, &state) }
            return state.waiting
        }
        for waiting in admitted { waiting.admit() }
    }

    private static func turnAway(_ connection: UInt64, _ state: inout State) {
        if state.turnedAway.insert(connection).inserted { state.openCount -= 1 }
    }

    private static func admit(_ waiting: Waiting, _ state: inout State) {
        state.turnedAway.remove(waiting.connection)
        state.openCount += 1
    }

    /// Takes out of the queue, from its front, who may go on.
    private static func admissible(_ state: inout State) -> [Waiting] {
        var admitted: [Waiting] = []
        while let next = state.waiting.first, state.openCount < next.limit {
            state.waiting.removeFirst()
            admit(next, &state)
            admitted.append(next)
        }
        return admitted
    }
}
