import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// One rule that strikes one request once.
struct WireStrike: Sendable, CustomTestStringConvertible {
    static let size = 100_000
    static let half = 50_000
    /// What has left of an answer at `response.head.at`.
    static let statusLine = "HTTP/1.1 200 OK\r\n"

    let point: FaultPoint
    let action: FaultAction.Name
    /// PutObject, or GetObject of an object that is there.
    let isUpload: Bool
    /// Whether the request goes over TLS; what is about TLS always does.
    var isSecure = false
    /// The action with its parameters; nil for those that every test of its name is content with.
    var text: String?

    var testDescription: String { line }

    /// The rule in one line.
    var line: String {
        let site =
            switch point {
            case .responseHeadAt: "\(point.rawValue)(\(Self.statusLine.utf8.count))"
            default: point.takesPosition ? "\(point.rawValue)(50%)" : point.rawValue
            }
        // Before a request no operation is known that could be matched.
        guard !point.precedesRequest else { return "@\(point.rawValue) 1*\(actionText)" }
        return "\(isUpload ? "PutObject" : "GetObject") a @\(site) 1*\(actionText) per=rule"
    }

    private var actionText: String {
        if let text { return text }
        return switch action {
        case .reset, .close, .hang, .expire, .blackhole, .halfClose, .abandon, .dropAll: action.rawValue
        case .closeIdle: "closeIdle(100ms)"
        case .dropHeader, .setHeader, .wrongLength, .extraInformational, .noContinue, .missingTerminator,
            .truncateHead, .truncateBody, .garbage, .duplicateResponse, .respondEarly, .foreignPage, .redirect,
            .throttle, .dribble, .stallBursts, .wrongETag, .wrongChecksumHeader, .loseWrite, .tornWrite, .corruptStored,
            .corruptRead, .visibility, .staleRead, .diskFull, .ioError, .crash, .refuse, .connectHang,
            .connectionLimit, .tlsHang, .tlsClose, .tlsAlert, .tlsCert, .tlsTruncate:
            FaultAction.example(of: action).text
        case .duplicate: "duplicate(3)"
        case .zombie: "zombie"
        case .revoke: "revoke"
        case .pin: "pin(contentType=image/png)"
        case .quota: "quota(requests=0/day,then=AccessDenied)"
        case .slowDisk: "slowDisk(150ms)"
        case .delay: "delay(150ms)"
        case .respond: "respond(503,SlowDown,retryAfter=7)"
        case .pause: "pause(gate)"
        }
    }

    var isPossible: Bool {
        guard point != .listen else { return action == .refuse || action == .connectHang }
        return switch action {
        case .refuse, .connectHang: false
        case .connectionLimit: point == .accept
        case .respond: point > .requestLine && !point.isAfterResponseBegan
        case .expire, .revoke, .pin, .quota: point == .auth
        case .closeIdle: point > .requestLine
        case .dropHeader, .setHeader, .wrongLength, .extraInformational, .missingTerminator, .truncateHead,
            .truncateBody, .garbage, .duplicateResponse, .foreignPage, .redirect, .wrongETag, .wrongChecksumHeader:
            point > .requestLine && !point.isAfterResponseBegan
        case .respondEarly: [.requestHead, .continueDue, .auth, .bodyAt, .storeWrite].contains(point)
        case .noContinue: point == .continueDue
        case .loseWrite, .tornWrite, .corruptStored, .duplicate, .visibility, .diskFull:
            point >= .requestHead && point <= .commitBefore && point != .readOpen
        case .corruptRead, .staleRead: [.requestHead, .auth, .readOpen].contains(point)
        case .ioError, .slowDisk: point >= .requestHead && point <= .commitBefore
        case .zombie: point == .commitBefore
        // Proven with processes, by `A server that a rule crashes`.
        case .crash: point != .listen
        case .throttle, .dribble, .stallBursts: point > .requestLine && point < .responseEnd
        case .tlsHang, .tlsClose, .tlsAlert, .tlsCert: point == .tlsHello
        case .tlsTruncate: point > .tlsHello
        case .reset, .close, .hang, .blackhole, .halfClose, .abandon, .dropAll, .delay, .pause: true
        }
    }

    /// Whether a request of its kind passes the point, and does what the action is about.
    var isReached: Bool {
        switch action {
        case .loseWrite, .tornWrite, .corruptStored, .duplicate, .visibility, .diskFull, .zombie:
            if !isUpload { return false }
        case .corruptRead, .staleRead: if isUpload { return false }
        default: break
        }
        return switch point {
        case .accept, .tlsHello, .tlsDone, .requestLine, .requestHead, .auth, .responseHeadAt, .responseHead,
            .responseEnd, .idle:
            true
        case .continueDue, .bodyAt, .storeWrite, .bodyEnd, .commitBefore, .commitAfter: isUpload
        // No request comes by.
        case .listen: false
        // An answer to PUT has no body.
        case .responseAt, .readOpen, .readAt: !isUpload
        }
    }

    static let all = FaultPoint.allCases.flatMap { point in
        FaultAction.Name.allCases.flatMap { action in
            [true, false].map { WireStrike(point: point, action: action, isUpload: $0) }
        }
    }

    static func possible(_ actions: FaultAction.Name...) -> [WireStrike] {
        all.filter { actions.contains($0.action) && $0.isPossible && $0.isReached }
    }

    /// The same, over TLS.
    var secured: WireStrike {
        var strike = self
        strike.isSecure = true
        return strike
    }

    var usesTLS: Bool { isSecure || line.contains("tls.") }

    /// The possible strikes of an action with these parameters.
    static func possible(_ action: FaultAction.Name, as text: String) -> [WireStrike] {
        possible(action).map { strike in
            var strike = strike
            strike.text = text
            return strike
        }
    }
}

/// A server with the rule in force and the struck request on its way.
struct StruckExchange {
    let strike: WireStrike
    let server: TestServer
    let connection: WireClient
    let rule: String
    let request: WireRequest

    var s3: S3Client { S3Client(server) }
    var admin: AdminClient { AdminClient(server) }

    init(_ strike: WireStrike) throws {
        self.strike = strike
        server = try TestServer { if strike.usesTLS { $0.tls = .ownAuthority } }
        let s3 = S3Client(server)
        let body = pattern(WireStrike.size)
        if !strike.isUpload { try s3.send(S3Call("PUT", "photos", "a", body: body)) }
        rule = try AdminClient(server).arm(strike.line)
        let waits = strike.point == .continueDue
        let call = S3Call(
            strike.isUpload ? "PUT" : "GET", "photos", "a", unsigned: waits ? [("Expect", "100-continue")] : [],
            body: strike.isUpload ? body : [])
        request = try s3.request(call, .presigned(seconds: 60))
        var trust = server.trust
        // Nobody answers a hello that is struck.
        if strike.point == .tlsHello { trust?.handshakeMilliseconds = 0 }
        connection = WireClient(port: server.port, tls: trust)
        connection.send(waits ? request.head : request.bytes)
    }

    /// Returns when the rule has struck; its event.
    @discardableResult
    func waitForStrike() throws -> JSON {
        let rule = rule
        let events = try admin.journal { $0.contains { $0.ev == "fault" && $0["rule"]?.string == rule } }
        return events.first { $0.ev == "fault" } ?? .null
    }

    /// Checks that exactly what precedes the point has arrived.
    func expect(received bytes: [UInt8]) throws {
        guard strike.point.isAfterResponseBegan else {
            #expect(bytes.isEmpty, "\(String(decoding: bytes.prefix(200), as: UTF8.self))")
            return
        }
        if strike.point == .responseHeadAt {
            #expect(String(decoding: bytes, as: UTF8.self) == WireStrike.statusLine)
            return
        }
        let headEnd = try #require(String(decoding: bytes.prefix(4_096), as: UTF8.self).firstRange(of: "\r\n\r\n"))
        let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)[..<headEnd.upperBound]
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let body = Array(bytes.dropFirst(head.utf8.count))
        let whole = strike.isUpload ? [] : pattern(WireStrike.size)
        switch strike.point {
        case .responseHead: #expect(body.isEmpty)
        case .responseAt, .readAt: #expect(body == Array(whole.prefix(WireStrike.half)))
        default: #expect(body == whole)
        }
    }

    /// Checks the store against what the point says is true.
    func expect(stored: Bool) throws {
        let objects = try admin.json("GET", "/objects")["objects"]?.elements ?? []
        #expect(objects.count == (stored ? 1 : 0))
        let answer = try s3.get("a")
        #expect(answer.status == (stored ? 200 : 404))
        if stored { #expect(answer.body == pattern(WireStrike.size)) }
        #expect(try admin.firings(of: rule) == 1)
    }

    /// The answer behind any `100 Continue`, with the body sent once that has come.
    func finish() throws -> WireResponse {
        var answer = try #require(connection.receiveResponse())
        if answer.status == 100 {
            connection.send(request.body)
            answer = try #require(connection.receiveResponse())
        }
        return answer
    }
}
