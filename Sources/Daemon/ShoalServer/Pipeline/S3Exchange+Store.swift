import ShoalFaults
import ShoalNet
import ShoalS3
import ShoalStore

/// The store as rules want this exchange to find it.
extension S3Exchange {
    /// The world in which the operation begins. From here on a rule that is added comes too late for it.
    func settleStore() -> World {
        isStoreSettled = true
        let isConcerned = effects != nil || faults?.concernsStore == true
        guard isConcerned || world.plan.keepsPast || world.past.hidesAnything else {
            faults?.settleStore()
            return world
        }
        let effects = effects ?? StoreEffects()
        self.effects = effects
        return World(
            world, store: FaultyStore(base: world.store, effects: effects, world: world, exchange: trace.number))
    }

    func add(_ fault: StoreFault) {
        let effects = effects ?? StoreEffects()
        effects.add(fault)
        self.effects = effects
    }

    /// Goes on with what makes a change durable, as late as a slow disk is.
    func synchronizing(_ next: @escaping () -> Directive) -> Directive {
        // A late twin has no connection that could wait.
        guard !isLate, let wait = effects?.slowness?.sync else { return next() }
        return .wait(wait, then: next)
    }

    // MARK: Late twins

    /// Lets the connection go without the commit, which comes after `wait` or (nil) behind the next one of its key.
    func postpone(_ wait: Duration?, _ commit: @escaping () -> Directive) {
        // What was received is the commit's.
        sink = nil
        isLate = true
        let late = LoopBound(commit)
        let world = world
        let latecomer = Latecomer(wait: wait) {
            _ = late.value()
            world.store.flush()
        } forget: {
            self.trace.finish()
        }
        self.latecomer = latecomer
        // At once: the next commit of the key may come before this connection is gone.
        if wait == nil, let path = route?.path { world.lateTwins.add(latecomer, behind: path) }
    }

    /// The connection is gone, so that the commit can be another thread's, and with it the exchange. A verdict waits for it
    /// if it is due at a time.
    func sendOffLatecomer() {
        guard let latecomer else { return }
        self.latecomer = nil
        if latecomer.wait == nil { trace.finish() }
        latecomer.leave(in: world) { self.trace.begin() }
    }

    /// A commit was made, and those that were to come behind it come now.
    func releaseLatecomers() {
        guard let path = route?.path else { return }
        for twin in world.lateTwins.take(path) { twin.come(in: world) }
    }
}
