import ShoalS3
import Synchronization

/// The time a scope lives in: the real time, shifted or standing still.
///
/// Expiry, skew and the `Date` header all follow it, because clients correct their clocks from that header.
package final class ScopeClock: Sendable {
    /// A change of the clock.
    package enum Change: Equatable, Sendable {
        /// Runs so many milliseconds ahead of the real time, or behind it if negative; a standing clock runs again.
        case offset(Int64)
        /// Shows this instant now, and goes on as before: running or standing.
        case now(Timestamp)
        /// Stands still: at the instant, or where it is if nil.
        case freeze(at: Timestamp?)
        /// Runs again from where it stands.
        case thaw
        /// Jumps so many milliseconds; back if negative.
        case advance(Int64)
    }

    package struct Reading: Equatable, Sendable {
        package let now: Timestamp
        package let real: Timestamp
        /// `now - real` in milliseconds.
        package let offset: Int64
        package let isFrozen: Bool
    }

    private static let running = Int64.min

    /// Where the clock stands, in milliseconds since 1970; `running` if it does not.
    private let frozen = Atomic<Int64>(running)
    private let offset = Atomic<Int64>(0)
    /// Held by whoever changes the clock; readers need no lock.
    private let changes = Mutex(())

    package init() {}

    /// The scope's time when the real one is `real`: two atomic loads.
    package func now(real: Timestamp) -> Timestamp {
        let frozen = frozen.load(ordering: .acquiring)
        guard frozen == Self.running else { return Timestamp(milliseconds: frozen) }
        return Timestamp(milliseconds: real.milliseconds &+ offset.load(ordering: .acquiring))
    }

    package func reading(real: Timestamp) -> Reading {
        let now = now(real: real)
        return Reading(
            now: now, real: real, offset: now.milliseconds - real.milliseconds,
            isFrozen: frozen.load(ordering: .acquiring) != Self.running)
    }

    /// Results outside the years 1970 to 9999 are cut to those bounds, beyond which no date of HTTP can be written.
    package func apply(_ change: Change, real: Timestamp) {
        changes.withLock { _ in
            let now = now(real: real).milliseconds
            let isFrozen = frozen.load(ordering: .relaxed) != Self.running
            switch change {
            case .offset(let shift): run(from: real.milliseconds + shift, real)
            case .now(let instant):
                if isFrozen { stand(at: instant.milliseconds) } else { run(from: instant.milliseconds, real) }
            case .freeze(let instant): stand(at: instant?.milliseconds ?? now)
            case .thaw: if isFrozen { run(from: now, real) }
            case .advance(let shift): if isFrozen { stand(at: now + shift) } else { run(from: now + shift, real) }
            }
        }
    }

    /// Back to the real time.
    package func reset() { apply(.offset(0), real: Timestamp(milliseconds: 0)) }

    // MARK: Under the lock

    private static let instants: ClosedRange<Int64> = 0...253_402_300_799_999

    private func run(from instant: Int64, _ real: Timestamp) {
        let instant = min(max(instant, Self.instants.lowerBound), Self.instants.upperBound)
        // The offset first: a reader that still sees the clock standing is merely early.
        offset.store(instant - real.milliseconds, ordering: .releasing)
        frozen.store(Self.running, ordering: .releasing)
    }

    private func stand(at instant: Int64) {
        frozen.store(min(max(instant, Self.instants.lowerBound), Self.instants.upperBound), ordering: .releasing)
    }
}
