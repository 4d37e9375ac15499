import ShoalLog
import Synchronization

/// The store's threads: one applies, one keeps house, and in `power` mode one commits.
final class BackgroundWork: Sendable {
    /// The wait before something that failed is tried again.
    private static let retryMilliseconds: Int32 = 1_000

    private let committer: Committer
    private let applier: Applier
    private let upkeep: Upkeep
    private let overlay: Overlay
    private let applierWake: WakeUp
    private let upkeepWake: WakeUp
    private let writerWake: WakeUp
    private let isStopping = Atomic<Bool>(false)
    private let isSweepDue = Atomic<Bool>(true)
    private let threads = Mutex<[BackgroundThread]>([])

    init(
        _ committer: Committer, _ applier: Applier, _ upkeep: Upkeep, _ overlay: Overlay, applierWake: WakeUp
    ) throws(StoreError) {
        self.committer = committer
        self.applier = applier
        self.upkeep = upkeep
        self.overlay = overlay
        self.applierWake = applierWake
        upkeepWake = try WakeUp(in: upkeep.directories.root)
        writerWake = try WakeUp(in: upkeep.directories.root)
    }

    func start(isNew: Bool) throws(StoreError) {
        let directory = upkeep.directories.root
        do {
            try add(BackgroundThread(in: directory) { self.applyUntilStopped() })
            try add(BackgroundThread(in: directory) { self.keepHouseUntilStopped(isNew: isNew) })
            if upkeep.options.durability == .power {
                try add(BackgroundThread(in: directory) { self.commitUntilStopped() })
            }
        } catch {
            stop()
            throw error
        }
        // What a replay put in.
        if !overlay.isSettled { applierWake.signal() }
    }

    private func add(_ thread: BackgroundThread) { threads.withLock { $0.append(thread) } }

    /// Ends every thread and waits for them; what is enqueued or pending stays.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        for wake in [applierWake, upkeepWake, writerWake] { wake.signal() }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    /// Lets the committing thread commit what is enqueued; without one the caller has to do with the answer `closed`.
    func commit() {
        if mayGoOn { writerWake.signal() } else { committer.drain() }
    }

    /// Lets the housekeeper see what there is to give back.
    func keepHouse() { upkeepWake.signal() }

    /// Lets the housekeeper look for files that nothing names.
    func sweep() {
        isSweepDue.store(true, ordering: .releasing)
        upkeepWake.signal()
    }

    private var mayGoOn: Bool { !isStopping.load(ordering: .acquiring) }
}

// MARK: - What each thread does

extension BackgroundWork {
    private func applyUntilStopped() {
        while mayGoOn {
            if overlay.isSettled { applierWake.wait() }
            gatherChanges()
            guard mayGoOn else { return }
            committer.drain()
            if !upkeep.attempt("applying of the log", applier.applyAll) {
                applierWake.wait(milliseconds: Self.retryMilliseconds)
            }
            upkeep.removeReleasedBlobs()
            if upkeep.isDue { upkeepWake.signal() }
        }
    }

    /// Commits what other threads left, and gives more changes the time to come: until there are enough for a batch, the
    /// delay is over, or the store closes. The signal of a change may come late, so none of them ends the wait by itself.
    private func gatherChanges() {
        let delay = UInt64(max(0, upkeep.options.applyDelayMilliseconds)) * 1_000_000
        let end = SystemClock.monotonicNanoseconds() + delay
        committer.drain()
        while mayGoOn, overlay.pendingCount < upkeep.options.applyCount {
            let now = SystemClock.monotonicNanoseconds()
            guard now < end else { return }
            applierWake.wait(milliseconds: Int32(clamping: (end - now) / 1_000_000 + 1))
            committer.drain()
        }
    }

    private func keepHouseUntilStopped(isNew: Bool) {
        if isNew { upkeep.settleNewDatabase() }
        while mayGoOn {
            if isSweepDue.exchange(false, ordering: .acquiring) { upkeep.sweep { !mayGoOn } }
            let isDone = upkeep.run()
            guard mayGoOn else { return }
            upkeepWake.wait(milliseconds: isDone ? nil : Self.retryMilliseconds)
        }
    }

    private func commitUntilStopped() {
        while mayGoOn {
            writerWake.wait()
            committer.drain()
        }
    }
}
