import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore

/// What every exchange of one server shares. Immutable; its parts guard themselves.
struct World: Sendable {
    let options: ServeOptions
    let store: any ObjectStore
    let accounts: Accounts
    let authenticator: Authenticator
    let domains: BaseDomains
    /// The region this server is pinned to; nil if it serves all.
    let region: Region?
    let clock: ScopeClock
    let plan: FaultPlan
    let gates: Gates
    let journal: Journal
    let log: Log
    /// For what may wait on the disk.
    let pool: WorkerPool
    /// For digests that run beside the loops.
    let digests: WorkerPool
    /// Memory for bodies on their way to those.
    let blocks: BlockPool
    let requestIDs: RequestIDs
    /// Where clients reach the server, for minted URLs.
    let publicURL: String
    /// The store's lane beside those of the loops.
    let seedLane: Int

    /// The scope's time.
    var now: Timestamp { clock.now(real: Timestamp(milliseconds: SystemClock.wallMilliseconds())) }
}
