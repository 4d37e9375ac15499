/// `POST …/scopes/{s}/urls`: a presigned URL from the server's own key, good or bad on purpose.
package struct MintURLRequest: Codable, Sendable, Equatable {
    package let method: String
    package let bucket: String
    package let key: String
    /// Seconds, 1 to 604,800.
    package let expires: Int
    /// Headers to pin by the signature, such as `content-type`.
    package let headers: [String: String]?
    /// Where the client will find the server; the server's public URL unless given.
    package let baseURL: String?
    package let defect: URLDefect?

    package init(
        method: String, bucket: String, key: String, expires: Int, headers: [String: String]? = nil,
        baseURL: String? = nil, defect: URLDefect? = nil
    ) {
        self.method = method
        self.bucket = bucket
        self.key = key
        self.expires = expires
        self.headers = headers
        self.baseURL = baseURL
        self.defect = defect
    }
}

package struct MintURLResponse: Codable, Sendable, Equatable {
    package let url: String
    /// What the client has to send along, as signed.
    package let headers: [String: String]
    /// ISO 8601 in UTC, such as `2026-03-14T15:09:26Z`, by the scope's clock.
    package let expiresAt: String

    package init(url: String, headers: [String: String], expiresAt: String) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
    }
}

/// What may be wrong with a presigned URL on purpose, so that a client's handling of each refusal can be tried.
package enum URLDefect: String, Codable, CaseIterable, Sendable {
    case expired
    case wrongSecret = "wrong-secret"
    case wrongHost = "wrong-host"
    case wrongMethod = "wrong-method"
    case notYetValid = "not-yet-valid"
}
