import Glibc
import Synchronization

/// A few threads for what may wait on the disk, so that event loops never do.
package final class WorkerPool: Sendable {
    private let queue = Queue()
    private let threads = Mutex<[Thread]>([])

    package init(name: String, threadCount: Int) {
        threads.withLock { threads in
            threads = (0..<threadCount).map { [queue] number in
                Thread(name: "\(name)-\(number)") { while let work = queue.next() { work() } }
            }
        }
    }

    /// Runs `work` on one of the threads, in the order of the calls as far as threads are free.
    package func run(_ work: @escaping @Sendable () -> Void) { queue.add(work) }

    /// Finishes what was asked for and ends the threads.
    package func stop() {
        queue.close()
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
    }

    /// Work that waits for a thread. Its length is bounded by the number of connections: each has one request in flight.
    ///
    /// `@unchecked Sendable`: every field is touched under `lock` only.
    private final class Queue: @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let stirred = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var work: [@Sendable () -> Void] = []
        private var start = 0
        private var isClosed = false

        init() {
            pthread_mutex_init(lock, nil)
            pthread_cond_init(stirred, nil)
        }

        deinit {
            pthread_cond_destroy(stirred)
            pthread_mutex_destroy(lock)
            stirred.deallocate()
            lock.deallocate()
        }

        func add(_ item: @escaping @Sendable () -> Void) {
            pthread_mutex_lock(lock)
            work.append(item)
            pthread_cond_signal(stirred)
            pthread_mutex_unlock(lock)
        }

        func close() {
            pthread_mutex_lock(lock)
            isClosed = true
            pthread_cond_broadcast(stirred)
            pthread_mutex_unlock(lock)
        }

        /// Waits for work; nil once the queue is closed and empty.
        func next() -> (@Sendable () -> Void)? {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            while start == work.count {
                if isClosed { return nil }
                pthread_cond_wait(stirred, lock)
            }
            let item = work[start]
            start += 1
            if start == work.count {
                work.removeAll(keepingCapacity: true)
                start = 0
            }
            return item
        }
    }
}
