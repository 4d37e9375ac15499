import ShoalSigV4

/// Temporary credentials of a Shoal in the variables that AWS's own tools read, as `shoal credentials` prints them.
struct SessionEnvironment: Sendable, Concealed {
    let accessKey: String
    let secretKey: String
    let sessionToken: String

    static let variables = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]

    /// Nil unless all three are there and the token is one of Shoal's: credentials for AWS itself mean nothing here.
    init?(_ environment: [String: String]) {
        let values = Self.variables.compactMap { environment[$0] }
        guard values.count == 3, SessionToken(Array(values[2].utf8)[...]) != nil else { return nil }
        (accessKey, secretKey, sessionToken) = (values[0], values[1], values[2])
    }
}
