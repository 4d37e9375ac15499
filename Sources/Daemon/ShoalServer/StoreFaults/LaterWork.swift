import ShoalLog
import ShoalNet
import Synchronization

/// What rules do after an exchange is over: late twins and late repetitions. One thread, begun with the first of it.
final class LaterWork: Sendable {
    private struct Item {
        /// Of the monotonic clock, in nanoseconds.
        let due: UInt64
        let number: UInt64
        let owner: ObjectIdentifier
        let work: @Sendable () -> Void
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var items: [Item] = []
        var lastNumber: UInt64 = 0
        var isStopping = false
        var thread: Thread?
    }

    /// Further ones are cancelled at once.
    private static let itemCountMax = 10_000

    private let state = Mutex(State())
    private let alarm = Semaphore()

    /// Waits of an item that is never due; the alarm ends it earlier.
    private static let restNanoseconds: UInt64 = 3_600_000_000_000

    /// Does `work` after a time, or `cancel` if it is cancelled before that; neither if the server stops.
    func run(
        after wait: Duration, for owner: AnyObject, cancel: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () -> Void
    ) {
        let now = SystemClock.monotonicNanoseconds()
        let isRefused = state.withLock { state in
            guard !state.isStopping, state.items.count < Self.itemCountMax else { return true }
            state.lastNumber += 1
            state.items.append(
                Item(
                    due: now + UInt64(max(0, wait / .nanoseconds(1))), number: state.lastNumber,
                    owner: ObjectIdentifier(owner), work: work, cancel: cancel))
            state.items.sort { ($0.due, $0.number) < ($1.due, $1.number) }
            if state.thread == nil { state.thread = Thread(name: "shoal-later") { self.loop() } }
            return false
        }
        if isRefused { cancel() } else { alarm.signal() }
    }

    /// Forgets what is due for the owner.
    func cancelAll(for owner: AnyObject) {
        let cancelled = state.withLock { state in
            defer { state.items.removeAll { $0.owner == ObjectIdentifier(owner) } }
            return state.items.filter { $0.owner == ObjectIdentifier(owner) }
        }
        for item in cancelled { item.cancel() }
    }

    /// Ends the thread, and forgets what is due.
    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            state.items = []
            return state.thread.take()
        }
        alarm.signal()
        thread?.join()
    }

    private func loop() {
        while true {
            let (item, wake, isStopping) = state.withLock { state in
                let now = SystemClock.monotonicNanoseconds()
                let due = state.items.first?.due ?? now + Self.restNanoseconds
                return (due <= now ? state.items.removeFirst() : nil, due, state.isStopping)
            }
            if isStopping { return }
            if let item { item.work() } else { alarm.wait(until: wake) }
        }
    }
}
