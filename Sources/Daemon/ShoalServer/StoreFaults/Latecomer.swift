import Synchronization

/// A commit that a rule has put off until its connection is gone and its time has come, whichever is later.
final class Latecomer: Sendable {
    /// Nil for one that comes behind the next commit of its key.
    let wait: Duration?
    private let commit: @Sendable () -> Void
    private let forget: @Sendable () -> Void

    private struct State {
        /// Says that its commit is under way; set once the exchange is no longer its connection's.
        var begin: (@Sendable () -> Void)?
        var isDue = false
        var isOver = false
    }

    private let state = Mutex(State())

    /// `forget` is called instead of `commit` once it has begun and is not to come any more.
    init(wait: Duration?, commit: @escaping @Sendable () -> Void, forget: @escaping @Sendable () -> Void) {
        self.wait = wait
        self.commit = commit
        self.forget = forget
    }

    /// Its connection is gone.
    func leave(in world: World, begin: @escaping @Sendable () -> Void) {
        if let wait {
            guard !state.withLock({ $0.isOver }) else { return forget() }
            return world.laterWork.run(after: wait, for: world, cancel: forget, commit)
        }
        let isDue = state.withLock { state in
            state.begin = begin
            return state.isDue && !state.isOver
        }
        if isDue { go(in: world, begin) }
    }

    /// The commit that it comes behind was made.
    func come(in world: World) {
        let begin = state.withLock { state in
            state.isDue = true
            return state.isOver ? nil : state.begin
        }
        if let begin { go(in: world, begin) }
    }

    /// It is not to come any more.
    func drop() { state.withLock { $0.isOver = true } }

    private func go(in world: World, _ begin: @Sendable () -> Void) {
        begin()
        world.laterWork.run(after: .zero, for: world, cancel: forget, commit)
    }
}
