import ShoalAdminAPI
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore

/// What every exchange of one scope shares: buckets, accounts, clock, rules, gates and a share of the journal, and nothing
/// of any other scope. Immutable; its parts guard themselves. A class, so that an exchange holds it at the price of one
/// reference.
final class World: ConnectionOwner {
    /// The scope's name in the admin API.
    let name: String
    let facilities: Facilities
    /// The store as this scope sees it.
    let store: any ObjectStore
    let accounts: Accounts
    let clock: ScopeClock
    let plan: FaultPlan
    let gates: Gates
    let journalScope: JournalScope
    let lastUse: LastUse
    /// Connections whose last request was the scope's, and those of its port.
    let openConnections: OpenConnections
    let past: PastStates
    let lateTwins: LateTwins
    /// The scope's own; nil if its requests come by the server's.
    let port: Port?
    private let portFaults: PortFaults?
    private let lineMeeting: LineMeeting
    /// Those that came by its port, or of the main scope by the server's.
    let admissions: Admissions

    init(
        _ name: String, in facilities: Facilities, store: any ObjectStore, accounts: Accounts, port: Port? = nil
    ) {
        self.name = name
        self.facilities = facilities
        self.store = store
        self.accounts = accounts
        self.port = port
        clock = ScopeClock()
        plan = FaultPlan(
            seed: facilities.seed, hasPort: port != nil, security: facilities.tls?.security ?? .none,
            mayCrash: facilities.options.mayCrash)
        gates = Gates()
        journalScope = JournalScope(name)
        lastUse = LastUse()
        openConnections = OpenConnections()
        past = PastStates()
        lateTwins = LateTwins()
        admissions = Admissions()
        lineMeeting = LineMeeting()
        portFaults = port.map { [plan, journalScope] in PortFaults($0, of: plan, scope: journalScope, in: facilities) }
        plan.observe { [weak self] in self?.rulesChanged() }
    }

    /// The same world as one exchange sees it, with a store that does wrong what rules want.
    init(_ world: World, store: FaultyStore) {
        name = world.name
        facilities = world.facilities
        self.store = store
        accounts = world.accounts
        clock = world.clock
        plan = world.plan
        gates = world.gates
        journalScope = world.journalScope
        lastUse = world.lastUse
        openConnections = world.openConnections
        past = world.past
        lateTwins = world.lateTwins
        port = world.port
        portFaults = world.portFaults
        lineMeeting = world.lineMeeting
        admissions = world.admissions
    }

    /// What rules do by themselves, and not to a request that meets them.
    private func rulesChanged() {
        past.follow(plan)
        portFaults?.follow()
        lineMeeting.follow(plan, counting: facilities.lineMeetingCount)
        if plan.connectionLimit == nil { admissions.admitAll() }
    }

    /// The world that is always there. Throws where the first account is described in a way that contradicts its key.
    static func main(in facilities: Facilities) throws(StartFailure) -> World {
        let options = facilities.options
        let described = options.accounts.first { $0.accessKey == options.accessKey }
        if let described, described.secretKey.text != options.secretKey.text {
            throw StartFailure("--account describes \(options.accessKey), but with another secret than --secret-key")
        }
        return World(
            AdminPath.defaultScope, in: facilities, store: facilities.store,
            accounts: Accounts(accessKey: options.accessKey, secretKey: options.secretKey, others: options.accounts))
    }

    /// The scope's time.
    var now: Timestamp { Self.now(clock) }

    private static func now(_ clock: ScopeClock) -> Timestamp {
        clock.now(real: Timestamp(milliseconds: SystemClock.wallMilliseconds()))
    }

    /// Takes every rule away, with what rules have left behind and what they still wanted to do.
    func clearRules() {
        plan.reset()
        past.clear()
        lateTwins.clear()
        laterWork.cancelAll(for: self)
    }

    /// What lifecycles look at.
    var sweptScope: LifecycleSweeper.Scope {
        LifecycleSweeper.Scope(name: name, store: store) { [clock] in Self.now(clock) }
    }
}

// MARK: - What it shares with other worlds

extension World {
    var options: ServeOptions { facilities.options }
    var authenticator: Authenticator { facilities.authenticator }
    var domains: BaseDomains { facilities.domains }
    var websites: BaseDomains { facilities.websites }
    var region: Region? { facilities.region }
    var journal: Journal { facilities.journal }
    var log: Log { facilities.log }
    var notifier: Notifier { facilities.notifier }
    var pool: WorkerPool { facilities.pool }
    var copies: WorkerPool { facilities.copies }
    var laterWork: LaterWork { facilities.laterWork }
    var digests: WorkerPool { facilities.digests }
    var explanations: Explanations { facilities.explanations }
    var blocks: BlockPool { facilities.blocks }
    var requestIDs: RequestIDs { facilities.requestIDs }
    var lifecycle: LifecycleSweeper { facilities.lifecycle }
    /// Where clients reach the scope.
    var publicURL: String { port.map { facilities.url(ofPort: $0.number) } ?? facilities.publicURL }
    var seedLane: Int { facilities.seedLane }
}
