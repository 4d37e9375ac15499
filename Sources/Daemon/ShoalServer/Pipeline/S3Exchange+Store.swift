import ShoalFaults
import ShoalNet
import ShoalS3
import ShoalStore

/// A commit that a rule has put off: by a time, or (nil) until behind the next one of its key.
struct Latecomer {
    let wait: Duration?
    /// Of `LateTwins`, when it was put off.
    let generation: UInt64
    let commit: () -> Directive
}

/// The store as rules want this exchange to find it.
extension S3Exchange {
    /// The world in which the operation begins. From here on a rule that is added comes too late for it.
    func settleStore() -> World {
        isStoreSettled = true
        guard let faults else { return world }
        guard effects != nil || faults.concernsStore || world.plan.keepsPast || world.past.hidesAnything else {
            faults.settleStore()
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
        guard let wait = effects?.slowness?.sync else { return next() }
        return .wait(wait, then: next)
    }

    // MARK: Late twins

    /// Lets the connection go without the commit, which comes after `wait` or (nil) behind the next one of its key.
    func postpone(_ wait: Duration?, _ commit: @escaping () -> Directive) {
        // What was received is the commit's.
        sink = nil
        latecomer = Latecomer(wait: wait, generation: world.lateTwins.generation, commit: commit)
    }

    /// The connection is gone, so that the commit can be another thread's.
    func sendOffLatecomer() {
        guard let latecomer, latecomer.generation == world.lateTwins.generation else { return }
        self.latecomer = nil
        let late = LoopBound(latecomer.commit)
        let world = world
        let work: @Sendable () -> Void = {
            _ = late.value()
            world.store.flush()
        }
        if let wait = latecomer.wait {
            world.laterWork.run(after: wait, for: world, work)
        } else if let path = route?.path {
            world.lateTwins.add(path, work)
        }
    }

    /// A commit was made, and those that were to come behind it come now.
    func releaseLatecomers() {
        guard let path = route?.path else { return }
        for work in world.lateTwins.take(path) { world.laterWork.run(after: .zero, for: world, work) }
    }
}
