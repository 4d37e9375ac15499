import Glibc

/// Lets a thread sleep until a time has passed or somebody rings; POSIX's semaphore.
final class Alarm: Sendable {
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Wakes the sleeper, or the next one to sleep.
    func ring() { sem_post(semaphore) }

    /// Returns early now and then; whoever waits looks for himself.
    func wait(seconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        sem_timedwait(semaphore, &end)
    }
}
