import Synchronization

/// The named gates of one scope, at which `pause` makes exchanges wait.
///
/// A release lets go all that wait now; whoever comes later waits for the next release, so that a gate can be used again
/// and again by the same test.
package final class Gates: Sendable {
    /// Stands for one who waits.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
        package let gate: String
    }

    private struct State {
        var lastNumber: UInt64 = 0
        /// In order of arrival. Bounded by the connections there are: each waits at one gate at most.
        var waiting: [String: [(ticket: Ticket, resume: @Sendable () -> Void)]] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Calls `resume` once, on the thread that releases the gate, unless the ticket is cancelled before; on this one if
    /// the gates are open for good.
    package func wait(_ gate: String, resume: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, isOver) = state.withLock { state in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber, gate: gate)
            if !state.isOver { state.waiting[gate, default: []].append((ticket, resume)) }
            return (ticket, state.isOver)
        }
        if isOver { resume() }
        return ticket
    }

    /// Lets go everybody, and whoever comes later: the scope has ended.
    package func openForGood() {
        state.withLock { $0.isOver = true }
        releaseAll()
    }

    /// Gives up waiting, because the connection is gone; false if the gate was released already.
    @discardableResult
    package func cancel(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard let index = state.waiting[ticket.gate]?.firstIndex(where: { $0.ticket == ticket }) else {
                return false
            }
            state.waiting[ticket.gate]?.remove(at: index)
            if state.waiting[ticket.gate]?.isEmpty == true { state.waiting[ticket.gate] = nil }
            return true
        }
    }

    /// Lets go all that wait at the gate, in order of arrival; how many that were.
    @discardableResult
    package func release(_ gate: String) -> Int {
        let released = state.withLock { $0.waiting.removeValue(forKey: gate) } ?? []
        for (_, resume) in released { resume() }
        return released.count
    }

    /// Lets go everybody, when the scope is reset.
    package func releaseAll() {
        let released = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values.flatMap { $0 }.sorted { $0.ticket.number < $1.ticket.number }
        }
        for (_, resume) in released { resume() }
    }

    /// The gates at which somebody waits, by name, with how many.
    package var waiting: [(gate: String, count: Int)] {
        state.withLock { state in state.waiting.map { ($0.key, $0.value.count) } }.sorted { $0.gate < $1.gate }
    }
}
