import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3
import Synchronization

/// The admin API: what a test asks of the server beside S3. Its requests may wait for the disk and run on the pool.
final class AdminAPI: Sendable {
    static let prefix = Array("/_shoal/".utf8)
    static let bodyByteCountMax = 1 << 20

    let scopes: ScopeKeeper
    private let guardian: AdminGuard
    /// One reset at a time: each ends with the start state whole.
    let resetting = Mutex(())

    init(_ scopes: ScopeKeeper, guardian: AdminGuard) {
        self.scopes = scopes
        self.guardian = guardian
    }

    var main: World { scopes.main }

    /// The answer to a request that is not a stream. Blocking.
    func answer(_ request: AdminRequest) -> HTTPResponse {
        do {
            return try route(request)
        } catch {  // The one place where what an admin request throws becomes an answer.
            return answer(to: error)
        }
    }

    func answer(to error: any Error) -> HTTPResponse {
        switch error {
        case let problem as Problem: return .problem(problem)
        case let error as MalformedMessage: return .problem(.badRequest(error.reason, pointer: error.pointer))
        case let error as RuleError: return .problem(Problem(error))
        case let error as FaultPlan.Refusal: return .problem(Problem(error))
        case let error as PresetError: return .problem(Problem(error))
        case let error as RuleDocument.ScheduleRefusal:
            return .problem(Problem(title: "No schedule", status: 409, detail: error.message))
        default:
            main.log.error("an admin request failed", ["cause": "\(error)"])
            return .problem(
                Problem(title: "Internal error", status: 500, detail: "See the server's log for the cause."))
        }
    }

    /// The answer to any request of this process but a stream. Blocking, for `verify` and `wait` as long as they take.
    func answerWaiting(_ request: AdminRequest) -> HTTPResponse {
        do {
            guard let (wish, service) = try wish(of: request) else { return answer(request) }
            return try BlockingVerdict(service).answer(to: wish)
        } catch {  // As in `answer`.
            return answer(to: error)
        }
    }

    /// What a request wants that is answered later; nil for any other.
    func wish(of request: AdminRequest) throws -> (AwaitedVerdict, AdminService)? {
        guard let (scope, name) = request.waitedScope else { return nil }
        let service = AdminService(try world(scope), self)
        switch name {
        case .verify: return (.verify(try VerifyRequest(decoding: request.body)), service)
        case .wait: return (.wait(try WaitRequest(decoding: request.body)), service)
        }
    }

    /// Why the request may not be answered at all; nil if it may.
    func refusal(of head: RequestHead) -> Problem? {
        // What clients have to trust is no secret, and a phone that fetches it has no token and another name for us.
        head.path.elementsEqual(AdminPath.authority.utf8) ? nil : guardian.refusal(of: head)
    }

    /// The world of a scope. Throws for one that is not there.
    func world(_ scope: String) throws(Problem) -> World {
        guard let world = main.facilities.worlds.find(scope) else {
            throw .noSuchScope(scope, among: scopes.list().map(\.scope))
        }
        world.lastUse.note()
        return world
    }

    private func route(_ request: AdminRequest) throws -> HTTPResponse {
        let path = request.segments
        switch (request.method, path.first, path.count) {
        case (.get, "health", 1): return .json(Health(version: shoalVersion))
        case (_, "v1", 2...): return try routeVersion1(request, Array(path.dropFirst()))
        default: throw Problem.noSuchResource(request)
        }
    }

    private func routeVersion1(_ request: AdminRequest, _ path: [String]) throws -> HTTPResponse {
        switch (request.method, path[0], path.count) {
        case (.get, "points", 1): return .json(SelfDescription.points)
        case (.get, "actions", 1): return .json(SelfDescription.actions)
        case (.get, "checks", 1): return .json(SelfDescription.checks)
        case (.get, "ca.pem", 1): return try authority(request)
        case (.post, "explain", 1): return try explain(request)
        case (.post, "reset", 1): return try resetAll()
        case (_, "scopes", 1...2): return try routeScopes(request, path)
        case (_, "scopes", 3...):
            return try AdminService(try world(path[1]), self).route(request, Array(path.dropFirst(2)))
        case (.get, "presets", 1): return try describePresets()
        case (.get, "presets", 2): return try describePresets(path[1])
        case (_, "openapi.json", _): throw Problem.notBuilt(request)
        default: throw Problem.noSuchResource(request)
        }
    }

    private func authority(_ request: AdminRequest) throws(Problem) -> HTTPResponse {
        guard let tls = main.facilities.tls else {
            throw Problem(
                title: "No TLS", status: 404,
                detail: "This server speaks plain HTTP, so there is nothing to trust; start it with `serve --tls`.")
        }
        guard let authority = tls.authority else {
            throw Problem(
                title: "No authority", status: 404,
                detail: "This server was given its certificate; whoever issued that knows whom clients have to trust.")
        }
        return .authority(authority.pem)
    }

    private func routeScopes(_ request: AdminRequest, _ path: [String]) throws -> HTTPResponse {
        switch (request.method, path.count) {
        case (.get, 1): return .json(ScopeList(scopes: scopes.list()))
        case (.get, 2): return .json(try scopes.view(path[1]))
        case (.delete, 2): return .json(try scopes.delete(path[1]))
        case (.post, 1):
            // A body says nothing that has no usual value.
            let wanted = request.body.isEmpty ? CreateScopeRequest() : try CreateScopeRequest(decoding: request.body)
            let scope = try scopes.create(wanted)
            var response = HTTPResponse.json(scope, .created)
            response.add("Location", AdminPath.scope(scope.scope))
            return response
        default: throw Problem.noSuchResource(request)
        }
    }
}

/// What the admin API does in one scope.
struct AdminService {
    let world: World
    let api: AdminAPI

    init(_ world: World, _ api: AdminAPI) {
        self.world = world
        self.api = api
    }

    var scope: JournalScope { world.journalScope }

    func route(_ request: AdminRequest, _ path: [String]) throws -> HTTPResponse {
        switch (request.method, path[0], path.count) {
        case (.post, "reset", 1): return try reset()
        case (.post, "urls", 1): return try mintURL(request)
        case (.post, "credentials", 1): return try makeCredentials(request)
        case (.get, "rules", 1): return .json(RuleList(rules: world.plan.list().map(RuleView.init)))
        case (.post, "rules", 1): return try addRules(request)
        case (.put, "rules", 1): return try replaceRules(request)
        case (.delete, "rules", 1): return clearRules()
        case (.get, "rules", 2): return .json(RuleView(try world.plan.status(of: path[1])))
        case (.delete, "rules", 2): return try removeRule(path[1])
        case (.patch, "rules", 2): return try changeRule(path[1], request)
        case (.get, "schedule", 1): return try schedule()
        case (.get, "clock", 1): return .json(clockReading)
        case (.put, "clock", 1): return try changeClock(request)
        case (.post, "lifecycle", 1): return .json(try world.lifecycle.sweep(world.sweptScope))
        case (.post, "gates", 3) where path[2] == "release": return releaseGate(path[1])
        case (.get, "objects", 1): return try listObjects(request)
        case (.get, "uploads", 1): return try listUploads(request)
        case (.get, "notifications", 1): return try listNotifications()
        case (.get, "journal", 1): return try readJournal(request)
        case (.get, "operations", 1): return try listOperations(request)
        case (.get, "operations", 2): return try showOperation(path[1])
        case (.get, "near-misses", 1): return listNearMisses()
        case (.post, "notes", 1): return try addNote(request)
        case (.post, "presets", 2): return try applyPreset(path[1], request)
        default: throw Problem.noSuchResource(request)
        }
    }
}
