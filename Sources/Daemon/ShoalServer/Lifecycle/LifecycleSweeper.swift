import ShoalAdminAPI
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalStore
import Synchronization

/// Makes the lifecycles of buckets come true: once a day of the scope's clock, and whenever the clock or a lifecycle
/// changes.
///
/// S3 looks once a day too, at a time of its own; rules act at midnights of UTC.
final class LifecycleSweeper: Sendable {
    /// A world as lifecycles see it.
    struct Scope: Sendable {
        let name: String
        let store: any ObjectStore
        let clock: @Sendable () -> Timestamp
    }

    private struct State {
        /// Days since 1970 at the last look, by scope; none if a lifecycle was put since.
        var days: [String: Int64] = [:]
    }

    private let scopes: @Sendable () -> [Scope]
    private let announcer: @Sendable (BucketRecord, Timestamp) -> Announcer?
    private let log: Log
    private let state = Mutex(State())
    /// One look at a time.
    private let sweeping = Mutex(())
    private let isStopping = Atomic(false)
    /// Those who want the store for themselves; a look that is under way ends for them.
    private let othersWaiting = Atomic(0)
    private let alarm: WakeUp
    private let thread = Mutex<Thread?>(nil)

    /// Milliseconds between two looks at the clock.
    private static let interval: Int32 = 20_000
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// `announcer` tells who hears of what rules do in a bucket.
    init(
        in directory: String, log: Log, scopes: @escaping @Sendable () -> [Scope],
        announcer: @escaping @Sendable (BucketRecord, Timestamp) -> Announcer?
    ) throws(StoreError) {
        alarm = try WakeUp(in: directory)
        self.announcer = announcer
        self.scopes = scopes
        self.log = log
    }

    func start() {
        thread.withLock { thread in
            thread = Thread(name: "shoal-lifecycle") { [self] in
                while !isStopping.load(ordering: .acquiring) {
                    for scope in scopes() { sweepIfDue(scope) }
                    alarm.wait(milliseconds: Self.interval)
                }
            }
        }
    }

    /// Ends a walk between two pages, and the thread.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        alarm.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// Somebody put a lifecycle: it counts from now on.
    func noteChange(in scope: String) {
        state.withLock { $0.days[scope] = nil }
        alarm.signal()
    }

    /// Does something that no look may go on beside, such as emptying a scope; then that is looked at anew.
    func withoutSweeps<Value>(of scope: String, _ body: () throws -> Value) rethrows -> Value {
        othersWaiting.add(1, ordering: .sequentiallyConsistent)
        defer {
            othersWaiting.subtract(1, ordering: .sequentiallyConsistent)
            noteChange(in: scope)
        }
        return try sweeping.withLock { _ in try body() }
    }

    private func sweepIfDue(_ scope: Scope) {
        let day = scope.clock().milliseconds / Self.millisecondsPerDay
        guard state.withLock({ $0.days[scope.name] != day }), !isStopping.load(ordering: .acquiring) else { return }
        do {
            _ = try sweep(scope)
        } catch {
            log.error("a lifecycle could not do what is due", ["cause": "\(error)"])
        }
    }

    /// Does everything that is due now, in all buckets of the scope; what was done. Blocking, for as long as that takes.
    func sweep(_ scope: Scope) throws(StoreError) -> LifecycleRun {
        try sweeping.withLock { (_) throws(StoreError) in
            let now = scope.clock()
            state.withLock { $0.days[scope.name] = now.milliseconds / Self.millisecondsPerDay }
            var total = LifecycleRun()
            var failure: StoreError?
            for bucket in scope.store.buckets() {
                guard let lifecycle = lifecycle(of: bucket) else { continue }
                do throws(StoreError) {
                    try sweep(bucket, lifecycle, in: scope.store, at: now, adding: &total)
                } catch {
                    // The others need not wait, and this one is looked at again soon.
                    state.withLock { $0.days[scope.name] = nil }
                    failure = error
                }
            }
            if total != LifecycleRun() {
                log.info("lifecycles did what was due", ["what": total.text, "scope": scope.name])
            }
            if let failure { throw failure }
            return total
        }
    }

    private func lifecycle(of bucket: BucketRecord) -> StoredLifecycle? {
        do {
            return try BucketSettings(bucket).lifecycle
        } catch {
            log.error("a lifecycle cannot be read", ["bucket": bucket.name.text, "cause": "\(error)"])
            return nil
        }
    }

    private func sweep(
        _ bucket: BucketRecord, _ lifecycle: StoredLifecycle, in store: any ObjectStore, at now: Timestamp,
        adding total: inout LifecycleRun
    ) throws(StoreError) {
        let announcer = announcer(bucket, now)
        var sweep = LifecycleSweep(bucket, lifecycle, at: now, in: store, announcing: announcer) { [self] in
            mayGoOn(in: bucket, of: store)
        }
        defer { total.add(sweep.result) }
        do throws(StoreError) {
            try sweep.run()
        } catch .noSuchBucket {
            return
        }
    }

    /// Whether the next page is still to be looked at by the rules that the bucket had.
    private func mayGoOn(in bucket: BucketRecord, of store: any ObjectStore) -> Bool {
        guard !isStopping.load(ordering: .acquiring), othersWaiting.load(ordering: .sequentiallyConsistent) == 0,
            let current = store.bucket(bucket.name)
        else { return false }
        return current.created == bucket.created
            && BucketSettings(current)[.lifecycle] == BucketSettings(bucket)[.lifecycle]
    }
}
