import ShoalHTTP

/// Request targets and header values as a log may hold them.
///
/// A presigned URL is a password for as long as it lives: what makes it one is replaced, the rest is kept readable.
package enum Redaction {
    /// What stands in place of a secret.
    package static let mask = "REDACTED"

    /// Query parameters and form fields whose value is masked, in lower case.
    private static let secretNames: Set<String> = [
        "access_token", "api_key", "apikey", "auth_token", "client_secret", "id_token", "password", "policy",
        "refresh_token", "secret", "secretaccesskey", "secret_key", "session_token", "sessiontoken", "signature",
        "token",
        "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-security-token",
        "x-amz-server-side-encryption-customer-key", "x-amz-signature", "x-shoal-admin-token",
    ]

    /// Headers whose value is masked as a whole, in lower case.
    private static let secretHeaders: Set<String> = secretNames.union([
        "cookie", "set-cookie", "proxy-authorization", "x-api-key", "x-auth-token", "x-csrf-token",
    ])

    /// Whether the value of a parameter or form field of that name is a secret; any case.
    package static func isSecret(name: String) -> Bool { secretNames.contains(name.lowercased()) }

    /// The target with the values of secret parameters masked and everything else as it was.
    package static func target(_ target: some Sequence<UInt8>) -> String {
        let bytes = Array(target)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return bytes[...].text }
        var result = Array(bytes[...mark])
        var isFirst = true
        for piece in bytes[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            if !isFirst { result.append(UInt8(ascii: "&")) }
            isFirst = false
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")),
                isSecret(name: PercentEncoding.decoded(piece[..<equals])[...].text)
            else {
                result += piece
                continue
            }
            result += piece[...equals]
            result += mask.utf8
        }
        return result[...].text
    }

    /// The value of a header as a log may hold it. An `Authorization` keeps scheme, credential and signed headers.
    package static func header(_ name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization": authorization(value)
        case "referer", "location", "origin", "x-original-url", "x-amz-copy-source": target(value.utf8)
        case let name where secretHeaders.contains(name): mask
        default: value
        }
    }

    private static func authorization(_ value: String) -> String {
        let bytes = Array(value.utf8)[...]
        guard let blank = bytes.firstIndex(of: UInt8(ascii: " ")) else { return mask }
        let scheme = bytes[..<blank]
        let parameters = bytes[(blank + 1)...]
        if scheme.equalsIgnoringCase("aws4-hmac-sha256") {
            let components = AuthorizationComponents(parameters)
            let credential = components.credential?.text ?? mask
            let signedHeaders = components.signedHeaders?.text ?? mask
            return "\(scheme.text) Credential=\(credential), SignedHeaders=\(signedHeaders), Signature=\(mask)"
        }
        if scheme.equalsIgnoringCase("aws"), let colon = parameters.firstIndex(of: UInt8(ascii: ":")) {
            return "\(scheme.text) \(parameters[..<colon].text):\(mask)"
        }
        return "\(scheme.text) \(mask)"
    }
}
