import Glibc
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore

extension World {
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
        seedLane = laneCount
        store = try DiskStore(directory: directory.path, options: storeOptions)
        accounts = Accounts(accessKey: options.accessKey, secretKey: options.secretKey, others: options.accounts)
        authenticator = Authenticator(regions: options.region.map { .only($0) } ?? .any)
        domains = BaseDomains(options.domains)
        region = options.region.flatMap(Region.init)
        clock = ScopeClock()
        plan = FaultPlan()
        gates = Gates()
        var bounds = Journal.Bounds()
        bounds.byteCountMax = Self.journalByteCountMax
        journal = try Journal(path: directory.path + "/journal.ndjson", bounds: bounds, log: log)
        pool = WorkerPool(name: "shoal-disk", threadCount: Self.poolThreadCount)
        digests = WorkerPool(name: "shoal-md5", threadCount: max(1, laneCount / 2))
        blocks = BlockPool()
        requestIDs = RequestIDs()
        publicURL = options.publicURLs.first ?? Self.url(of: options.listen, port: port)
    }

    /// The names under which programs of this machine reach the admin API.
    var adminHosts: [String] {
        let given = options.publicURLs.compactMap { $0.split(separator: "/").dropFirst().first }.map { authority in
            String(authority.prefix { $0 != ":" })
        }
        return given + (options.listen.isLoopback ? [options.listen.host] : [])
    }

    private static func url(of address: ListenAddress, port: UInt16) -> String {
        let reachable = ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1" : address.host
        return "http://\(ListenAddress(host: reachable, port: port))"
    }

    /// Rules of `--faults`. Throws with the place of the first thing that is wrong.
    func loadFaults() throws {
        guard let path = options.faultsFile else { return }
        let bytes = try StartFile.read(path)
        do {
            try plan.add(try RuleDocument(bytes).rules)
        } catch {
            throw StartFailure("\(path): \(error)")
        }
    }

    /// What is there after a start: the buckets of `--bucket`, and what `--seed` holds.
    func createStartBuckets(progress: Server.Progress? = nil) throws {
        for name in options.buckets { try ensureBucket(name) }
        if let directory = options.seedDirectory { try seed(directory, progress: progress) }
    }

    func ensureBucket(_ name: BucketName) throws {
        guard store.bucket(name) == nil else { return }
        try store.createBucket(
            BucketRecord(
                name: name, created: now, region: (region ?? .usEast1).name,
                settings: BucketSettings(ownerID: accounts.main.owner.id).encoded))
    }
}
