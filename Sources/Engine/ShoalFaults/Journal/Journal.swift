import ShoalLog
import Synchronization

/// What happened, in order, for the tests that ask afterwards: bounded in memory, and in a file where one is wanted.
///
/// Appending stores values under one lock and renders nothing; lines are written when somebody reads them and by the
/// thread that writes the file.
package final class Journal: Sendable {
    package struct Bounds: Sendable {
        package var eventCountMax = 65_536
        package var byteCountMax = 32 * 1_048_576
        /// Of one file; the next batch of lines begins a new one.
        package var fileByteCountMax = 16 * 1_048_576
        /// Files kept beside the one being written.
        package var rotatedFileCountMax = 3

        package init() {}
    }

    /// Where times come from; both are read once for each append.
    package struct Clock: Sendable {
        package let wallMilliseconds: @Sendable () -> Int64
        package let monotonicNanoseconds: @Sendable () -> UInt64

        package init(
            wallMilliseconds: @escaping @Sendable () -> Int64, monotonicNanoseconds: @escaping @Sendable () -> UInt64
        ) {
            self.wallMilliseconds = wallMilliseconds
            self.monotonicNanoseconds = monotonicNanoseconds
        }

        package static let system = Clock(
            wallMilliseconds: SystemClock.wallMilliseconds, monotonicNanoseconds: SystemClock.monotonicNanoseconds)
    }

    /// Who waits for the next event.
    package struct Waiter: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct State {
        var ring: JournalRing
        var lastSeq: UInt64
        var writtenThrough: UInt64
        /// The writer has been told and has not looked yet.
        var isWriterTold = false
        var waiters: [Waiter: (scope: JournalScope?, resume: @Sendable () -> Void)] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state: Mutex<State>
    private let clock: Clock
    private let writer: JournalWriter?

    /// A journal in memory only.
    package init(bounds: Bounds = Bounds(), clock: Clock = .system) {
        self.clock = clock
        writer = nil
        state = Mutex(State(ring: JournalRing(bounds: bounds), lastSeq: 0, writtenThrough: 0))
    }

    /// A journal that is also written to `path`, where it goes on behind the numbers that are there. A thread does the
    /// writing until `close()`, which must be called.
    package init(
        path: String, bounds: Bounds = Bounds(), clock: Clock = .system, log: Log = Log()
    ) throws(JournalFile.Failure) {
        let file = try JournalFile(
            path: path, byteCountMax: bounds.fileByteCountMax, rotatedCountMax: bounds.rotatedFileCountMax)
        let last = file.lastSeq
        self.clock = clock
        writer = try JournalWriter(file, log: log)
        state = Mutex(State(ring: JournalRing(bounds: bounds), lastSeq: last, writtenThrough: last))
        writer?.start(journal: self)
    }

    /// Of the newest event; 0 before the first.
    package var lastSeq: UInt64 { state.withLock { $0.lastSeq } }
}

// MARK: - Appending

extension Journal {
    /// Appends one event that happens now. The result is its number.
    @discardableResult
    package func append(
        _ kind: JournalEvent.Kind, in scope: JournalScope, exchange: ExchangeNumber? = nil
    ) -> UInt64 {
        let mono = clock.monotonicNanoseconds()
        return append([JournalEvent.Stamped(mono: mono, kind: kind)], in: scope, exchange, mono)
    }

    /// Appends what the exchange has recorded since it was last published.
    package func publish(_ trace: inout ExchangeTrace) {
        guard !trace.pending.isEmpty else { return }
        append(trace.pending, in: trace.scope, trace.number, clock.monotonicNanoseconds())
        trace.pending = []
    }

    @discardableResult
    private func append(
        _ events: [JournalEvent.Stamped], in scope: JournalScope, _ exchange: ExchangeNumber?, _ mono: UInt64
    ) -> UInt64 {
        let wall = clock.wallMilliseconds()
        let (last, tellsWriter, waiters) = state.withLock { state in
            state.ring.append(
                JournalRing.Entry(
                    firstSeq: state.lastSeq + 1, wall: wall, mono: mono, scope: scope, exchange: exchange,
                    events: events))
            state.lastSeq += UInt64(events.count)
            let tellsWriter = writer != nil && !state.isWriterTold
            if tellsWriter { state.isWriterTold = true }
            return (state.lastSeq, tellsWriter, state.waiters.isEmpty ? [] : Self.takeWaiters(for: scope, from: &state))
        }
        if tellsWriter { writer?.tell() }
        for resume in waiters { resume() }
        return last
    }

    private static func takeWaiters(for scope: JournalScope, from state: inout State) -> [@Sendable () -> Void] {
        let ready = state.waiters.filter { $0.value.scope == nil || $0.value.scope === scope }
        for waiter in ready.keys { state.waiters[waiter] = nil }
        return ready.values.map(\.resume)
    }
}

// MARK: - Reading

extension Journal {
    package struct Page: Sendable {
        package let events: [JournalEvent]
        /// What to ask with as `since` next; nothing before it is new any more.
        package let next: UInt64
        /// False if events behind `since` were dropped for want of room, so that a verdict over them proves nothing.
        package let isComplete: Bool
    }

    /// Entries looked at under one lock, so that a long search does not hold up requests.
    private static let entriesPerLock = 2_048

    /// Up to `limit` events behind `since`, of one scope or (nil) of all.
    package func read(scope: JournalScope?, since: UInt64, limit: Int) -> Page {
        var events: [JournalEvent] = []
        var next = max(since, scope?.hiddenThrough.load(ordering: .acquiring) ?? 0)
        let start = next
        while events.count < limit {
            let (entries, end) = slice(scope, after: next)
            for entry in entries {
                events += entry.events(after: next).prefix(limit - events.count)
                if events.count == limit { break }
            }
            next = events.count == limit ? events.last?.seq ?? next : end.seq
            if end.isNewest { break }
        }
        let dropped = scope?.droppedThrough.load(ordering: .acquiring) ?? state.withLock { $0.ring.droppedThrough }
        return Page(events: events, next: next, isComplete: start >= dropped)
    }

    /// The next entries of the scope, the last event looked at, and whether that was the newest there is.
    private func slice(
        _ scope: JournalScope?, after seq: UInt64
    ) -> (entries: [JournalRing.Entry], end: (seq: UInt64, isNewest: Bool)) {
        state.withLock { state in
            let first = state.ring.firstIndex(after: seq)
            let end = min(first + Self.entriesPerLock, state.ring.entryCount)
            var entries: [JournalRing.Entry] = []
            for index in first..<end {
                let entry = state.ring[index]
                if scope == nil || entry.scope === scope { entries.append(entry) }
            }
            let isNewest = end == state.ring.entryCount
            let last = isNewest ? max(seq, state.lastSeq) : state.ring[end - 1].lastSeq
            return (entries, (last, isNewest))
        }
    }

    /// Calls `resume` once, on the thread that appends, as soon as there is an event behind `since`; at once, on the
    /// caller's thread, if there is one already. Whoever follows the journal reads, and waits again from `next`.
    package func whenAppended(
        since: UInt64, scope: JournalScope?, resume: @escaping @Sendable () -> Void
    ) -> Waiter? {
        let waiter: Waiter? = state.withLock { state in
            let first = state.ring.firstIndex(after: since)
            let isThere = (first..<state.ring.entryCount).contains { scope == nil || state.ring[$0].scope === scope }
            guard !isThere else { return nil }
            state.lastWaiter += 1
            let waiter = Waiter(number: state.lastWaiter)
            state.waiters[waiter] = (scope, resume)
            return waiter
        }
        if waiter == nil { resume() }
        return waiter
    }

    package func cancel(_ waiter: Waiter) { state.withLock { $0.waiters[waiter] = nil } }

    /// Hides what the scope has done so far; numbers go on.
    package func reset(_ scope: JournalScope) {
        let last = lastSeq
        scope.hiddenThrough.store(last, ordering: .releasing)
        scope.forgetAttempts()
    }
}

// MARK: - The file

extension Journal {
    /// Returns when every event appended so far is written to the file, or could not be.
    package func flush() { writer?.drain(from: self) }

    /// Writes what is left, stops the thread and closes the file.
    package func close() { writer?.stop(journal: self) }

    /// Gives every entry to `end`, once all of them are in the file, and lets nobody append any more. If the file cannot
    /// be written, its lines are given up after a while.
    func holdForGood(_ end: ([JournalRing.Entry]) -> Never) -> Never {
        for _ in 0..<Self.flushCountMax {
            flush()
            state.withLock { state in
                guard state.writtenThrough == state.lastSeq || writer == nil else { return }
                end((0..<state.ring.entryCount).map { state.ring[$0] })
            }
        }
        state.withLock { state in end((0..<state.ring.entryCount).map { state.ring[$0] }) }
    }

    private static let flushCountMax = 1_000

    /// Puts in an event of an earlier process, which is in the file already.
    func takeUp(_ event: JournalEvent) {
        state.withLock { state in
            state.ring.append(
                JournalRing.Entry(
                    firstSeq: event.seq, wall: event.wall, mono: event.mono, scope: event.scope,
                    exchange: event.exchange, events: [JournalEvent.Stamped(mono: event.mono, kind: event.kind)]))
            state.lastSeq = max(state.lastSeq, event.seq)
            state.writtenThrough = state.lastSeq
        }
    }

    /// Entries for the file, oldest first, and how many events were dropped before they could be written.
    func takeUnwritten(_ countMax: Int) -> (entries: [JournalRing.Entry], lostCount: UInt64) {
        state.withLock { state in
            state.isWriterTold = false
            let first = state.ring.firstIndex(after: state.writtenThrough)
            let end = min(first + countMax, state.ring.entryCount)
            let entries = (first..<end).map { state.ring[$0] }
            guard let oldest = entries.first, let newest = entries.last else { return ([], 0) }
            let lost = oldest.firstSeq - state.writtenThrough - 1
            state.writtenThrough = newest.lastSeq
            return (entries, lost)
        }
    }
}
