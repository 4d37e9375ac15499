import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore
import Synchronization

/// What all worlds of one server share: its threads, its disk, its journal, and what it was told at the start. Immutable;
/// its parts guard themselves.
final class Facilities: Sendable {
    let options: ServeOptions
    /// The store as the main world sees it, which opens and closes it.
    let store: any ObjectStore
    let worlds: WorldTable
    let authenticator: Authenticator
    let domains: BaseDomains
    /// The same of websites.
    let websites: BaseDomains
    /// The region this server is pinned to; nil if it serves all.
    let region: Region?
    let journal: Journal
    let log: Log
    let notifier: Notifier
    /// For what may wait on the disk.
    let pool: WorkerPool
    /// For copies, which may take minutes.
    let copies: WorkerPool
    /// For what rules do behind an answer.
    let laterWork = LaterWork()
    /// For admin requests that wait for lifecycle rules, which may take as long.
    let sweeps: WorkerPool
    /// For digests that run beside the loops.
    let digests: WorkerPool
    /// For the reasons of refusals, each of which takes milliseconds of computing.
    let explanations: Explanations
    /// Memory for bodies on their way to those.
    let blocks: BlockPool
    let requestIDs: RequestIDs
    let crashRecord: CrashRecord
    let lifecycle: LifecycleSweeper
    /// Of scopes that have one of their own.
    let ports: PortAcceptor
    /// How many worlds have rules at `request.line`.
    let lineMeetingCount = Atomic(0)
    /// Nil for plain HTTP.
    let tls: ServerTLS?
    /// Where clients reach the server, for minted URLs.
    let publicURL: String
    /// What chance is drawn from, in every world alike: names of scopes are not part of a draw.
    let seed: UInt64
    /// The store's lane beside those of the loops.
    let seedLane: Int

    /// Threads for what may wait on the disk.
    private static let poolThreadCount = 2
    private static let journalByteCountMax = 8 << 20

    init(_ options: ServeOptions, in directory: DataDirectory, port: UInt16, laneCount: Int, log: Log) throws {
        self.options = options
        self.log = log
        // One lane more than there are loops: seeding writes beside them.
        var storeOptions = DiskStoreOptions(
            durability: options.durability == .power ? .power : .process, laneCount: laneCount + 1)
        storeOptions.report = { incident in log.warning("the store", ["incident": "\(incident)"]) }
        let notifier = try Notifier(options.webhooks, in: directory.path)
        self.notifier = notifier
        if !options.webhooks.isEmpty { storeOptions.outboxFilled = { notifier.ring($0) } }
        seed = options.rngSeed ?? ServeOptions.randomSeed()
        seedLane = laneCount
        store = try DiskStore(directory: directory.path, options: storeOptions)
        tls = try options.tls.map { try ServerTLS($0, names: options.ownNames, in: directory, log: log) }
        let worlds = WorldTable()
        self.worlds = worlds
        authenticator = Authenticator(regions: options.region.map { .only($0) } ?? .any)
        domains = BaseDomains(options.domains)
        websites = BaseDomains(options.websiteDomains)
        region = options.region.flatMap(Region.init)
        var bounds = Journal.Bounds()
        bounds.byteCountMax = Self.journalByteCountMax
        journal = try Journal(path: directory.path + "/journal.ndjson", bounds: bounds, log: log)
        pool = WorkerPool(name: "shoal-disk", threadCount: Self.poolThreadCount)
        copies = WorkerPool(name: "shoal-copy", threadCount: Self.poolThreadCount)
        sweeps = WorkerPool(name: "shoal-sweep", threadCount: 1)
        digests = WorkerPool(name: "shoal-md5", threadCount: laneCount)
        explanations = Explanations()
        blocks = BlockPool()
        requestIDs = RequestIDs()
        crashRecord = CrashRecord(in: directory.path)
        lifecycle = try LifecycleSweeper(in: directory.path, log: log) {
            worlds.all.map(\.sweptScope)
        } announcer: { [webhooks = options.webhooks, requestIDs] bucket, now in
            Announcer(in: bucket, to: webhooks, by: .lifecycle(requestIDs.next(), at: now))
        }
        ports = PortAcceptor(host: options.listen.host)
        publicURL = options.publicURLs.first ?? options.url(port: port)
    }

    /// Ends the threads, then closes store and journal. Nothing may be asked of it afterwards.
    func stop() {
        ports.stop()
        lifecycle.stop()
        notifier.stop()
        laterWork.stop()
        pool.stop()
        copies.stop()
        sweeps.stop()
        digests.stop()
        explanations.stop()
        worlds.removeAll()
        store.close()
        journal.close()
    }
}

extension Facilities {
    /// Whose request it is.
    func world(of head: RequestHead, main: World) -> World {
        worlds.world(of: head, under: domains, websites: websites, main: main)
    }

    /// Whose request it is on a connection to that port: its scope's, whoever signed it. Nil if the scope has ended.
    func world(of port: Port) -> World? { worlds.world(of: port) }

    /// Where clients reach a port of a scope: as they reach the server, by another number.
    func url(ofPort number: UInt16) -> String {
        let ofHost = options.url(port: number)
        // A proxy in front, which speaks TLS, knows nothing of the port.
        guard
            let authority = options.publicURLs.first.flatMap(Endpoint.init).flatMap({
                $0.scheme.rawValue == options.scheme ? $0 : nil
            })?
            .authority
        else { return ofHost }
        let host = AdminGuard.withoutPort(authority)
        return "\(options.scheme)://\(host):\(number)"
    }
}
