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
        guard request.route == .verify || request.route == .wait else { return nil }
        let service = try service(for: request)
        return request.route == .verify
            ? (.verify(try VerifyRequest(decoding: request.body)), service)
            : (.wait(try WaitRequest(decoding: request.body)), service)
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

    /// What the request's scope does. Throws for a scope that is not there.
    private func service(for request: AdminRequest) throws(Problem) -> AdminService {
        AdminService(try world(request.values.first ?? ""), self)
    }

    private func route(_ request: AdminRequest) throws -> HTTPResponse {
        switch request.route {
        case nil: throw Problem.noSuchResource(request)
        case .readHealth: return .json(Health(version: shoalVersion))
        case .describeAPI: return .openAPI
        case .listPoints: return .json(SelfDescription.points)
        case .listActions: return .json(SelfDescription.actions)
        case .listChecks: return .json(SelfDescription.checks)
        case .listPresets: return try describePresets()
        case .showPreset: return try describePresets(request.values[0])
        case .readAuthority: return try authority()
        case .explainRequest: return try explain(request)
        case .resetServer: return try resetAll()
        case .listScopes: return .json(ScopeList(scopes: scopes.list()))
        case .createScope: return try createScope(request)
        case .showScope: return .json(try scopes.view(request.values[0]))
        case .deleteScope: return .json(try scopes.delete(request.values[0]))
        default: return try service(for: request).answer(request)
        }
    }

    private func createScope(_ request: AdminRequest) throws -> HTTPResponse {
        // A body says nothing that has no usual value.
        let wanted = request.body.isEmpty ? CreateScopeRequest() : try CreateScopeRequest(decoding: request.body)
        let scope = try scopes.create(wanted)
        var response = HTTPResponse.json(scope, .created)
        response.add("Location", AdminPath.scope(scope.scope))
        return response
    }

    private func authority() throws(Problem) -> HTTPResponse {
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

    /// The answer to what needs neither a stream nor a wait.
    func answer(_ request: AdminRequest) throws -> HTTPResponse {
        // Of a rule, a gate, an operation or a preset of the scope.
        let name = request.values.last ?? ""
        switch request.route {
        case .resetScope: return try reset()
        case .mintURL: return try mintURL(request)
        case .makeCredentials: return try makeCredentials(request)
        case .listRules: return .json(RuleList(rules: world.plan.list().map(RuleView.init)))
        case .addRules: return try addRules(request)
        case .replaceRules: return try replaceRules(request)
        case .clearRules: return clearRules()
        case .showRule: return .json(RuleView(try world.plan.status(of: name)))
        case .changeRule: return try changeRule(name, request)
        case .removeRule: return try removeRule(name)
        case .readSchedule: return try schedule()
        case .applyPreset: return try applyPreset(name, request)
        case .releaseGate: return releaseGate(name)
        case .readClock: return .json(clockReading)
        case .changeClock: return try changeClock(request)
        case .runLifecycle: return .json(try world.lifecycle.sweep(world.sweptScope))
        case .listObjects: return try listObjects(request)
        case .listUploads: return try listUploads(request)
        case .listNotifications: return try listNotifications()
        case .readJournal: return try readJournal(request)
        case .addNote: return try addNote(request)
        case .listOperations: return try listOperations(request)
        case .showOperation: return try showOperation(name)
        case .listNearMisses: return listNearMisses()
        default: throw Problem.noSuchResource(request)
        }
    }
}
