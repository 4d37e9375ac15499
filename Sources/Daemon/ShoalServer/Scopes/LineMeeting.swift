import ShoalFaults
import Synchronization

/// Whether the rules of a scope want to see request lines, counted among all scopes: without any, a request costs one load.
final class LineMeeting: Sendable {
    private let isCounted = Mutex(false)

    /// Brings the count in line with the rules.
    func follow(_ plan: FaultPlan, counting count: borrowing Atomic<Int>) {
        isCounted.withLock { isCounted in
            let isDue = plan.meetsRequestLines
            guard isDue != isCounted else { return }
            count.add(isDue ? 1 : -1, ordering: .acquiringAndReleasing)
            isCounted = isDue
        }
    }
}
