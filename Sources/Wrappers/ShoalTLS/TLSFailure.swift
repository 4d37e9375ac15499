import CShoalTLS

/// Why a handshake failed.
package enum TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The peer said no: the number of RFC 8446 §6, with OpenSSL's words for it.
    case alert(UInt8, String)
    /// It speaks neither TLS 1.2 nor TLS 1.3.
    case unsupportedVersion
    /// Its bytes are no TLS record.
    case notTLS
    /// Of the protocols it offers for above TLS none is spoken here.
    case noProtocol
    case other(String)

    /// Takes OpenSSL's oldest error on this thread, which is the cause, and forgets the others.
    static func last() -> TLSFailure {
        let code = ERR_peek_error()
        let reason = shoal_tls_reason(code)
        let alert = shoal_tls_alert(code)
        let text = OpenSSLError().description
        if let alert = UInt8(exactly: alert) {
            let words = SSL_alert_desc_string_long(Int32(alert)).map { String(cString: $0) } ?? text
            return .alert(alert, words)
        }
        switch reason {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_UNKNOWN_PROTOCOL: return .unsupportedVersion
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_RECORD_LENGTH_MISMATCH,
            SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_RECORD_TOO_SMALL, SSL_R_UNEXPECTED_MESSAGE:
            return .notTLS
        case SSL_R_NO_APPLICATION_PROTOCOL: return .noProtocol
        default: return .other(text)
        }
    }

    /// Alerts with which clients refuse a certificate: bad, unsupported, revoked, expired, unknown, of an unknown authority.
    package var isDistrust: Bool {
        if case .alert(let number, _) = self { [42, 43, 44, 45, 46, 48].contains(number) } else { false }
    }

    package var description: String {
        switch self {
        case .alert(48, _): "the client does not know the authority that signed the certificate (alert 48, unknown CA)"
        case .alert(45, _): "the client finds the certificate expired (alert 45)"
        case .alert(let number, let words) where isDistrust:
            "the client does not accept the certificate (alert \(number), \(words))"
        case .alert(let number, let words): "the client gave up (alert \(number), \(words))"
        case .unsupportedVersion: "the client speaks neither TLS 1.2 nor TLS 1.3"
        case .notTLS: "what the client sent is no TLS"
        case .noProtocol: "the client speaks no HTTP/1.1 (ALPN)"
        case .other(let reason): reason
        }
    }
}
