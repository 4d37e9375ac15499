import CShoalTLS
import Glibc

/// An X.509 certificate (RFC 5280).
///
/// `@unchecked Sendable`: it is only read once it is made, which OpenSSL allows to any number of threads.
/// https://docs.openssl.org/3.0/man3/X509_new/
package final class Certificate: @unchecked Sendable {
    let handle: OpaquePointer

    /// Takes over the handle.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { X509_free(handle) }

    /// All certificates of a PEM file in their order; empty if it holds none that can be read.
    package static func all(inPEM pem: [UInt8]) -> [Certificate] {
        defer { ERR_clear_error() }
        return withMemoryBIO(pem) { bio in
            var found: [Certificate] = []
            while let handle = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(Certificate(handle)) }
            return found
        }
    }

    package var pem: String { textOfMemoryBIO { PEM_write_bio_X509($0, handle) } }

    /// Whether it was issued for the key.
    package func belongs(to key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(handle, key.handle) == 1
    }

    /// Whether it is past its end at that second of Unix time.
    package func isExpired(at seconds: Int64) -> Bool {
        var time = time_t(seconds)
        return X509_cmp_time(X509_get0_notAfter(handle), &time) < 0
    }

    /// The end of its validity as OpenSSL prints it: `Nov 30 15:39:07 2026 GMT`.
    package var end: String { textOfMemoryBIO { ASN1_TIME_print($0, X509_get0_notAfter(handle)) } }

    /// SHA-256 of the certificate as browsers show it: `3F:2A:…`.
    package var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        var count = UInt32(digest.count)
        X509_digest(handle, EVP_sha256(), &digest, &count)
        return digest.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}

/// What a server shows of itself: a certificate, what leads from it to a root, and its key.
package struct TLSIdentity: Sendable {
    package let certificate: Certificate
    /// Between the certificate and a root, which is not among them.
    package let chain: [Certificate]
    let key: PrivateKey

    package init(_ certificate: Certificate, chain: [Certificate] = [], key: PrivateKey) {
        self.certificate = certificate
        self.chain = chain
        self.key = key
    }
}
