import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalLog
import ShoalS3

/// What the server can say about points and actions.
enum SelfDescription {
    static let points: JSON = [
        "points": .array(
            FaultPoint.allCases.map { point in
                ["name": .string(point.rawValue), "moment": .string(point.moment), "stored": .bool(point.isStored)]
            })
    ]

    static let actions: JSON = [
        "actions": .array(
            FaultAction.Name.allCases.map { name in
                [
                    "name": .string(name.rawValue), "effect": .string(name.effect),
                    "parameters": .array(name.parameters.map { .string($0) }),
                ]
            })
    ]
}

extension JournalEvent {
    /// Whether it tells what a rule did, or that one was put in force.
    fileprivate var isAboutRules: Bool {
        switch kind {
        case .fault, .ruleAdded: true
        default: false
        }
    }
}

extension AdminService {
    func addRules(_ request: AdminRequest) throws -> HTTPResponse {
        let document = try rules(in: request)
        let ids = try world.plan.add(document.rules, seed: document.seed)
        return try answerAdded(ids, .created)
    }

    func replaceRules(_ request: AdminRequest) throws -> HTTPResponse {
        let document = try rules(in: request)
        let ids = try world.plan.replaceAll(with: document.rules, seed: document.seed)
        return try answerAdded(ids, .ok)
    }

    func removeRule(_ id: String) throws -> HTTPResponse {
        try world.plan.remove(id)
        world.journal.append(.ruleRemoved(id: id), in: scope)
        return HTTPResponse(.noContent)
    }

    /// Lays the body, a merge patch, over the JSON form of the rule; its counters begin anew.
    func changeRule(_ id: String, _ request: AdminRequest) throws -> HTTPResponse {
        let present = try world.plan.status(of: id).rule
        let patch: JSON
        do throws(JSONParser.Flaw) {
            patch = try JSONParser.parse(request.body)
        } catch {
            throw Problem.badRequest("\(error.message), at byte \(error.offset)", pointer: error.pointer)
        }
        guard case .object = patch else { throw Problem.badRequest("an object is due here, not \(patch.kind)") }
        let rule = try FaultRule(json: present.json.merging(patch))
        guard rule.id == id else {
            throw Problem.badRequest("a rule keeps its id; add one called otherwise instead", pointer: "/id")
        }
        try world.plan.replace(id, with: rule)
        let status = try world.plan.status(of: id)
        world.journal.append(.ruleAdded(id: id, line: status.rule.line, seed: status.seed), in: scope)
        return .json(RuleView(status))
    }

    /// The rules with what they did so far, to be put in force again.
    func schedule() throws -> HTTPResponse {
        let statuses = world.plan.list()
        var events: [JournalEvent] = []
        var since: UInt64 = 0
        repeat {
            let page = world.journal.read(scope: scope, since: since, limit: Self.schedulePageCount)
            events += page.events.filter(\.isAboutRules)
            guard page.events.count == Self.schedulePageCount else { break }
            since = page.next
        } while true
        return .json(try RuleDocument(scheduling: statuses, after: events).json)
    }

    private static let schedulePageCount = 10_000

    func clearRules() -> HTTPResponse {
        for status in world.plan.list() { world.journal.append(.ruleRemoved(id: status.rule.id ?? ""), in: scope) }
        world.clearRules()
        return HTTPResponse(.noContent)
    }

    private func answerAdded(_ ids: [String], _ status: HTTPStatus) throws -> HTTPResponse {
        let statuses = try ids.map(world.plan.status(of:))
        for (id, status) in zip(ids, statuses) {
            world.journal.append(.ruleAdded(id: id, line: status.rule.line, seed: status.seed), in: scope)
        }
        var response = HTTPResponse.json(RuleList(rules: statuses.map(RuleView.init)), status)
        if ids.count == 1 { response.add("Location", AdminPath.rule(world.name, id: ids[0])) }
        return response
    }

    private func rules(in request: AdminRequest) throws -> RuleDocument {
        guard !request.body.isEmpty else { throw Problem.badRequest("the body holds no rule") }
        return try RuleDocument(request.body)
    }

    // MARK: Gates and time

    func releaseGate(_ name: String) -> HTTPResponse {
        let count = world.gates.release(name)
        world.journal.append(.gateReleased(name: name, resumed: count), in: scope)
        return .json(["gate": .string(name), "released": .integer(Int64(count))])
    }

    private var realNow: Timestamp { Timestamp(milliseconds: SystemClock.wallMilliseconds()) }

    var clockReading: JSON { world.clock.reading(real: realNow).json }

    func changeClock(_ request: AdminRequest) throws -> HTTPResponse {
        let json: JSON
        do throws(JSONParser.Flaw) {
            json = try JSONParser.parse(request.body)
        } catch {
            throw Problem.badRequest("\(error.message), at byte \(error.offset)", pointer: error.pointer)
        }
        setClock(try ScopeClock.Change(json: json))
        return .json(clockReading)
    }

    /// Changes the scope's time; what lifecycle rules do in it is done when this returns.
    func setClock(_ change: ScopeClock.Change) {
        world.clock.apply(change, real: realNow)
        let reading = world.clock.reading(real: realNow)
        world.journal.append(
            .clockSet(scopeTime: reading.now.milliseconds, isFrozen: reading.isFrozen), in: scope)
        // Whoever lets a day pass finds its cleanup done.
        do {
            _ = try world.lifecycle.sweep(world.sweptScope)
        } catch {
            world.log.error("a lifecycle could not do what is due", ["cause": "\(error)"])
        }
    }
}
