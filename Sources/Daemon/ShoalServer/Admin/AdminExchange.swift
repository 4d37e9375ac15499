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
    private let service: AdminService
    private var body: [UInt8] = []
    private var stream: JournalStream?

    init(_ head: RequestHead, _ connection: ConnectionHandle, _ service: AdminService) {
        self.head = head
        self.connection = connection
        self.service = service
    }

    func begin() -> Directive {
        if let problem = service.refusal(of: head) { return respond(.problem(problem)) }
        if head.method == .get, head.path.elementsEqual(AdminPath.journalStream(AdminPath.defaultScope).utf8) {
            return follow()
        }
        return .receiveBody
    }

    private func follow() -> Directive {
        let request = AdminRequest(head, body: [])
        do throws(Problem) {
            let since = try request.number("since", in: 0...UInt64(Int64.max), otherwise: service.world.journal.lastSeq)
            let stream = JournalStream(connection, service, since: since)
            self.stream = stream
            return stream.begin()
        } catch {
            return respond(.problem(error))
        }
    }

    private func respond(_ answer: HTTPResponse) -> Directive {
        var response = answer
        response.add("Date") { service.world.now.appendHTTPDate(to: &$0) }
        if head.method == .head { response.dropBody(isVersion1_0: head.isVersion1_0) }
        return .respond(response)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Directive {
        guard body.count + bytes.count <= AdminService.bodyByteCountMax else {
            return respond(
                .problem(Problem(title: "Too large", status: 413, detail: "An admin request has at most 1 MiB.")))
        }
        body.append(contentsOf: bytes)
        return .receiveBody
    }

    func bodyEnded() -> Directive {
        let request = AdminRequest(head, body: body)
        let pool = request.waitsForLifecycles ? service.world.sweeps : service.world.pool
        pool.run { [service, connection] in
            let response = service.answer(request)
            connection.resume { self.respond(response) }
        }
        return .suspend
    }

    func bodyCut(_ cut: BodyCut) -> Directive { respond(.problem(.badRequest("the body ends early"))) }

    func responseSent() -> Directive { stream?.responseSent() ?? .proceed }

    func serverStops() -> Directive? { stream?.serverStops() }

    func lost(_ end: ConnectionEnd, sentByteCount: UInt64) { stream?.lost(end, sentByteCount: sentByteCount) }

    var bodyPause: UInt64? { nil }
    var responsePause: ResponsePause? { nil }
    func reachedBodyPause() -> Directive { .receiveBody }
    func reachedResponsePause() -> Directive { .sendOn }
}
