import Synchronization

/// A clock that a test moves.
final class TestClock: Sendable {
    private let nanoseconds = Atomic<UInt64>(1_000_000_000)

    var now: UInt64 { nanoseconds.load(ordering: .acquiring) }

    func advance(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let step = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        nanoseconds.add(step, ordering: .acquiringAndReleasing)
    }
}
