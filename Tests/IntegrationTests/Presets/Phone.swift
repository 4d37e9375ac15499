import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// How an app goes on when something is wrong.
struct RetryPolicy: Sendable {
    /// When no whole answer came.
    enum AfterSilence: Sendable {
        /// HEAD, and again only what is not there.
        case looks
        case sendsAgain
        case givesUp
        /// Half an answer, or none, is success.
        case believes
    }

    var afterSilence = AfterSilence.looks
    var attemptMax = 6
    /// Whether any 200 is success, be it without the store's ETag.
    var takesAny200 = false
    /// Whether success is looked at once more.
    var looksAfterwards = false
    /// Whether a 4xx is final, RequestTimeout included.
    var takesEvery4xxForFinal = false
    var triesAgainAfterServerErrors = true
    var honoursRetryAfter = true
    /// Another link behind an expired one, and behind an upload that broke off.
    var renewsLinks = true
    /// Whether each attempt has the same bytes.
    var keepsBytes = true
    /// Whether a refusal is answered with the same again.
    var isStubborn = false
    /// Gives up waiting as soon as a rule has struck, as a timeout does.
    var leavesWhenStruck = false

    /// An app that does everything right.
    static let good = RetryPolicy()

    func with(_ change: (inout RetryPolicy) -> Void) -> RetryPolicy {
        var policy = self
        change(&policy)
        return policy
    }
}

/// An app that uploads through presigned URLs, on a connection that it keeps, by a policy.
final class Phone {
    /// What came of one attempt.
    enum Heard {
        case answer(WireResponse)
        /// No whole answer: what had come of it, and how it ended.
        case broken([UInt8], WireClient.End)
    }

    let s3: S3Client
    private let admin: AdminClient
    private let policy: RetryPolicy
    private var connection: WireClient?
    private var linkCount: Int64 = 0

    init(_ s3: S3Client, _ admin: AdminClient, _ policy: RetryPolicy) {
        (self.s3, self.admin, self.policy) = (s3, admin, policy)
    }

    static func body(_ count: Int = 60_000) -> [UInt8] { pattern(count) }

    /// Whether the app believes that the object is stored.
    @discardableResult
    func upload(_ key: String, _ body: [UInt8] = Phone.body(), headers: [WireRequest.Field] = []) throws -> Bool {
        var request = try link(key, body, headers)
        for attempt in 1...policy.attemptMax {
            if !policy.keepsBytes { request.body[0] = UInt8(attempt) }
            switch try send(request) {
            case .answer(let answer) where answer.status == 200:
                guard answer["ETag"] != nil || policy.takesAny200 else { continue }
                if try !policy.looksAfterwards || s3.has(key) { return true }
            case .answer(let answer) where answer.text.contains("Request has expired"):
                if policy.renewsLinks { request = try link(key, body, headers) }
            case .answer(let answer):
                guard triesAgain(after: answer) else { return false }
                wait(answer)
            case .broken:
                switch policy.afterSilence {
                case .believes: return true
                case .givesUp: return false
                case .looks: if try s3.has(key) { return true }
                case .sendsAgain: break
                }
                if policy.renewsLinks { request = try link(key, body, headers) }
            }
        }
        return false
    }

    /// One request and what came of it, on the connection that is there, or a new one.
    func send(_ request: WireRequest) throws -> Heard {
        let last = policy.leavesWhenStruck ? try admin.lastEvent : 0
        let wire = connection ?? s3.connection
        connection = wire
        wire.send(request.bytes)
        if policy.leavesWhenStruck, try leaves(wire, since: last) { return .broken([], .silence) }
        var answer: WireResponse?
        let (bytes, end) = wire.receive { bytes in
            answer = WireResponse(parsing: bytes, isHead: request.method == "HEAD")
            return answer != nil
        }
        if let answer { return .answer(answer) }
        connection = nil
        return .broken(bytes, end)
    }

    /// A link that differs from all before it.
    private func link(_ key: String, _ body: [UInt8], _ headers: [WireRequest.Field]) throws -> WireRequest {
        linkCount += 1
        return try s3.request(
            S3Call("PUT", "photos", key, headers: headers, body: body), .presigned(seconds: 600 + linkCount))
    }

    private func triesAgain(after answer: WireResponse) -> Bool {
        if policy.isStubborn { return true }
        guard answer.status < 500 else { return policy.triesAgainAfterServerErrors }
        return answer.code == "RequestTimeout" && !policy.takesEvery4xxForFinal
    }

    /// The wait that the store asks for is what the policy is about.
    private func wait(_ answer: WireResponse) {
        guard policy.honoursRetryAfter, let seconds = answer["Retry-After"].flatMap({ Int32($0) }) else { return }
        // Nothing comes on a kept connection meanwhile.
        _ = connection?.receive(milliseconds: seconds * 1_000 + 20)
    }

    /// Ends the connection once a rule has struck; false if the request is answered first.
    private func leaves(_ wire: WireClient, since last: Int64) throws -> Bool {
        let events = try admin.journal(since: last) { events in
            events.contains { $0.ev == "fault" || $0.ev == "response.end" }
        }
        guard events.contains(where: { $0.ev == "fault" }) else { return false }
        wire.reset()
        connection = nil
        return true
    }
}
