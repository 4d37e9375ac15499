/// The events in memory, oldest first, within two bounds.
struct JournalRing {
    /// Events that were appended together: one exchange's share, or a single one.
    struct Entry: Sendable {
        /// Of the first event; the others follow without a gap.
        let firstSeq: UInt64
        /// When it was appended, on both clocks.
        let wall: Int64
        let mono: UInt64
        let scope: JournalScope
        let exchange: ExchangeNumber?
        let events: [JournalEvent.Stamped]

        var lastSeq: UInt64 { firstSeq + UInt64(events.count) - 1 }

        /// The events behind `seq`.
        func events(after seq: UInt64) -> some Sequence<JournalEvent> {
            events.indices.lazy.filter { firstSeq + UInt64($0) > seq }.map(event(at:))
        }

        private func event(at index: Int) -> JournalEvent {
            let stamped = events[index]
            // Times are taken on the monotonic clock only; the wall clock is read once for all of them.
            let age = mono > stamped.mono ? (mono - stamped.mono) / 1_000_000 : 0
            return JournalEvent(
                seq: firstSeq + UInt64(index), wall: wall - Int64(clamping: age), mono: stamped.mono, scope: scope,
                exchange: exchange, kind: stamped.kind)
        }

        /// Memory it takes, roughly: its place, its events and the text they hold.
        var byteCount: Int {
            MemoryLayout<Entry>.stride + 32
                + events.reduce(exchange?.operation?.label.count ?? 0) {
                    $0 + MemoryLayout<JournalEvent.Stamped>.stride + $1.kind.textByteCount
                }
        }
    }

    let bounds: Journal.Bounds
    /// A circle that grows by doubling until a bound holds it.
    private var slots: [Entry?] = []
    private var head = 0
    private(set) var entryCount = 0
    private(set) var eventCount = 0
    private(set) var byteCount = 0
    /// Of the last event that was dropped for want of room; 0 if none was.
    private(set) var droppedThrough: UInt64 = 0

    init(bounds: Journal.Bounds) { self.bounds = bounds }

    /// The entry at `index`, counted from the oldest.
    subscript(index: Int) -> Entry {
        guard let entry = slots[(head + index) & (slots.count - 1)] else {
            preconditionFailure("the ring has no such entry")
        }
        return entry
    }

    mutating func append(_ entry: Entry) {
        if entryCount == slots.count { grow() }
        slots[(head + entryCount) & (slots.count - 1)] = entry
        entryCount += 1
        eventCount += entry.events.count
        byteCount += entry.byteCount
        // The newest entry always stays, however large it is.
        while entryCount > 1 && (eventCount > bounds.eventCountMax || byteCount > bounds.byteCountMax) { dropOldest() }
    }

    private mutating func grow() {
        var larger = [Entry?](repeating: nil, count: max(64, slots.count * 2))
        for index in 0..<entryCount { larger[index] = self[index] }
        slots = larger
        head = 0
    }

    private mutating func dropOldest() {
        let entry = self[0]
        slots[head] = nil
        head = (head + 1) & (slots.count - 1)
        entryCount -= 1
        eventCount -= entry.events.count
        byteCount -= entry.byteCount
        droppedThrough = entry.lastSeq
        entry.scope.droppedThrough.store(entry.lastSeq, ordering: .relaxed)
    }

    /// The index of the oldest entry that holds an event behind `seq`; `entryCount` if none does.
    func firstIndex(after seq: UInt64) -> Int {
        var (low, high) = (0, entryCount)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].lastSeq > seq { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
