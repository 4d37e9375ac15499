import ShoalS3

/// What is deliberately wrong with a minted URL, so that a client can be tested against the refusal.
package enum Defect: String, Sendable, CaseIterable {
    /// Its life ended a minute ago.
    case expired
    /// Signed with a secret that is not the key's.
    case wrongSecret = "wrong-secret"
    /// Signed for another host than the one it leads to.
    case wrongHost = "wrong-host"
    /// Signed for another method than the one asked for.
    case wrongMethod = "wrong-method"
    /// Dated an hour ahead.
    case notYetValid = "not-yet-valid"

    /// When a URL of `lifetime` seconds that is made at `now` says that it was signed.
    func issued(at now: Timestamp, lifetime: Int64) -> Timestamp {
        switch self {
        case .expired: now.adding(seconds: -lifetime - 60)
        case .notYetValid: now.adding(seconds: 3_600)
        case .wrongSecret, .wrongHost, .wrongMethod: now
        }
    }

    /// The request that is signed in place of `request`.
    func signed(_ request: UnsignedRequest) -> UnsignedRequest {
        var signed = request
        switch self {
        case .wrongHost:
            if let other = Endpoint(scheme: request.endpoint.scheme, authority: "elsewhere.invalid") {
                signed.endpoint = other
            }
        case .wrongMethod: signed.method = request.method == "GET" ? "PUT" : "GET"
        case .expired, .wrongSecret, .notYetValid: break
        }
        return signed
    }
}
