import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSTS
import ShoalSigV4

/// One request to the Security Token Service: its body is gathered, its signature judged, and answered on the loop, for
/// all of it is computing of microseconds.
///
/// It is in the journal as a note, with its verdict. Fault rules are about operations of S3 and do not meet it.
final class SecurityTokenExchange: Exchange {
    private let world: World
    private let head: RequestHead
    private let now: Timestamp
    private let identifiers: RequestIdentifiers
    private var trace: ExchangeTrace
    private var body: [UInt8] = []
    private var responseByteCount: UInt64 = 0

    init(_ head: RequestHead, on connection: ConnectionHandle, ordinal: Int, in world: World) {
        self.head = head
        self.world = world
        now = world.now
        identifiers = world.requestIDs.next()
        trace = ExchangeTrace(scope: world.journalScope, connection: connection.id, exchange: UInt32(clamping: ordinal))
    }

    func begin() -> Directive {
        let byteCount: UInt64? = if case .length(let count) = head.framing { count } else { nil }
        trace.record(
            .requestHead(
                .init(
                    method: String(decoding: head.methodText, as: UTF8.self), operation: .unknown,
                    contentLength: byteCount)))
        return .receiveBody
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive {
        guard body.count + bytes.count <= STSAction.bodyByteCountMax else {
            return respond(
                .failure(STSError(.malformedQueryString, "A request has at most \(STSAction.bodyByteCountMax) bytes.")))
        }
        body.append(contentsOf: bytes)
        return .receiveBody
    }

    func bodyEnded() -> Directive {
        respond(
            Result { () throws(STSError) in
                let sender = try sender()
                let action = try STSAction(query: head.query, body: body)
                trace.record(.note("\(action.name) of the Security Token Service"))
                return try SecurityTokenService(world).answer(action, to: sender, at: now)
            })
    }

    /// Whoever signed; the first account where the lenient profile lets a refusal pass.
    private func sender() throws(STSError) -> SecurityTokenService.Sender {
        let refusal: STSError
        switch world.authenticator.verify(
            head, body: body, service: "sts", at: now, lookup: world.accounts.credential(of:))
        {
        case .accepted(let authentication):
            trace.record(.auth(.init(.accepted, scopeTime: now.milliseconds)))
            return .init(accessKeyId: authentication.permanentAccessKeyId, session: authentication.session)
        case .anonymous:
            refusal = STSError(.missingAuthenticationToken, "Request is missing Authentication Token")
        case .rejected(let error): refusal = STSError(rejection: error)
        }
        let isLenient = world.options.profile == .lenient
        trace.record(
            .auth(
                .init(
                    isLenient ? .tolerated : .refused, diagnosis: refusal.code.rawValue, scopeTime: now.milliseconds)))
        world.log.info(
            isLenient ? "AWS would have said: \(refusal.code.status.code) \(refusal.code.rawValue)" : "refused",
            ["service": "sts", "code": refusal.code.rawValue])
        guard isLenient else { throw refusal }
        return .init(accessKeyId: Array(world.accounts.main.accessKey.utf8))
    }

    private func respond(_ result: Result<STSResult, STSError>) -> Directive {
        var response: HTTPResponse
        switch result {
        case .success(let result):
            response = HTTPResponse(.ok, body: .bytes(result.document(requestID: identifiers.requestID)))
        case .failure(let error):
            response = HTTPResponse(
                error.code.status, body: .bytes(error.document(requestID: identifiers.requestID)))
        }
        response.add("x-amzn-RequestId", identifiers.requestID)
        response.add("Content-Type", "text/xml")
        // Nobody in between may keep a secret.
        response.add("Cache-Control", "no-store")
        response.add("Date") { now.appendHTTPDate(to: &$0) }
        responseByteCount = response.body.byteCount
        trace.record(.responseHead(.init(response.status)))
        world.journal.publish(&trace)
        return .respond(response)
    }

    func bodyCut(_ cut: BodyCut) -> Directive {
        respond(.failure(STSError(.malformedQueryString, "The request body terminated unexpectedly")))
    }

    func responseSent() -> Directive {
        trace.record(.responseEnd(bytes: responseByteCount))
        world.journal.publish(&trace)
        return .proceed
    }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) {
        trace.record(.connectionClosed(JournalEvent.Closing(end)))
        world.journal.publish(&trace)
    }

    var bodyPause: UInt64? { nil }
    var responsePause: ResponsePause? { nil }
    func reachedBodyPause() -> Directive { .receiveBody }
    func reachedResponsePause() -> Directive { .sendOn }
}
