import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalNet

extension HTTPResponse {
    static func json(_ value: JSON, _ status: HTTPStatus = .ok) -> HTTPResponse {
        json(bytes: value.bytes, status, type: "application/json")
    }

    static func json(_ message: some AdminMessage, _ status: HTTPStatus = .ok) -> HTTPResponse {
        json(message.json, status)
    }

    /// RFC 9457.
    static func problem(_ problem: Problem) -> HTTPResponse {
        json(bytes: problem.json.bytes, HTTPStatus(problem.status), type: Problem.contentType)
    }

    /// The admin API, described.
    static var openAPI: HTTPResponse { json(bytes: OpenAPI.document, .ok, type: "application/json") }

    /// What browsers and phones offer to install. https://www.rfc-editor.org/rfc/rfc7468.html#section-5
    static func authority(_ pem: String) -> HTTPResponse {
        json(bytes: Array(pem.utf8), .ok, type: "application/x-x509-ca-cert")
    }

    private static func json(bytes: [UInt8], _ status: HTTPStatus, type: String) -> HTTPResponse {
        var response = HTTPResponse(status, body: .bytes(bytes))
        response.add("Content-Type", type)
        response.add("Cache-Control", "no-store")
        return response
    }
}

extension Problem {
    static func badRequest(_ detail: String, pointer: String? = nil) -> Problem {
        Problem(title: "Bad request", status: 400, detail: detail, pointer: pointer)
    }

    static func noSuchResource(_ request: AdminRequest) -> Problem {
        Problem(
            title: "No such resource", status: 404,
            detail:
                "\(request.method) /_shoal/\(request.segments.joined(separator: "/")) is not part of the admin API."
        )
    }

    static func noSuchScope(_ name: String, among names: [String]) -> Problem {
        Problem(
            title: "No such scope", status: 404,
            detail: "There is no scope called '\(name)'; it was never made, was deleted, or was unused for too long.",
            nearest: NearestName.of(name, among: names))
    }

    static func scopeExists(_ name: String) -> Problem {
        Problem(title: "Scope exists", status: 409, detail: "There is a scope called '\(name)' already.")
    }

    static func scopeStays(_ name: String) -> Problem {
        Problem(
            title: "Scope stays", status: 409,
            detail:
                "The scope '\(name)' belongs to the server's own access key and cannot be deleted; reset it instead.")
    }

    static func tooManyScopes(_ count: Int) -> Problem {
        Problem(title: "Too many scopes", status: 409, detail: "There are \(count) scopes; delete some first.")
    }

    static let requestFaultsAreOff = Problem(
        title: "Request faults are off", status: 409,
        detail: "A URL that carries a fault is ignored here; start the server with --allow-request-faults.")

    static func noPort(_ error: SocketError) -> Problem {
        switch error {
        case .tooManyPorts(let count):
            Problem(
                title: "Too many ports", status: 409,
                detail: "\(count) scopes have a port of their own; end some first, or make this one without.")
        default: Problem(title: "No port", status: 503, detail: "The scope was not made: \(error).")
        }
    }

    static func isOfScope(_ scope: String, adminAt url: String) -> Problem {
        Problem(
            title: "Port of a scope", status: 404,
            detail: "This port belongs to the scope '\(scope)' and serves S3 only; the admin API is at \(url).")
    }

    init(_ error: RuleError) {
        let pointer: String? = if case .pointer(let pointer) = error.place { pointer } else { nil }
        self = .badRequest(error.description, pointer: pointer)
    }

    init(_ refusal: FaultPlan.Refusal) {
        switch refusal {
        case .noSuchRule(_, let nearest):
            self.init(title: "No such rule", status: 404, detail: refusal.message, nearest: nearest)
        case .duplicateID: self.init(title: "Duplicate rule", status: 409, detail: refusal.message)
        case .tooManyRules: self.init(title: "Too many rules", status: 409, detail: refusal.message)
        case .impossible, .noPrecedent, .noPort, .noProcess:
            self.init(title: "Impossible rule", status: 400, detail: refusal.message)
        }
    }
}
