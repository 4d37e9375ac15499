import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3
import ShoalSTS
import ShoalSigV4
import Synchronization

/// Serves S3, the Security Token Service beside it, and the admin API under `/_shoal/` unless that has a port of its own.
final class S3Service: HTTPService {
    /// The main one, which gets what belongs to no other.
    let world: World
    private let admin: AdminAPI?
    /// Of connections that wait at a gate while they have no exchange.
    private let tickets = Mutex<[UInt64: Gates.Ticket]>([:])
    /// Steps that say what the first request of a connection is answered with.
    private let refusals = Mutex<[UInt64: Strike.Step]>([:])
    private let refusalCount = Atomic(0)

    init(_ world: World, admin: AdminAPI?) {
        self.world = world
        self.admin = admin
    }

    /// Whose a connection is before it has said anything.
    func world(at connection: ConnectionHandle) -> World {
        connection.port.flatMap(world.facilities.world(of:)) ?? world
    }

    func opened(_ connection: ConnectionHandle) -> Directive {
        let world = world(at: connection)
        if connection.port != nil { connection.belong(to: world) }
        let openCount = world.admissions.arrive()
        guard world.plan.isArmed else { return .proceed }
        let subject = ConnectionSubject(
            connection: connection.id, peer: connection.peer, hello: nil, isSecure: connection.isSecure)
        guard let strike = world.plan.strike(at: .accept, subject, openCount: openCount) else { return .proceed }
        return play(strike, on: connection, in: world)
    }

    /// Carries out what strikes a connection before its first request.
    func play(_ strike: Strike, on connection: ConnectionHandle, in world: World) -> Directive {
        var trace = ExchangeTrace(scope: world.journalScope, connection: connection.id, exchange: 0)
        trace.record(.connectionOpened(peer: connection.peer))
        trace.record(strike)
        world.log.info("fault", ["rule": strike.steps[0].rule, "at": strike.point.rawValue])
        for step in strike.steps { noteLimit(step, of: connection, in: world) }
        return play(strike, trace, on: connection, in: world)
    }

    var meetsRequestLines: Bool { world.facilities.lineMeetingCount.load(ordering: .relaxed) > 0 }

    /// Whose a request is, its first line does not always say: that of a presigned URL does, or of a bucket that only one
    /// scope has.
    func requestLine(_ line: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> Directive {
        if connection.port == nil, admin != nil, isAdmin(line) { return .proceed }
        // Of a port whose scope has ended nothing is anybody's.
        if let port = connection.port, world.facilities.world(of: port) == nil { return .proceed }
        let scope =
            connection.port.flatMap(world.facilities.world(of:)) ?? named(by: line, connection)
            ?? world.facilities.world(of: line, main: world)
        let subject = RequestSubject(
            head: line, route: try? Route(line, under: world.domains),  // what is no request of S3 has no operation
            now: scope.now, connection: connection.id, exchange: UInt64(ordinal),
            isSecure: connection.isSecure, hello: connection.hello, peer: connection.peer, attempt: 1)
        guard let strike = scope.plan.strikeRequestLine(subject) else { return .proceed }
        connection.belong(to: scope)
        var trace = ExchangeTrace(
            scope: scope.journalScope, connection: connection.id, exchange: UInt32(clamping: ordinal))
        trace.record(strike)
        scope.log.info("fault", ["rule": strike.steps[0].rule, "at": strike.point.rawValue])
        return play(strike, trace, on: connection, in: scope)
    }

    /// Does what a rule says to a connection that has no exchange.
    private func play(
        _ strike: Strike, _ recorded: ExchangeTrace, on connection: ConnectionHandle, in world: World
    ) -> Directive {
        var trace = recorded
        if strike.endsProcess { world.journal.publish(&trace) }
        let directive = StrikePlayer(
            strike, connection: connection, in: world,
            onWait: { [self] ticket in tickets.withLock { $0[connection.id] = ticket } }
        ).play { .proceed }
        // As in an exchange.
        world.journal.publish(&trace)
        return directive
    }

    /// Above a limit, a connection counts no more; the one that is to be answered waits for its request.
    private func noteLimit(_ step: Strike.Step, of connection: ConnectionHandle, in world: World) {
        guard case .connectionLimit(let limit) = step.action else { return }
        world.admissions.turnAway(connection.id)
        guard limit.excess == .unavailable else { return }
        refusals.withLock { $0[connection.id] = step }
        refusalCount.add(1, ordering: .releasing)
    }

    /// Of a connection above a limit, once.
    private func takeRefusal(of connection: UInt64) -> Strike.Step? {
        guard refusalCount.load(ordering: .acquiring) > 0,
            let step = refusals.withLock({ $0.removeValue(forKey: connection) })
        else { return nil }
        refusalCount.subtract(1, ordering: .releasing)
        return step
    }

    func exchange(for head: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> any Exchange {
        let ofPort = connection.port.flatMap(world.facilities.world(of:))
        if connection.port != nil, ofPort == nil { return EndedScopeExchange(head, in: world) }
        if let step = takeRefusal(of: connection.id) {
            let exchange = S3Exchange(head, on: connection, ordinal: ordinal, in: ofPort ?? world)
            exchange.refusal = step
            return exchange
        }
        if let admin, isAdmin(head) {
            let misplacement = ofPort.map { Problem.isOfScope($0.name, adminAt: world.publicURL) }
            return AdminExchange(head, connection, admin, misplacement: misplacement)
        }
        let scope = ofPort ?? named(by: head, connection) ?? world.facilities.world(of: head, main: world)
        connection.belong(to: scope)
        if isSecurityToken(head) {
            return SecurityTokenExchange(head, on: connection, ordinal: ordinal, in: scope)
        }
        return S3Exchange(head, on: connection, ordinal: ordinal, in: scope)
    }

    /// The world that the server name in a ClientHello leads to, of a request that no key leads elsewhere.
    private func named(by head: RequestHead, _ connection: ConnectionHandle) -> World? {
        guard connection.isSecure, ClaimedAccessKey(head) == nil else { return nil }
        let scope = scope(of: connection)
        return scope === world ? nil : scope
    }

    private func isAdmin(_ head: RequestHead) -> Bool {
        head.path.starts(with: AdminAPI.prefix) && !namesBucket(head)
    }

    private func isSecurityToken(_ head: RequestHead) -> Bool { STSAction.isAddressed(by: head) && !namesBucket(head) }

    /// Under a host that names a bucket, a path is a key and nothing else.
    private func namesBucket(_ head: RequestHead) -> Bool {
        guard let host = head.first("host") else { return false }
        return world.websites.bucket(inHost: host) != nil || world.domains.bucket(inHost: host) != nil
    }

    func answer(to refusal: HeadRefusal, on connection: ConnectionHandle) -> HTTPResponse {
        let world = world(at: connection)
        var trace = ExchangeTrace(scope: world.journalScope, connection: connection.id, exchange: 0)
        trace.record(.responseHead(.init(refusal.status, code: .badRequest)))
        trace.record(.note("not a request of HTTP/1.1: \(refusal.reason)"))
        world.journal.publish(&trace)
        world.log.info("refused what is no HTTP/1.1 request", ["peer": connection.peer, "why": refusal.reason])
        let identifiers = world.requestIDs.next()
        let error =
            refusal == .transferCodingNotImplemented
            ? S3Error(.notImplemented, elements: [.init("Header", "Transfer-Encoding")]) : S3Error(.badRequest)
        var response = HTTPResponse(refusal.status, body: .bytes(error.document(identifiers)))
        response.addCommonFields(identifiers, now: world.now)
        response.add("Content-Type", "application/xml")
        return response
    }

    func turnEnded(lane: Int) { world.store.flush() }

    func closed(_ connection: ConnectionHandle, _ end: ConnectionEnd, after history: ConnectionHistory) {
        let last = connection.owner as? World ?? world
        // Of a scope that has ended nobody counts them.
        let listener = connection.port.map(world.facilities.world(of:)) ?? world
        listener?.admissions.end(connection.id)
        _ = takeRefusal(of: connection.id)
        if let ticket = tickets.withLock({ $0.removeValue(forKey: connection.id) }) {
            last.gates.cancel(ticket)
        }
        // A peer that leaves between exchanges says nothing; one that leaves without any may have met a fault.
        let isOrdinary = (end == .finByPeer && history.exchangeCount > 0) || end == .stopped
        guard !history.lostExchange, !isOrdinary else { return }
        world.journal.append(
            .connectionClosed(JournalEvent.Closing(end)), in: last.journalScope,
            exchange: ExchangeNumber(connection: connection.id, exchange: 0))
    }
}

extension JournalEvent.Closing {
    init(_ end: ConnectionEnd, sentBytes: UInt64? = nil) {
        let (side, manner): (Side, Manner) =
            switch end {
            case .finByPeer: (.peer, .fin)
            case .resetByPeer: (.peer, .rst)
            case .fin, .stopped: (.shoal, .fin)
            case .reset: (.shoal, .rst)
            case .timeout: (.shoal, .timeout)
            }
        self.init(by: side, manner, sentBytes: sentBytes)
    }
}

extension HTTPResponse {
    /// The lines every answer of S3 has.
    mutating func addCommonFields(_ identifiers: RequestIdentifiers, now: Timestamp) {
        add("x-amz-request-id", identifiers.requestID)
        add("x-amz-id-2", identifiers.hostID)
        add("Date") { now.appendHTTPDate(to: &$0) }
        add("Server", "AmazonS3")
    }
}
