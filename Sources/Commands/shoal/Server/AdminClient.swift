import ShoalAdminAPI
import ShoalHTTPClient

/// Talks to the admin API of a running server.
struct AdminClient {
    let base: BaseURL
    let scope: String
    private let token: String?
    private let client: HTTPClient

    /// From `ServerOptions`; throws a `UsageError`, or where libcurl is missing. `trustsLoopback`: a server of this machine
    /// need not show who it is.
    init(_ arguments: ParsedArguments, trustsLoopback: Bool = false) throws {
        let isMoved = arguments.value(ServerOptions.adminEndpoint) != nil
        let option = isMoved ? ServerOptions.adminEndpoint : ServerOptions.endpoint
        base = try BaseURL(arguments.value(option) ?? "", in: "--\(option.name)")
        scope = arguments.value(ServerOptions.scope) ?? AdminPath.defaultScope
        token = try SecretOptions.secret(
            ServerOptions.adminToken, orFile: ServerOptions.adminTokenFile, in: arguments)
        let trustsAnybody = trustsLoopback && base.isLoopback
        client = try trustsAnybody ? HTTPClient(trusting: .anybody) : ServerOptions.client(arguments)
    }

    /// Of a server that is known without arguments.
    init(base: BaseURL, scope: String = AdminPath.defaultScope) throws {
        (self.base, self.scope, token) = (base, scope, nil)
        client = try HTTPClient()
    }

    /// The answer's body; throws a `ServerRefusal` for any status but 2xx. No limit of time if that is 0.
    func send(
        _ method: String, _ path: String, query: [(String, String)] = [], body: [UInt8]? = nil,
        timeoutMilliseconds: Int = 30_000
    ) throws -> [UInt8] {
        let response = try reachable { () throws(HTTPClientError) in
            try client.send(
                request(method, path, query: query, body: body, timeoutMilliseconds: timeoutMilliseconds))
        }
        guard (200...299).contains(response.status) else { throw ServerRefusal(response) }
        return response.body
    }

    func get<Message: AdminMessage>(_ type: Message.Type, _ path: String) throws -> Message {
        try type.init(decoding: send("GET", path))
    }

    /// Hands over the lines of an answer as they arrive, until it ends or `onLine` returns false.
    func stream(
        _ path: String, query: [(String, String)] = [], accept: String, onLine: (ArraySlice<UInt8>) -> Bool
    ) throws {
        try withoutActuallyEscaping(onLine) { onLine in
            var lines = LineSplitter()
            var refusal: [UInt8] = []
            let response = try reachable { () throws(HTTPClientError) in
                try client.send(
                    request("GET", path, query: query, accept: accept),
                    onData: { status, bytes in
                        guard status == 200 else {
                            refusal += bytes
                            return true
                        }
                        return lines.feed(bytes, onLine)
                    })
            }
            guard response.status == 200 else { throw ServerRefusal(status: response.status, body: refusal) }
        }
    }

    private func request(
        _ method: String, _ path: String, query: [(String, String)], body: [UInt8]? = nil,
        accept: String = "application/json", timeoutMilliseconds: Int = 0
    ) -> HTTPClient.Request {
        let parameters = query.map { "\($0.0)=\(AdminPath.segment($0.1))" }.joined(separator: "&")
        var headers = [(name: "Accept", value: accept)]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return HTTPClient.Request(
            method: method, url: base.description + path + (parameters.isEmpty ? "" : "?" + parameters),
            headers: headers, body: body.map { .bytes($0) } ?? .none, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Turns "connection refused" into what to do about it.
    private func reachable<Result>(_ body: () throws(HTTPClientError) -> Result) throws -> Result {
        do {
            return try body()
        } catch {  // Only here is known which server was meant.
            throw ServerUnreachable(base: base, error: error)
        }
    }
}

/// The server answered, and the answer is no: exit code 4.
struct ServerRefusal: Error, CustomStringConvertible {
    let status: Int
    let problem: Problem?

    init(_ response: HTTPClient.Response) { self.init(status: response.status, body: response.body) }

    init(status: Int, body: [UInt8]) {
        self.status = status
        // A body that is no problem document, of a proxy for instance, leaves the status to speak.
        problem = try? Problem(decoding: body)
    }

    var description: String {
        if status == 401 || status == 403, problem?.detail == nil {
            return "the server wants another token (\(status)); set --admin-token or SHOAL_ADMIN_TOKEN"
        }
        guard let problem else { return "the server answered \(status); is this a Shoal server?" }
        var text = problem.detail ?? problem.title
        if let pointer = problem.pointer, !pointer.isEmpty { text = "\(pointer): \(text)" }
        if let nearest = problem.nearest, !text.contains(nearest) {
            if text.hasSuffix(".") { text.removeLast() }
            text += "; did you mean '\(nearest)'?"
        }
        return text
    }
}

/// No answer at all: exit code 4 as well.
struct ServerUnreachable: Error, CustomStringConvertible {
    let base: BaseURL
    let error: HTTPClientError

    var description: String {
        switch error {
        case .untrusted(let reason):
            "the certificate of \(base) is not trusted (\(reason)): give --cacert FILE, or set SHOAL_CA_BUNDLE, with what "
                + "`shoal serve --tls` names at its start; `shoal ca --endpoint \(base)` prints it"
        case .unreachable, .transfer:
            "no answer from \(base) (\(error)): is `shoal serve` running? Set --endpoint or SHOAL_ENDPOINT"
        case .libraryMissing, .file:
            error.description
        }
    }
}
