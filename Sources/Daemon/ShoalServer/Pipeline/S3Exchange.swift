import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore

/// One S3 request on its way: head, verdict, operation, body, commit, answer, with a named point between each two.
///
/// `@unchecked Sendable`: every field is touched on the loop of the connection only; other threads hold the exchange while
/// they work for it and come back through `ConnectionHandle.resume`.
final class S3Exchange: Exchange, @unchecked Sendable {
    /// That of its sender; a form says only in its body who that is.
    private(set) var world: World
    let head: RequestHead
    let connection: ConnectionHandle
    let ordinal: Int
    let now: Timestamp
    lazy var identifiers = world.requestIDs.next()
    /// Set where the `Host` names a website: its answers are pages.
    let websiteBucket: [UInt8]?
    var route: Route?
    var trace: ExchangeTrace
    var faults: ExchangeFaults?
    /// Set once the fields of a form have come.
    var form: FormEvidence?
    var sink: (any BodySink)?
    var bodyTaken: UInt64 = 0
    var isBodyComplete = false
    /// Positions of the body at which a rule may strike, ascending.
    var bodyStops: ArraySlice<UInt64> = []
    /// Positions of the payload behind which a rule may strike, ascending.
    var storeStops: ArraySlice<UInt64> = []
    var responseStops: ArraySlice<ResponseStop> = []
    /// Of the answer's body.
    var responseByteCount: UInt64 = 0
    /// Set once a rule has changed the answer that is to come.
    var prepared: PreparedAnswer?
    /// What becomes of the connection after an injected answer.
    var ending = InjectedAnswer.Ending.keep
    /// The connection has passed `idle` behind this exchange.
    var isParked = false
    /// What follows the last byte of the body.
    var afterBody: (() -> Directive)?
    /// Reading for an injected answer: so many bytes at most, and no point of the body strikes.
    var drainLimit: UInt64?
    /// Set while the exchange waits at a gate.
    var gateTicket: Gates.Ticket?
    var firstBodyAt: UInt64 = 0
    /// What the store is to do wrong; nil if no rule asks for it.
    var effects: StoreEffects?
    /// The operation has begun, with the store it has.
    var isStoreSettled = false
    /// Looks the object of a read up; nil once that is over.
    var lookUp: (() -> Result<Step, any Error>)?
    /// The commit that a rule has put off: it is not this exchange's any more once that is over.
    var latecomer: Latecomer?
    /// The commit comes when the connection is gone.
    var isLate = false
    /// What the request itself wants to happen to it.
    var carried: CarriedRules?
    /// Set on a connection above a limit: the request is answered with it and not looked at.
    var refusal: Strike.Step?

    init(_ head: RequestHead, on connection: ConnectionHandle, ordinal: Int, in world: World) {
        self.head = head
        self.connection = connection
        self.ordinal = ordinal
        self.world = world
        now = world.now
        websiteBucket = head.first("host").flatMap(world.websites.bucket(inHost:))
        trace = ExchangeTrace(scope: world.journalScope, connection: connection.id, exchange: UInt32(clamping: ordinal))
    }
}

// MARK: - Scope

extension S3Exchange {
    /// The form was sent by a key of another scope than its head let expect.
    func move(to other: World) {
        world = other
        trace.move(to: other.journalScope)
        connection.belong(to: other)
        faults = nil
    }
}

// MARK: - Head

extension S3Exchange {
    func begin() -> Directive {
        let routed = Result { () throws(S3Error) in try findRoute() }
        route = try? routed.get()
        recordHead()
        if let refusal { return answer(refusal, at: .accept) }
        do throws(S3Error) {
            try takeCarriedRules()
        } catch {
            return refuse(error)
        }
        meetFaults()
        return pass(.requestHead) { self.judge(routed) }
    }

    private func findRoute() throws(S3Error) -> Route {
        guard let websiteBucket else { return try Route(head, under: world.domains) }
        return try world.route(head, toWebsiteOf: websiteBucket)
    }

    private func judge(_ routed: Result<Route, S3Error>) -> Directive {
        if websiteBucket != nil { return pass(.auth) { self.showPage(routed) } }
        do {
            let route = try routed.get()
            if route.operation == .putObject || route.operation == .uploadPart { try UploadLength.check(head) }
            let verdict = world.verdict(on: head, route, at: now)
            if isJudgedByBody(verdict, route) { return run(route, for: nil, .unsigned) }
            return pass(.auth) { self.admit(verdict, route) }
        } catch {
            return refuse(error)
        }
    }

    private func admit(_ verdict: Verdict, _ route: Route) -> Directive {
        do {
            if faults?.isRevoked == true { throw unknownKey }
            if faults?.isExpired == true { throw S3Error.expired(at: now, route.query) }
            if route.operation == .optionsPreflight { return try answerPreflight(route) }
            let isLenient = world.options.profile == .lenient
            switch verdict {
            case .rejected(let error): return explain(error, route)
            case .accepted(let authentication):
                trace.record(.auth(.init(.accepted, scopeTime: now.milliseconds)))
                let caller = world.accounts.caller(of: authentication.permanentAccessKeyId)
                return run(route, for: caller, authentication.payload, authentication.signing(at: now))
            case .anonymous(let payload):
                guard isLenient else {
                    trace.record(.auth(.init(.anonymous, scopeTime: now.milliseconds)))
                    return run(route, for: nil, payload)
                }
                return refused(S3Error(.accessDenied), "The request carries no signature.", route)
            }
        } catch {
            return refuse(error)
        }
    }

    func run(
        _ route: Route, for caller: Accounts.Caller?, _ payload: PayloadExpectation,
        _ signing: PolicyRequest.Signing? = nil
    ) -> Directive {
        do {
            if let refusal = route.methodNotAllowed { throw refusal }
            try payload.checkAllowed(for: route.operation)
            let request = S3Request(
                head: head, route: route, caller: caller, payload: payload, now: now, lane: connection.lane,
                peer: connection.peer, isSecure: connection.isSecure, signing: signing, identifiers: identifiers)
            let operation = try request.operation()
            let world = settleStore()
            guard route.operation.readsObject, faults != nil || world.plan.isArmed else {
                return follow(try operation.start(in: world))
            }
            return open { Result { try operation.start(in: world) } }
        } catch {
            return refuse(error)
        }
    }

    /// A refusal is recorded with its diagnosis, which is made on a thread of its own, and let pass by the lenient profile.
    private func explain(_ error: S3Error, _ route: Route) -> Directive {
        if let stranger = strangerAtPort(error) { return refused(error, stranger, route) }
        let (world, head, now, connection) = (world, head, now, connection)
        let isAsked = world.explanations.run {
            let diagnosis = world.diagnosis(of: head, route, at: now)
            connection.resume { self.refused(error, diagnosis.summary, route) }
        }
        return isAsked ? .suspend : refused(error, Self.unexplained, route)
    }

    /// A key that is good, but not at the port of another scope.
    private func strangerAtPort(_ error: S3Error) -> String? {
        guard error.code == .invalidAccessKeyId, connection.port != nil,
            let owner = ClaimedAccessKey(head).flatMap({ world.facilities.worlds.owner(ofKey: $0.accessKeyId) })
        else { return nil }
        return
            "The key belongs to the scope '\(owner.name)', and this port to '\(world.name)', which takes its own key "
            + "only; send it to \(owner.publicURL)."
    }

    private static let unexplained = "Too many requests are refused at once to explain each; `shoal explain` tells why."

    private func refused(_ error: S3Error, _ diagnosis: String, _ route: Route) -> Directive {
        guard noteRefusal(error, diagnosis, route) else { return refuse(error) }
        return run(route, for: world.accounts.main, PayloadExpectation(unverified: head))
    }

    /// Writes down that the sender is refused, and why; true if the profile lets it pass all the same.
    func noteRefusal(_ error: S3Error, _ diagnosis: String, _ route: Route?) -> Bool {
        let isLenient = world.options.profile == .lenient
        trace.record(
            .auth(
                .init(
                    isLenient ? .tolerated : .refused, code: error.code, diagnosis: diagnosis,
                    scopeTime: now.milliseconds)))
        world.log.info(
            isLenient ? "S3 would have said: \(error.status.code) \(error.code.rawValue)" : "refused",
            ["operation": route?.operation.rawValue ?? "?", "code": error.code.rawValue, "why": diagnosis])
        return isLenient
    }
}

extension Authentication {
    /// What a policy may ask about the signature.
    fileprivate func signing(at now: Timestamp) -> PolicyRequest.Signing {
        let (kind, version): (PolicyRequest.Signing.Kind, String) =
            switch mechanism {
            case .headerV4: (.header, "AWS4-HMAC-SHA256")
            case .queryV4: (.query, "AWS4-HMAC-SHA256")
            case .headerV2: (.header, "AWS")
            case .queryV2: (.query, "AWS")
            case .form: (.form, "AWS4-HMAC-SHA256")
            }
        return PolicyRequest.Signing(
            kind: kind, version: version, ageMilliseconds: issued.map { now.milliseconds - $0.milliseconds })
    }
}
