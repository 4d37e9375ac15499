import CShoalCrypto

/// A digest S3 uses, computed by OpenSSL.
/// https://docs.openssl.org/3.0/man3/SHA256_Init/
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
}

/// A digest under way, as a value: a copy goes on by itself, from the same bytes.
struct DigestState: Sendable {
    private enum State: Sendable {
        case md5(MD5_CTX)
        case sha1(SHA_CTX)
        case sha256(SHA256_CTX)
    }

    private var state: State

    init(_ algorithm: DigestAlgorithm) {
        switch algorithm {
        case .md5:
            var context = MD5_CTX()
            MD5_Init(&context)
            state = .md5(context)
        case .sha1:
            var context = SHA_CTX()
            SHA1_Init(&context)
            state = .sha1(context)
        case .sha256:
            var context = SHA256_CTX()
            SHA256_Init(&context)
            state = .sha256(context)
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        switch state {
        case .md5(var context):
            MD5_Update(&context, base, bytes.count)
            state = .md5(context)
        case .sha1(var context):
            SHA1_Update(&context, base, bytes.count)
            state = .sha1(context)
        case .sha256(var context):
            SHA256_Update(&context, base, bytes.count)
            state = .sha256(context)
        }
    }

    /// The digest of everything fed; the state itself can be fed on.
    func finish() -> [UInt8] {
        switch state {
        case .md5(var context): Self.result(16) { MD5_Final($0, &context) }
        case .sha1(var context): Self.result(20) { SHA1_Final($0, &context) }
        case .sha256(var context): Self.result(32) { SHA256_Final($0, &context) }
        }
    }

    private static func result(_ byteCount: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            // The functions return 1 always: there is nothing in them that could fail.
            _ = fill(base)
            count = byteCount
        }
    }
}

/// A running digest. Not Sendable: it belongs to whoever feeds it.
package final class Digest {
    package let algorithm: DigestAlgorithm
    private var state: DigestState

    package init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        state = DigestState(algorithm)
    }

    /// Forgets what was fed, so that the same object serves the next message.
    package func restart() { state = DigestState(algorithm) }

    package func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }

    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { state.update($0) } }

    package func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { state.update($0) } }

    /// The digest of everything fed since the start.
    package func finish() -> [UInt8] { state.finish() }

    package static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        var state = DigestState(algorithm)
        bytes.withUnsafeBytes { state.update($0) }
        return state.finish()
    }
}
