import Glibc
import Synchronization

/// A thread that runs one function to its end.
final class BackgroundThread: Sendable {
    private let thread: Mutex<pthread_t?>

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Throws `unusable` if the machine gives no thread.
    init(in directory: String, _ body: @escaping @Sendable () -> Void) throws(StoreError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw .unusable(path: directory, reason: "no thread could be started: \(String(cString: strerror(result)))")
        }
        self.thread = Mutex(thread)
    }

    /// Waits for the end of the function.
    func join() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        pthread_join(thread, nil)
    }
}
