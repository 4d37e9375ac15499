/// Deadlines of connections, earliest first. An entry may be out of date: whoever gets it looks at the connection's own
/// deadline, so that moving a deadline later, as each exchange does, costs nothing here.
struct TimerQueue {
    private struct Entry {
        let deadline: UInt64
        let connection: UInt64
    }

    /// A binary heap.
    private var entries: [Entry] = []

    var earliest: UInt64? { entries.first?.deadline }

    mutating func add(_ connection: UInt64, at deadline: UInt64) {
        entries.append(Entry(deadline: deadline, connection: connection))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].deadline < entries[parent].deadline else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The next connection whose entry is due at `now`.
    mutating func popDue(_ now: UInt64) -> UInt64? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.connection }
        entries[0] = last
        var parent = 0
        while true {
            var child = parent * 2 + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].deadline < entries[child].deadline { child += 1 }
            guard entries[child].deadline < entries[parent].deadline else { break }
            entries.swapAt(child, parent)
            parent = child
        }
        return first.connection
    }
}
