import ShoalNet
import Synchronization

/// A thread that finds out why requests are refused, apart from the disk's threads: a client in a loop of refusals must
/// hold up nobody's listing.
final class Explanations: Sendable {
    /// Refusals that wait for their reason; further ones go without.
    static let waitingCountMax = 32

    private let pool = WorkerPool(name: "shoal-explain", threadCount: 1)
    private let waiting = Atomic(0)

    /// Calls `work` on the thread; false if too many wait already.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.waitingCountMax else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        pool.run { [self] in
            work()
            waiting.wrappingSubtract(1, ordering: .relaxed)
        }
        return true
    }

    func stop() { pool.stop() }
}
