import CShoalTLS
import Glibc

/// Issues certificates: a root of its own, with its key.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey

    package init(_ certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// A new one that is called so and good for ten years from `now`, in seconds of Unix time.
    package init(named name: String, at now: Int64) {
        let key = PrivateKey()
        let validity = Validity(from: now - Validity.dayByCount(1), days: 3_650)
        certificate = Self.certificate(name, validity, for: key, by: nil) { subject, issuer in
            [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_subject_key_identifier, "hash"),
            ].allSatisfy { shoal_tls_add_extension(subject, issuer, $0.0, $0.1) == 1 }
        }
        self.key = key
    }

    /// A server's certificate for these names, of which there is at least one.
    ///
    /// It has what browsers and Apple's systems ask for: names as subject alternative names, the extended key usage
    /// `serverAuth`, and not more than 398 days. https://support.apple.com/en-us/102028
    package func issue(_ names: [SubjectName], for key: PrivateKey, _ validity: Validity) -> Certificate {
        Self.certificate(names[0].text, validity, for: key, by: self) { Self.addServerExtensions(names, $0, $1) }
    }

    /// The same, signed by its own key.
    package static func selfSigned(_ names: [SubjectName], key: PrivateKey, _ validity: Validity) -> Certificate {
        certificate(names[0].text, validity, for: key, by: nil) { addServerExtensions(names, $0, $1) }
    }

    private static func addServerExtensions(
        _ names: [SubjectName], _ subject: OpaquePointer, _ issuer: OpaquePointer
    ) -> Bool {
        [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid"),
            (NID_subject_alt_name, names.map(\.extensionText).joined(separator: ",")),
        ].allSatisfy { shoal_tls_add_extension(subject, issuer, $0.0, $0.1) == 1 }
    }

    /// `issuer` nil for one that signs itself. What is asked for is made here, so a failure is a lack of memory.
    private static func certificate(
        _ name: String, _ validity: Validity, for key: PrivateKey, by issuer: CertificateAuthority?,
        extensions: (_ subject: OpaquePointer, _ issuer: OpaquePointer) -> Bool
    ) -> Certificate {
        guard let handle = X509_new() else { preconditionFailure("no certificate: \(OpenSSLError())") }
        X509_set_version(handle, 2)
        setSerialNumber(of: handle)
        ASN1_TIME_set(X509_getm_notBefore(handle), time_t(validity.start))
        ASN1_TIME_set(X509_getm_notAfter(handle), time_t(validity.end))
        X509_set_pubkey(handle, key.handle)
        let subject = X509_get_subject_name(handle)
        let common = Array(name.utf8.prefix(Self.commonNameByteCountMax))
        X509_NAME_add_entry_by_NID(
            subject, NID_commonName, MBSTRING_UTF8, common, Int32(common.count), -1, 0)
        let parent = issuer?.certificate.handle ?? handle
        X509_set_issuer_name(handle, X509_get_subject_name(parent))
        let isWhole = extensions(handle, parent)
        let size = X509_sign(handle, (issuer?.key ?? key).handle, EVP_sha256())
        precondition(isWhole && size > 0, "no certificate for '\(name)': \(OpenSSLError())")
        return Certificate(handle)
    }

    /// Of X.520's common name.
    private static let commonNameByteCountMax = 64

    /// 127 random bits: at least 64 are demanded, and a positive number of 20 bytes at most.
    private static func setSerialNumber(of certificate: OpaquePointer) {
        let number = BN_new()
        defer { BN_free(number) }
        BN_rand(number, 127, 0, 0)
        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
    }
}

/// From when to when a certificate counts, in seconds of Unix time.
package struct Validity: Sendable, Equatable {
    package let start: Int64
    package let end: Int64

    package init(from start: Int64, days: Int64) {
        self.start = start
        end = start + Self.dayByCount(days)
    }

    /// What Apple accepts of a server at most is 398 days; a day of them lies before `now`, for clocks that are behind.
    package static func ofServer(at now: Int64) -> Validity { Validity(from: now - dayByCount(1), days: 397) }

    /// Over since yesterday.
    package static func expired(at now: Int64) -> Validity { Validity(from: now - dayByCount(90), days: 89) }

    static func dayByCount(_ days: Int64) -> Int64 { days * 86_400 }
}

/// A name that a server's certificate is for.
package enum SubjectName: Hashable, Sendable {
    /// A host name in lower case.
    case dns(String)
    /// An IPv4 or IPv6 address, without brackets.
    case address(String)

    /// Nil for what is neither a numeric address nor a host name: 1 to 253 of letters, digits, `-`, `_` and `.`, with a
    /// `*` for its first label if it is to be one.
    package init?(_ text: String) {
        var storage = in6_addr()
        if inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1 {
            self = .address(text)
            return
        }
        let name = text.lowercased()
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte), !name.hasPrefix("."),
            !name.dropFirst().contains("*")
        else { return nil }
        self = .dns(name)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"):
            true
        default: false
        }
    }

    package var text: String {
        switch self {
        case .dns(let name), .address(let name): name
        }
    }

    /// As OpenSSL's configuration writes it: nothing in it can end the value, since the bytes were looked at.
    fileprivate var extensionText: String {
        switch self {
        case .dns(let name): "DNS:\(name)"
        case .address(let address): "IP:\(address)"
        }
    }
}
