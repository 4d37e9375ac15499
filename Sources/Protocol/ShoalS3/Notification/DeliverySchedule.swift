/// Which messages of one destination may be tried at a moment: in the order of commits, and those of one subject never
/// past each other.
///
/// A message that its receiver refuses makes the later ones of its subject wait, and no others; a receiver that cannot be
/// reached makes all of them wait. Each wait is twice the one before, up to a bound. Times are milliseconds of a clock that
/// only goes forwards.
package struct DeliverySchedule<Position: Comparable & Sendable>: Sendable {
    /// The wait after a first failure, and the longest; milliseconds.
    package static var waitMin: UInt64 { 100 }
    package static var waitMax: UInt64 { 20_000 }
    /// Subjects that wait at most; beyond that nothing new is tried.
    package static var waitingCountMax: Int { 1_000 }

    /// Everything up to here was settled, or is of a subject that waits; nil before the first message.
    package private(set) var scanned: Position?
    private var waiting: [[UInt8]: Waiting] = [:]
    /// Attempts in a row that no answer came to.
    private var silenceCount = 0
    private var pausedUntil: UInt64 = 0

    private struct Waiting {
        /// Of the first message that is not settled.
        let position: Position
        var failureCount: Int
        var until: UInt64
    }

    package init() {}

    /// The wait after so many failures, from 1.
    package static func wait(afterFailures count: Int) -> UInt64 {
        // Past 2^16 times the least wait the bound holds in any case.
        min(waitMin << UInt64(max(0, min(count - 1, 16))), waitMax)
    }
}

// MARK: - What may be tried

extension DeliverySchedule {
    /// Whether nothing at all may be tried.
    package func isPaused(at now: UInt64) -> Bool { now < pausedUntil }

    /// Whether messages behind `scanned` may be tried.
    package var hasRoom: Bool { waiting.count < Self.waitingCountMax }

    /// Whether a message behind `scanned` has to wait for an earlier one.
    package func isWaiting(_ subject: [UInt8]) -> Bool { waiting[subject] != nil }

    /// The first message whose wait is over; nil if there is none.
    package func due(at now: UInt64) -> (subject: [UInt8], position: Position)? {
        waiting.filter { $0.value.until <= now }.min { $0.value.position < $1.value.position }
            .map { ($0.key, $0.value.position) }
    }

    /// How long nothing will be due unless something new comes; nil for as long as that takes.
    package func rest(at now: UInt64) -> UInt64? {
        let next = waiting.values.map(\.until).min()
        if isPaused(at: now) { return pausedUntil - now }
        return next.map { $0 > now ? $0 - now : 0 }
    }
}

// MARK: - What became of it

extension DeliverySchedule {
    /// A message behind `scanned` has to wait for an earlier one.
    package mutating func pass(_ position: Position) { scanned = position }

    /// The message was delivered.
    package mutating func deliver(_ position: Position, of subject: [UInt8]) {
        silenceCount = 0
        settle(position, of: subject)
    }

    /// Nothing has to become of the message any more.
    package mutating func settle(_ position: Position, of subject: [UInt8]) {
        guard let wait = waiting.removeValue(forKey: subject) else {
            scanned = position
            return
        }
        // The later ones of the subject lie behind it.
        if let scanned, scanned > wait.position { self.scanned = wait.position }
    }

    /// The receiver answered that it does not take the message; how often it did by now.
    @discardableResult
    package mutating func refuse(_ position: Position, of subject: [UInt8], at now: UInt64) -> Int {
        silenceCount = 0
        return postpone(position, of: subject, at: now)
    }

    /// The receiver broke off or stayed silent, which it may do to this message only or to all.
    @discardableResult
    package mutating func lose(_ position: Position, of subject: [UInt8], at now: UInt64) -> Int {
        pause(at: now)
        return postpone(position, of: subject, at: now)
    }

    /// There was nobody to send to; how often in a row by now.
    @discardableResult
    package mutating func pause(at now: UInt64) -> Int {
        silenceCount += 1
        pausedUntil = now + Self.wait(afterFailures: silenceCount)
        return silenceCount
    }

    private mutating func postpone(_ position: Position, of subject: [UInt8], at now: UInt64) -> Int {
        let isNew = waiting[subject] == nil
        var wait = waiting[subject] ?? Waiting(position: position, failureCount: 0, until: now)
        wait.failureCount += 1
        wait.until = now + Self.wait(afterFailures: wait.failureCount)
        waiting[subject] = wait
        if isNew { scanned = position }
        return wait.failureCount
    }
}
