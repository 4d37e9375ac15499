import ShoalAdminAPI
import ShoalCrypto
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalStore
import Synchronization

/// Makes scopes, keeps them across restarts, and ends them: when somebody asks for it, or when nobody has used one for as
/// long as it may be unused.
final class ScopeKeeper: Sendable {
    static let countMax = 10_000
    /// Milliseconds between two looks for scopes that nobody uses.
    private static let interval: Int32 = 5_000

    private struct State {
        var lastNumber = ScopeNumber.main.value
        var records: [String: ScopeRecord] = [:]
    }

    let main: World
    private let facilities: Facilities
    private let folder: ScopeFolder
    private let state = Mutex(State())
    private let isStopping = Atomic(false)
    private let wakeUp: WakeUp
    private let thread = Mutex<Thread?>(nil)

    /// Takes up the scopes of an earlier start. Throws in words for a folder that cannot be read.
    init(_ main: World, in directory: DataDirectory) throws {
        self.main = main
        facilities = main.facilities
        folder = try ScopeFolder(in: directory.path)
        wakeUp = try WakeUp(in: directory.path)
        facilities.worlds.addMain(main)
        var numbers: Set = [ScopeNumber.main]
        for var record in try folder.records() {
            let port = try reopenPort(of: &record)
            _ = facilities.worlds.add(world(of: record, port))
            numbers.insert(record.number)
            state.withLock { state in
                state.records[record.name] = record
                state.lastNumber = max(state.lastNumber, record.number.value)
            }
        }
        // What a crash left between the removal of a scope and that of its buckets.
        for number in main.store.scopes.subtracting(numbers) {
            try main.store.scoped(to: number).removeBuckets()
            state.withLock { $0.lastNumber = max($0.lastNumber, number.value) }
        }
    }

    /// The number of the last start if nobody has taken it, else another one. Nil for a scope without a port.
    private func reopenPort(of record: inout ScopeRecord) throws -> Port? {
        guard let number = record.port else { return nil }
        do throws(SocketError) {
            return try facilities.ports.open(number)
        } catch {
            let port = try facilities.ports.open()
            facilities.log.warning(
                "a scope has another port now",
                ["scope": record.name, "before": "\(number)", "now": "\(port.number)", "cause": "\(error)"])
            record.port = port.number
            try folder.save(record)
            return port
        }
    }

    private func world(of record: ScopeRecord, _ port: Port?) -> World {
        World(
            record.name, in: facilities, store: facilities.store.scoped(to: record.number),
            accounts: Accounts(accessKey: record.accessKey, secretKey: record.secretKey, others: []), port: port)
    }

    // MARK: Life

    /// Makes a scope with a key of its own; the answer is the only place that tells the secret.
    func create(_ request: CreateScopeRequest) throws -> ScopeView {
        var names: [BucketName] = []
        for (index, text) in request.buckets.enumerated() {
            guard let name = BucketName(text) else {
                throw Problem.badRequest("'\(text)' is no bucket name", pointer: "/buckets/\(index)")
            }
            names.append(name)
        }
        var record = try reserve(request)
        var port: Port?
        do {
            if request.port { port = try openPort() }
            record.port = port?.number
            state.withLock { [record] in $0.records[record.name] = record }
            let world = world(of: record, port)
            try folder.save(record)
            guard facilities.worlds.add(world) else { throw Problem.scopeExists(record.name) }
            for name in names { try world.ensureBucket(name) }
        } catch {
            _ = try? delete(record.name)
            if let port { facilities.ports.close(port) }
            throw error
        }
        wakeUp.signal()
        facilities.log.info("made a scope", ["scope": record.name])
        return view(of: record, secretAccessKey: record.secretKey.text)
    }

    private func openPort() throws(Problem) -> Port {
        do throws(SocketError) {
            return try facilities.ports.open()
        } catch {
            throw .noPort(error)
        }
    }

    private func reserve(_ request: CreateScopeRequest) throws(Problem) -> ScopeRecord {
        // 15 letters of 5 bits, and as many bits in a secret as in those of AWS.
        let accessKey = "SHOAL" + String(decoding: Base32.encode(randomBytes(10)).prefix(15), as: UTF8.self)
        let secret = Secret(Base64.string(randomBytes(30)))
        return try state.withLock { (state) throws(Problem) in
            guard state.records.count < Self.countMax else { throw .tooManyScopes(Self.countMax) }
            let number = state.lastNumber + 1
            let name = request.name ?? "scope-\(number)"
            guard state.records[name] == nil, name != main.name else { throw .scopeExists(name) }
            state.lastNumber = number
            let record = ScopeRecord(
                number: ScopeNumber(number), name: name, accessKey: accessKey, secretKey: secret, ttl: request.ttl)
            state.records[name] = record
            return record
        }
    }

    /// Ends a scope: its key, rules and waits at gates at once, its buckets with everything in them, and what was left
    /// unfinished. Throws for a scope that is not there, and for the main one, which stays.
    func delete(_ name: String) throws -> ScopeReport {
        guard name != main.name else { throw Problem.scopeStays(name) }
        guard let record = state.withLock({ $0.records.removeValue(forKey: name) }) else {
            throw Problem.noSuchScope(name, among: list().map(\.scope))
        }
        guard let world = facilities.worlds.remove(name) else {
            folder.remove(record.number)
            throw Problem.noSuchScope(name, among: list().map(\.scope))
        }
        if let port = world.port { facilities.ports.close(port) }
        let report = try world.report()
        world.clearRules()
        // The file goes last: a start that finds it knows that there may be buckets left.
        try facilities.lifecycle.withoutSweeps(of: name) { try world.store.removeBuckets() }
        folder.remove(record.number)
        // Whoever goes on now finds the scope gone.
        world.gates.openForGood()
        facilities.log.info("ended a scope", ["scope": name])
        return report
    }

    /// Ends every scope but the main one.
    func deleteAll() throws {
        for name in state.withLock({ Array($0.records.keys) }) { _ = try delete(name) }
    }

    func list() -> [ScopeView] {
        let options = facilities.options
        let first = ScopeView(
            scope: main.name, accessKeyId: options.accessKey, endpoint: facilities.publicURL, ttl: 0)
        let records = state.withLock { Array($0.records.values) }.sorted { $0.number.value < $1.number.value }
        return [first] + records.map { view(of: $0) }
    }

    /// Throws for a scope that is not there.
    func view(_ name: String) throws(Problem) -> ScopeView {
        let views = list()
        guard let view = views.first(where: { $0.scope == name }) else {
            throw .noSuchScope(name, among: views.map(\.scope))
        }
        return view
    }

    private func view(of record: ScopeRecord, secretAccessKey: String? = nil) -> ScopeView {
        ScopeView(
            scope: record.name, accessKeyId: record.accessKey, secretAccessKey: secretAccessKey,
            endpoint: record.port.map(facilities.url(ofPort:)) ?? facilities.publicURL, port: record.port,
            ttl: record.ttl)
    }

    // MARK: Expiry

    /// Starts to look for scopes that nobody uses.
    func start() {
        thread.withLock { thread in
            thread = Thread(name: "shoal-scopes") { [self] in
                while !isStopping.load(ordering: .acquiring) {
                    let hasScopes = state.withLock { $0.records.contains { $0.value.ttl > 0 } }
                    wakeUp.wait(milliseconds: hasScopes ? Self.interval : nil)
                    expire(at: SystemClock.monotonicNanoseconds())
                }
            }
        }
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeUp.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// Ends the scopes that were unused for too long at that instant of the monotonic clock.
    func expire(at nanoseconds: UInt64) {
        for record in state.withLock({ Array($0.records.values) }) where record.ttl > 0 {
            guard let world = facilities.worlds.find(record.name),
                nanoseconds > world.lastUse.value + UInt64(record.ttl) * 1_000_000_000
            else { continue }
            do {
                let report = try delete(record.name)
                facilities.log.info(
                    "a scope was unused for too long", ["scope": record.name, "report": report.json.text])
            } catch {
                facilities.log.error("a scope could not be ended", ["scope": record.name, "cause": "\(error)"])
            }
        }
    }
}
