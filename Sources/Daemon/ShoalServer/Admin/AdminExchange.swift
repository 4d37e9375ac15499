import ShoalAdminAPI
import ShoalHTTP
import ShoalNet
import ShoalS3

/// One request to the admin API: its body is gathered, then answered on the pool.
///
/// `@unchecked Sendable`: touched on the loop of its connection only; the pool comes back through
/// `ConnectionHandle.resume`.
final class AdminExchange: Exchange, @unchecked Sendable {
    private let head: RequestHead
    private let connection: ConnectionHandle
    private let api: AdminAPI
    /// Why nothing of the admin API is here at all.
    private let misplacement: Problem?
    private var body: [UInt8] = []
    private var stream: JournalStream?
    private var wait: AdminWait?

    init(
        _ head: RequestHead, _ connection: ConnectionHandle, _ api: AdminAPI, misplacement: Problem? = nil
    ) {
        self.misplacement = misplacement
        self.head = head
        self.connection = connection
        self.api = api
    }

    func begin() -> Directive {
        if let problem = misplacement ?? api.refusal(of: head) { return respond(.problem(problem)) }
        let request = AdminRequest(head, body: [])
        if let scope = request.streamedScope { return follow(scope, request) }
        return .receiveBody
    }

    private func follow(_ scope: String, _ request: AdminRequest) -> Directive {
        do throws(Problem) {
            let world = try api.world(scope)
            let since = try request.number("since", in: 0...UInt64(Int64.max), otherwise: world.journal.lastSeq)
            let stream = JournalStream(connection, world, since: since)
            self.stream = stream
            return stream.begin()
        } catch {
            return respond(.problem(error))
        }
    }

    private func respond(_ answer: HTTPResponse) -> Directive { Self.directive(answer, to: head, api) }

    private static func directive(_ answer: HTTPResponse, to head: RequestHead, _ api: AdminAPI) -> Directive {
        var response = answer
        response.add("Date") { api.main.now.appendHTTPDate(to: &$0) }
        if head.method == .head { response.dropBody(isVersion1_0: head.isVersion1_0) }
        return .respond(response)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive {
        guard body.count + bytes.count <= AdminAPI.bodyByteCountMax else {
            return respond(
                .problem(Problem(title: "Too large", status: 413, detail: "An admin request has at most 1 MiB.")))
        }
        body.append(contentsOf: bytes)
        return .receiveBody
    }

    func bodyEnded() -> Directive {
        let request = AdminRequest(head, body: body)
        do {
            if let (wish, service) = try api.wish(of: request) {
                let wait = AdminWait(wish, connection, service) { [api, head] in Self.directive($0, to: head, api) }
                self.wait = wait
                return wait.begin()
            }
        } catch {  // Refused before it could wait.
            return respond(api.answer(to: error))
        }
        let pool = request.waitsForLifecycles ? api.main.facilities.sweeps : api.main.pool
        pool.run { [api, connection] in
            let response = api.answer(request)
            connection.resume { self.respond(response) }
        }
        return .suspend
    }

    func bodyCut(_ cut: BodyCut) -> Directive { respond(.problem(.badRequest("the body ends early"))) }

    func responseSent() -> Directive { stream?.responseSent() ?? .proceed }

    func serverStops() -> Directive? {
        guard wait != nil else { return stream?.serverStops() }
        return respond(.problem(Problem(title: "Stopping", status: 503, detail: "The server stops; ask the next one.")))
    }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) {
        wait?.lost()
        stream?.lost(end, sentByteCount: sentByteCount)
    }

    var bodyPause: UInt64? { nil }
    var responsePause: ResponsePause? { nil }
    func reachedBodyPause() -> Directive { .receiveBody }
    func reachedResponsePause() -> Directive { .sendOn }
}
