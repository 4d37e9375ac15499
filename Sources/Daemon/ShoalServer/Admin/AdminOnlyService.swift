import ShoalAdminAPI
import ShoalHTTP
import ShoalNet

/// The admin API on a port of its own.
final class AdminOnlyService: HTTPService {
    private let admin: AdminAPI

    init(_ admin: AdminAPI) { self.admin = admin }

    func opened(_ connection: ConnectionHandle) -> Directive { .proceed }

    func exchange(for head: RequestHead, on connection: ConnectionHandle, ordinal: Int) -> any Exchange {
        AdminExchange(head, connection, admin)
    }

    func answer(to refusal: HeadRefusal, on connection: ConnectionHandle) -> HTTPResponse {
        .problem(Problem(title: "Not HTTP/1.1", status: refusal.status.code, detail: refusal.reason))
    }

    func turnEnded(lane: Int) {}

    func closed(_ connection: ConnectionHandle, _ end: ConnectionEnd, after history: ConnectionHistory) {}
}
