/// What happens to a handshake, or to the end of a stream of TLS.
package enum TLSAction: Hashable, Sendable {
    /// No ServerHello: silence.
    case hang
    /// FIN in place of a ServerHello.
    case close
    /// A fatal alert in place of a ServerHello, then FIN.
    case alert(TLSAlert)
    /// The handshake goes on with a certificate that clients must refuse.
    case certificate(CertificateFault)
    /// FIN without the close_notify before it, as though something on the way had cut the stream.
    case truncate

    var name: FaultAction.Name {
        switch self {
        case .hang: .tlsHang
        case .close: .tlsClose
        case .alert: .tlsAlert
        case .certificate: .tlsCert
        case .truncate: .tlsTruncate
        }
    }
}

/// What is wrong with a certificate.
package enum CertificateFault: String, CaseIterable, Sendable {
    /// Its time is over since yesterday.
    case expired
    /// It is for another name.
    case wrongHost
    /// It has signed itself.
    case selfSigned
    /// It is of an authority that nobody knows.
    case untrusted

    /// Whether it takes an authority that clients trust, since otherwise they would complain of that first.
    var needsTrust: Bool { self == .expired || self == .wrongHost }
}

/// How the connections of a server are secured, as far as rules depend on it.
package enum TransportSecurity: Sendable {
    /// Plain HTTP.
    case none
    /// TLS with certificates of the server's own authority.
    case ownAuthority
    /// TLS with a certificate that was given.
    case givenCertificate
}

/// An alert's description (RFC 8446 §6): any number, and the names of those that are defined.
package struct TLSAlert: Hashable, Sendable {
    package let number: UInt8

    package init(_ number: UInt8) { self.number = number }

    /// A name as the RFC spells it, or a number from 0 to 255.
    init?(_ text: String) {
        if let named = Self.names.first(where: { $0.name == text }) {
            number = named.number
        } else if let number = BytePosition.digits(text).flatMap({ UInt8(exactly: $0) }) {
            self.number = number
        } else {
            return nil
        }
    }

    /// The name, or the number of one that has none.
    var text: String { Self.names.first { $0.number == number }?.name ?? String(number) }

    /// https://www.iana.org/assignments/tls-parameters/tls-parameters.xhtml#tls-parameters-6
    static let names: [(number: UInt8, name: String)] = [
        (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"), (22, "record_overflow"),
        (40, "handshake_failure"), (42, "bad_certificate"), (43, "unsupported_certificate"),
        (44, "certificate_revoked"), (45, "certificate_expired"), (46, "certificate_unknown"),
        (47, "illegal_parameter"), (48, "unknown_ca"), (49, "access_denied"), (50, "decode_error"),
        (51, "decrypt_error"), (70, "protocol_version"), (71, "insufficient_security"), (80, "internal_error"),
        (86, "inappropriate_fallback"), (90, "user_canceled"), (109, "missing_extension"),
        (110, "unsupported_extension"), (112, "unrecognized_name"), (113, "bad_certificate_status_response"),
        (115, "unknown_psk_identity"), (116, "certificate_required"), (120, "no_application_protocol"),
    ]
}
