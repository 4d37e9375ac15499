import CShoalSystem
import Glibc

/// Lets one thread wait for another; POSIX's.
final class Semaphore: Sendable {
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

    /// Waits until that instant of the monotonic clock at most.
    func wait(until nanoseconds: UInt64) {
        while shoal_wait_until(semaphore, nanoseconds) != 0 && errno == EINTR {}
    }
}
