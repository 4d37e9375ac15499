import ShoalHTTP
import ShoalS3

/// Judges, repairs the fault that was named, and judges again.
struct Investigation {
    /// Repairs at most; more faults than this in one request are not worth naming.
    static let repairCountMax = 8

    var trial: Trial
    let surroundings: Diagnosis.Surroundings
    private var findings: [Diagnosis.Finding] = []

    init(trial: Trial, surroundings: Diagnosis.Surroundings) {
        self.trial = trial
        self.surroundings = surroundings
    }

    mutating func run() -> [Diagnosis.Finding] {
        for _ in 0..<Self.repairCountMax {
            switch trial.verdict {
            case nil: return findings
            case .accepted(let authentication):
                if findings.isEmpty { note(accepted(authentication)) }
                return findings
            case .anonymous:
                note(anonymous())
                return findings
            case .rejected(let error):
                guard repair(error) else { return findings }
            }
        }
        return findings
    }

    mutating func note(_ finding: Diagnosis.Finding) { findings.append(finding) }

    /// Notes what the error says; true if the request was changed so that the next judgement gets further.
    private mutating func repair(_ error: S3Error) -> Bool {
        switch error.code {
        case .accessDenied where error.elements.contains { $0.name == "HeadersNotSigned" }: return dropUnsigned(error)
        case .accessDenied where error.message.contains("expired") || error.message.contains("not yet valid"),
            .requestTimeTooSkewed:
            return moveClock(error)
        case .authorizationHeaderMalformed, .authorizationQueryParametersError: return repairScope(error)
        case .invalidAccessKeyId: return explainKey()
        case .invalidToken, .expiredToken: return explainToken(error)
        case .signatureDoesNotMatch:
            findings += SignatureSearch(trial: trial, surroundings: surroundings).findings()
            return false
        case .invalidArgument where error.message.hasPrefix("Only one auth mechanism"): return dropAuthorization()
        case .invalidURI:
            note(
                .init(
                    .path, "The path holds a % that no two hexadecimal digits follow, or bytes that are no UTF-8.",
                    fix: "Percent-encode the key's UTF-8 bytes once."))
            return false
        case .invalidRequest, .invalidArgument:
            note(.init(error.message.contains("x-amz-content-sha256") ? .payload : .mechanism, sentence(error.message)))
            return false
        default:
            note(.init(.syntax, sentence(error.message)))
            return false
        }
    }

    private func sentence(_ message: String) -> String { message.hasSuffix(".") ? message : message + "." }
}

// MARK: - Nothing wrong, or nothing there

extension Investigation {
    private func accepted(_ authentication: Authentication) -> Diagnosis.Finding {
        let key = authentication.accessKeyId[...].text
        guard let expiry = authentication.expiry else {
            return .init(.accepted, "The signature of access key \(key) verifies.")
        }
        let left = Elapsed.words(milliseconds: expiry.milliseconds - trial.now.milliseconds)
        return .init(.accepted, "The URL of access key \(key) verifies and is good for another \(left).")
    }

    private func anonymous() -> Diagnosis.Finding {
        let names = trial.request.query.map(RequestVariant.name(of:))
        if let name = names.first(where: { $0.lowercased() == "x-amz-algorithm" }) {
            return .init(
                .mechanism, "The parameter \(name) is not seen as X-Amz-Algorithm, for names are compared with case.",
                fix: "Keep the URL exactly as it was signed.")
        }
        if names.contains("X-Amz-Signature") {
            return .init(
                .mechanism, "The URL has an X-Amz-Signature but no X-Amz-Algorithm, so that nothing is signed.",
                fix: "Keep every parameter of the presigned URL.")
        }
        if names.contains("AWSAccessKeyId") {
            return .init(
                .mechanism, "The URL has an AWSAccessKeyId but no Signature, so that nothing is signed.",
                fix: "Keep every parameter of the presigned URL; a shell cuts it at an & that is not quoted.")
        }
        return .init(
            .anonymous, "The request is not signed: it has no Authorization header and no signature in its query.",
            fix: "Sign it, or send it to a URL that was presigned.")
    }
}

// MARK: - Faults of time

extension Investigation {
    private mutating func moveClock(_ error: S3Error) -> Bool {
        guard let head = trial.request.head else { return false }
        let query = RawQuery(head)
        let (now, before) = (trial.now, trial.now)
        if let date = query.first("X-Amz-Date"), let issued = Timestamp(amzDate: date),
            let lifetime = query.first("X-Amz-Expires").flatMap({ Decimal.signed($0) }),
            query.contains("X-Amz-Algorithm")
        {
            let expiry = issued.adding(seconds: lifetime)
            if now > expiry {
                note(expired(at: expiry, now: now, lifetime: lifetime))
            } else {
                note(early(issued: issued, now: now))
            }
            trial.now = issued
        } else if query.contains("Signature"), let seconds = query.first("Expires").flatMap({ Decimal.signed($0) }),
            (0...Int64(Int32.max)).contains(seconds)
        {
            note(expired(at: Timestamp(seconds: seconds), now: now, lifetime: nil))
            trial.now = Timestamp(seconds: seconds)
        } else if let text = head.first("x-amz-date") ?? head.first("date"),
            let issued = Timestamp(amzDate: text) ?? Timestamp(httpDate: text)
        {
            note(skewed(issued: issued, now: now))
            trial.now = issued
        }
        return trial.now != before
    }

    private func expired(at expiry: Timestamp, now: Timestamp, lifetime: Int64?) -> Diagnosis.Finding {
        let ago = Elapsed.words(milliseconds: now.milliseconds - expiry.milliseconds)
        let life = lifetime.map { ", after a life of \(Elapsed.words(milliseconds: $0 * 1_000))" } ?? ""
        return .init(
            .expired,
            "The URL expired \(ago) ago, at \(expiry.iso8601Seconds)\(life); it is now \(now.iso8601Seconds).",
            fix: "Ask for a fresh URL when an upload starts, or sign with a longer life.")
    }

    private func early(issued: Timestamp, now: Timestamp) -> Diagnosis.Finding {
        let ahead = Elapsed.words(milliseconds: issued.milliseconds - now.milliseconds)
        return .init(
            .notYetValid,
            "The URL is dated \(ahead) ahead, at \(issued.iso8601Seconds); it is now \(now.iso8601Seconds).",
            fix: "Set the clock of the machine that signs.")
    }

    private func skewed(issued: Timestamp, now: Timestamp) -> Diagnosis.Finding {
        let distance = now.milliseconds - issued.milliseconds
        let side = distance > 0 ? "behind" : "ahead of"
        return .init(
            .clockSkew,
            "The client's clock is \(Elapsed.words(milliseconds: abs(distance))) \(side) the server's: the request is dated "
                + "\(issued.iso8601Seconds), it is now \(now.iso8601Seconds), and 15 minutes are allowed.",
            fix: "Set the client's clock, and sign a request right before it is sent.")
    }

    /// A length of time in words.
    enum Elapsed {
        static func words(milliseconds: Int64) -> String {
            let seconds = milliseconds / 1_000
            switch seconds {
            case ..<120: return seconds == 1 ? "1 second" : "\(seconds) seconds"
            case ..<7_200: return "\(seconds / 60) minutes"
            case ..<172_800: return "\(seconds / 3_600) hours"
            default: return "\(seconds / 86_400) days"
            }
        }
    }
}

// MARK: - Faults of scope

extension Investigation {
    private mutating func repairScope(_ error: S3Error) -> Bool {
        if let region = error.elements.first(where: { $0.name == "Region" })?.value,
            trial.authenticator.regions != .any
        {
            note(
                .init(
                    .region,
                    "The request is signed for another region than the server's: "
                        + "\(error.message.afterPrefix).", fix: "Configure the client with region \(region)."))
            trial.authenticator = trial.authenticator.taking(.any)
            return true
        }
        let credential = trial.request.parameter("X-Amz-Credential") ?? ""
        if credential.lowercased().contains("%2f") {
            note(
                .init(
                    .credential, "The X-Amz-Credential is percent-encoded twice.",
                    fix: "Send the presigned URL as it is; do not encode it again."))
        } else {
            note(
                .init(
                    error.message.contains("credential") || error.message.contains("Credential")
                        ? .credential : .syntax, sentence(error.message)))
        }
        return false
    }
}

// MARK: - Faults of headers and mechanism

extension Investigation {
    private mutating func dropUnsigned(_ error: S3Error) -> Bool {
        let list = error.elements.first { $0.name == "HeadersNotSigned" }?.value ?? ""
        let names = list.split(separator: ",").map { String($0).trimmed }
        let parameters = Set(trial.request.query.map { RequestVariant.name(of: $0).lowercased() })
        for name in names.prefix(16) {
            if name == "host" {
                note(
                    .init(
                        .unsignedHeader, "The signature does not cover the header host, which it always must.",
                        fix: "Sign host; if the list was percent-encoded twice, send the URL as it was signed."))
            } else if parameters.contains(name) {
                note(
                    .init(
                        .unsignedHeader, "The header \(name) is not covered by the signature; the URL already has it.",
                        fix: "Leave the header out: the parameter of the URL acts as the header."))
            } else {
                note(
                    .init(
                        .unsignedHeader, "The request carries the header \(name), which the signature does not cover.",
                        fix: "Sign \(name) as well, or do not send it."))
            }
            trial.request.removeHeader(name)
        }
        return names.count <= 16 && !names.contains("host")
    }

    private mutating func dropAuthorization() -> Bool {
        guard trial.request.header("authorization") != nil else {
            note(
                .init(
                    .mechanism, "The query holds signatures of version 4 and of version 2.",
                    fix: "Keep the parameters of one of them."))
            return false
        }
        note(
            .init(
                .mechanism, "The request has an Authorization header although its URL is presigned.",
                fix: "Send presigned URLs without an Authorization header."))
        trial.request.removeHeader("authorization")
        return true
    }
}

extension String {
    /// What follows the first `; ` of a message, or all of it.
    fileprivate var afterPrefix: Substring {
        guard let semicolon = firstIndex(of: ";") else { return self[...] }
        return self[index(after: semicolon)...].drop { $0 == " " }
    }

    /// Without blanks and line breaks at either end.
    var trimmed: String {
        var slice = self[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return String(slice)
    }
}
