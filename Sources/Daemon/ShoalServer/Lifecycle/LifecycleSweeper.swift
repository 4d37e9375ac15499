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
    private struct State {
        /// Days since 1970 at the last look; nil if a lifecycle was put since.
        var day: Int64?
    }

    private let store: any ObjectStore
    private let clock: @Sendable () -> Timestamp
    private let announcer: @Sendable (BucketRecord, Timestamp) -> Announcer?
    private let log: Log
    private let state = Mutex(State())
    /// One look at a time.
    private let sweeping = Mutex(())
    private let isStopping = Atomic(false)
    private let alarm = Alarm()
    private let thread = Mutex<Thread?>(nil)

    /// Seconds between two looks at the clock.
    private static let interval = 20
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// `clock` tells the scope's time, `announcer` who is told of what rules do in a bucket.
    init(
        _ store: any ObjectStore, log: Log, clock: @escaping @Sendable () -> Timestamp,
        announcer: @escaping @Sendable (BucketRecord, Timestamp) -> Announcer?
    ) {
        self.announcer = announcer
        self.store = store
        self.log = log
        self.clock = clock
    }

    func start() {
        thread.withLock { thread in
            thread = Thread(name: "shoal-lifecycle") { [self] in
                while !isStopping.load(ordering: .acquiring) {
                    sweepIfDue()
                    alarm.wait(seconds: Self.interval)
                }
            }
        }
    }

    /// Ends a walk between two pages, and the thread.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        alarm.ring()
        thread.withLock { $0.take() }?.join()
    }

    /// Somebody put a lifecycle: it counts from now on.
    func noteChange() {
        state.withLock { $0.day = nil }
        alarm.ring()
    }

    private func sweepIfDue() {
        let day = clock().milliseconds / Self.millisecondsPerDay
        guard state.withLock({ $0.day != day }) else { return }
        do {
            _ = try sweep()
        } catch {
            log.error("a lifecycle could not do what is due", ["cause": "\(error)"])
        }
    }

    /// Does everything that is due now, in all buckets; what was done. Blocking, for as long as that takes.
    func sweep() throws(StoreError) -> LifecycleRun {
        try sweeping.withLock { (_) throws(StoreError) in
            let now = clock()
            state.withLock { $0.day = now.milliseconds / Self.millisecondsPerDay }
            var total = LifecycleRun()
            var failure: StoreError?
            for bucket in store.buckets() {
                guard let lifecycle = lifecycle(of: bucket) else { continue }
                do throws(StoreError) {
                    total.add(try sweep(bucket, lifecycle, at: now))
                } catch {
                    // The others need not wait, and this one is looked at again soon.
                    state.withLock { $0.day = nil }
                    failure = error
                }
            }
            if let failure { throw failure }
            if total != LifecycleRun() { log.info("lifecycles did what was due", ["what": total.text]) }
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
        _ bucket: BucketRecord, _ lifecycle: StoredLifecycle, at now: Timestamp
    ) throws(StoreError) -> LifecycleRun {
        let announcer = announcer(bucket, now)
        var sweep = LifecycleSweep(bucket, lifecycle, at: now, in: store, announcing: announcer) { [self] in
            !isStopping.load(ordering: .acquiring)
        }
        do {
            try sweep.run()
        } catch .noSuchBucket {
            return sweep.result
        }
        return sweep.result
    }
}
