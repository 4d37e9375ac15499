import CShoalSystem
import Glibc
import Synchronization

/// A POSIX thread with a name and a small stack.
package final class Thread: Sendable {
    private let id: Mutex<pthread_t?>

    /// Stack of each thread. Loops and workers keep their buffers on the heap.
    private static let stackByteCount = 512 * 1024

    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stackByteCount)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                // Linux keeps 15 bytes of a name.
                shoal_name_thread(String(start.name.prefix(15)))
                start.body()
                return nil
            }, start.toOpaque())
        pthread_attr_destroy(&attributes)
        precondition(code == 0, "the system refuses another thread: \(String(cString: strerror(code)))")
        id = Mutex(thread)
    }

    /// Waits for the thread's end; a second call returns at once.
    package func join() {
        guard let thread = id.withLock({ $0.take() }) else { return }
        pthread_join(thread, nil)
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
