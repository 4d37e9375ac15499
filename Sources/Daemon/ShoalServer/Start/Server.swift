import Glibc
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore
import Synchronization

/// A running Shoal in this process: sockets, loops, store, journal.
///
/// `shoal serve` runs one until a signal comes; a test may run several.
package final class Server: Sendable {
    /// The port S3 is served on.
    package let port: UInt16
    /// The port of the admin API if it has one of its own.
    package let adminPort: UInt16?
    private let world: World
    private let scopes: ScopeKeeper
    private let admin: AdminAPI
    private let servers: [HTTPServer]
    private let directory: DataDirectory
    private let isStopped = Atomic(false)

    /// Progress of seeding: bytes done and all bytes.
    package typealias Progress = (_ done: UInt64, _ total: UInt64) -> Void

    /// Opens the store, makes buckets and seeds, and accepts requests when it returns.
    ///
    /// Throws in words what a person can act on: a directory in use, a port taken, a rule that is none. `bounds` are S3's
    /// own unless a test cannot wait for them.
    package init(
        _ options: ServeOptions, log: Log, bounds: ConnectionBounds = ConnectionBounds(), progress: Progress? = nil
    ) throws {
        let start = try Start(options, log: log, progress: progress)
        (world, scopes, directory) = (start.scopes.main, start.scopes, start.directory)
        (port, adminPort) = (start.socket.port, start.adminSocket?.port)

        for status in world.plan.list() {
            world.journal.append(
                .ruleAdded(id: status.rule.id ?? "", line: status.rule.line, seed: status.seed),
                in: world.journalScope)
        }
        let guardian = AdminGuard(token: options.adminToken, hosts: world.adminHosts)
        let admin = AdminAPI(scopes, guardian: guardian)
        self.admin = admin
        let service = S3Service(world, admin: start.adminSocket == nil ? admin : nil)
        let main = HTTPServer(
            service: service, bounds: bounds, loopCount: start.loopCount, lastConnection: start.lastConnection)
        var servers = [main]
        let warn: @Sendable (String) -> Void = { [log] in log.warning($0) }
        if let adminSocket = start.adminSocket {
            let separate = HTTPServer(service: AdminOnlyService(admin), loopCount: 1)
            let port = options.adminSpeaksTLS ? world.facilities.tls?.port : nil
            separate.accept(on: adminSocket, tls: port, warn: warn)
            servers.append(separate)
        }
        main.accept(on: start.socket, tls: world.facilities.tls?.port, warn: warn)
        main.accept(on: world.facilities.ports, tls: world.facilities.tls?.port, warn: warn)
        self.servers = servers
        world.notifier.start(
            PostOffice(
                store: world.store, log: log,
                note: { [world] text in world.journal.append(.note(text), in: world.journalScope) },
                now: { [world] in world.now }))
    }

    deinit { stop() }

    /// The file with the certificate that clients have to trust, and what it holds; nil without an authority of its own.
    package var authorityPath: String? { world.facilities.tls?.authority?.path }
    package var authorityPEM: String? { world.facilities.tls?.authority?.pem }

    /// What the admin API answers, without a connection. Blocking.
    ///
    /// - Parameter path: the segments behind `/_shoal/v1/`, not encoded.
    package func administer(
        _ method: AdminMethod, _ path: [String], parameters: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) -> (status: Int, body: [UInt8]) {
        let request = AdminRequest(method.rawValue, ["v1"] + path, parameters: parameters, body: body)
        let response = admin.answerWaiting(request)
        guard case .bytes(let bytes) = response.body else { return (response.status.code, []) }
        return (response.status.code, bytes)
    }

    /// What can be done to a resource of the admin API.
    package enum AdminMethod: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Accepts no more, lets exchanges in flight finish within `grace`, and closes the store. A second call does nothing.
    package func stop(grace: Duration = .seconds(10)) {
        guard !isStopped.exchange(true, ordering: .sequentiallyConsistent) else { return }
        scopes.stop()
        for world in world.facilities.worlds.all {
            world.gates.openForGood()
            world.admissions.admitAll()
        }
        for server in servers { server.stop(grace: grace) }
        world.facilities.stop()
        directory.close()
    }
}

/// What a server needs before it serves: all of it, or after a throw nothing that is still open.
private struct Start {
    let socket: ListeningSocket
    let adminSocket: ListeningSocket?
    let directory: DataDirectory
    let scopes: ScopeKeeper
    /// The number of the last connection of the process before, whose journal this one goes on with.
    let lastConnection: UInt64
    let loopCount = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    init(_ options: ServeOptions, log: Log, progress: Server.Progress?) throws {
        // In reverse order, as a stop does it.
        var undoing: [() -> Void] = []
        do {
            // The port first: a start that cannot listen should touch nothing.
            let socket = try ListeningSocket(host: options.listen.host, port: options.listen.port)
            undoing.append(socket.close)
            adminSocket = try options.adminListen.map { try ListeningSocket(host: $0.host, port: $0.port) }
            if let adminSocket { undoing.append(adminSocket.close) }
            let directory = try DataDirectory(options.storage)
            undoing.append(directory.close)
            let facilities = try Facilities(
                options, in: directory, port: socket.port, laneCount: loopCount, log: log)
            undoing.append(facilities.stop)
            let world = try World.main(in: facilities)
            let scopes = try ScopeKeeper(world, in: directory)
            let resumed = try facilities.resume()
            lastConnection = resumed ?? 0
            if resumed == nil { try world.loadFaults() }
            try world.createStartBuckets(progress: progress)
            world.lifecycle.start()
            scopes.start()
            log.info("chance is drawn from a seed", ["seed": "\(facilities.seed)"])
            (self.socket, self.directory, self.scopes) = (socket, directory, scopes)
        } catch {
            for undo in undoing.reversed() { undo() }
            throw error
        }
    }
}
