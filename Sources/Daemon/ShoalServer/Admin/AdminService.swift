import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3
import Synchronization

/// The admin API: what a test asks of the server beside S3. Its requests may wait for the disk and run on the pool.
final class AdminService: Sendable {
    static let prefix = Array("/_shoal/".utf8)
    static let bodyByteCountMax = 1 << 20

    let world: World
    let scope: JournalScope
    private let guardian: AdminGuard
    /// One reset at a time: each ends with the start state whole.
    let resetting = Mutex(())

    init(_ world: World, scope: JournalScope, guardian: AdminGuard) {
        self.world = world
        self.scope = scope
        self.guardian = guardian
    }

    /// The answer to a request that is not a stream. Blocking.
    func answer(_ request: AdminRequest) -> HTTPResponse {
        do {
            return try route(request)
        } catch let problem as Problem {
            return .problem(problem)
        } catch let error as MalformedMessage {
            return .problem(.badRequest(error.reason, pointer: error.pointer))
        } catch let error as RuleError {
            return .problem(Problem(error))
        } catch let error as FaultPlan.Refusal {
            return .problem(Problem(error))
        } catch {
            world.log.error("an admin request failed", ["cause": "\(error)"])
            return .problem(
                Problem(title: "Internal error", status: 500, detail: "See the server's log for the cause."))
        }
    }

    /// Why the request may not be answered at all; nil if it may.
    func refusal(of head: RequestHead) -> Problem? { guardian.refusal(of: head) }

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
        case (.post, "explain", 1): return try explain(request)
        case (.post, "reset", 1): return try reset()
        case (.get, "scopes", 1):
            let view = ScopeView(scope: AdminPath.defaultScope, accessKeyId: world.accounts.main.accessKey)
            return .json(ScopeList(scopes: [view]))
        case (_, "scopes", 3...):
            guard path[1] == AdminPath.defaultScope else { throw Problem.noSuchScope(path[1]) }
            return try routeScope(request, Array(path.dropFirst(2)))
        case (_, "presets", _), (_, "openapi.json", _), (.post, "scopes", 1), (.delete, "scopes", _):
            throw Problem.notBuilt(request)
        default: throw Problem.noSuchResource(request)
        }
    }

    private func routeScope(_ request: AdminRequest, _ path: [String]) throws -> HTTPResponse {
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
        case (.get, "clock", 1): return .json(clockReading)
        case (.put, "clock", 1): return try changeClock(request)
        case (.post, "lifecycle", 1): return .json(try world.lifecycle.sweep())
        case (.post, "gates", 3) where path[2] == "release": return releaseGate(path[1])
        case (.get, "objects", 1): return try listObjects(request)
        case (.get, "uploads", 1): return try listUploads(request)
        case (.get, "notifications", 1): return try listNotifications()
        case (.get, "journal", 1): return try readJournal(request)
        case (_, "rules", 2), (_, "operations", _), (_, "wait", _), (_, "verify", _),
            (_, "presets", _):
            throw Problem.notBuilt(request)
        default: throw Problem.noSuchResource(request)
        }
    }
}
