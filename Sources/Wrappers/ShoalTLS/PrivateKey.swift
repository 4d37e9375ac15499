import CShoalTLS
import Glibc

/// A private key. OpenSSL counts its references and changes nothing of it once it is made.
///
/// `@unchecked Sendable`: the handle is only read, which OpenSSL allows to any number of threads.
/// https://docs.openssl.org/3.0/man3/EVP_PKEY_new/
package final class PrivateKey: @unchecked Sendable {
    let handle: OpaquePointer

    /// Why a file holds no key that can be used.
    package enum Flaw: Error, Equatable, Sendable {
        /// It wants a password, which a server cannot be asked for.
        case encrypted
        case noKey(String)
    }

    /// A new key on the curve P-256.
    package init() {
        guard let key = shoal_tls_new_key() else { preconditionFailure("no key: \(OpenSSLError())") }
        handle = key
    }

    /// The first key of a PEM file (RFC 7468): PKCS #8, or one of the older forms.
    package init(pem: [UInt8]) throws(Flaw) {
        ERR_clear_error()
        var wantsPassword = false
        let key = withUnsafeMutablePointer(to: &wantsPassword) { flag in
            withMemoryBIO(pem) { bio in
                PEM_read_bio_PrivateKey(
                    bio, nil,
                    { _, _, _, flag in
                        flag?.assumingMemoryBound(to: Bool.self).pointee = true
                        return 0
                    }, flag)
            }
        }
        guard let key else {
            let error = OpenSSLError()
            throw wantsPassword ? .encrypted : .noKey(error.description)
        }
        handle = key
    }

    deinit { EVP_PKEY_free(handle) }

    /// PKCS #8, not encrypted.
    package var pem: String {
        textOfMemoryBIO { PEM_write_bio_PrivateKey($0, handle, nil, nil, 0, nil, nil) }
    }
}
