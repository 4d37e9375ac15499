import CShoalCrypto

/// A digest S3 uses, computed by OpenSSL.
/// https://docs.openssl.org/3.0/man3/EVP_DigestInit/
package enum DigestAlgorithm: Int, CaseIterable, Sendable {
    case md5, sha1, sha256

    /// Bytes in the result.
    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// Fetched once: a fetch by name costs more than hashing a small body.
    fileprivate var method: OpaquePointer { Self.methods.pointers[rawValue] }

    /// The methods live as long as the process and are never written after creation.
    private struct Methods: @unchecked Sendable {
        let pointers: [OpaquePointer]
    }

    private static let methods = Methods(
        pointers: ["MD5", "SHA1", "SHA256"].map { name in
            guard let method = EVP_MD_fetch(nil, name, nil) else {
                preconditionFailure("OpenSSL offers no \(name): is it running in FIPS mode?")
            }
            return method
        })
}

/// A running digest. Not Sendable: it belongs to whoever feeds it.
package final class Digest {
    package let algorithm: DigestAlgorithm
    private let context: OpaquePointer

    package init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory for a digest") }
        self.context = context
        restart()
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Forgets what was fed, so that the context serves the next message.
    package func restart() {
        precondition(EVP_DigestInit_ex2(context, algorithm.method, nil) == 1)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        precondition(EVP_DigestUpdate(context, base, bytes.count) == 1)
    }

    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes(update) }

    package func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes(update) }

    /// The digest of everything fed since the start; feeding again needs `restart()`.
    package func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { buffer, count in
            precondition(EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1)
            count = algorithm.byteCount
        }
    }

    package static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        let digest = Digest(algorithm)
        digest.update(bytes)
        return digest.finish()
    }
}
