import ShoalCrypto
import ShoalHTTP

/// A key that its owner sends along with every request for an object.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
///
/// Differs from S3, which takes keys over TLS only: a local server takes them over plain HTTP too.
package struct CustomerKey: Sendable {
    fileprivate let bytes: [UInt8]
    /// As sent: base 64.
    package let md5: String

    package static let byteCount = 32

    /// Whose key: the object's that is written or read, or that of a copy's source.
    package enum Purpose: Sendable {
        case writing, reading, copySource

        fileprivate var headers: (algorithm: StaticString, key: StaticString, md5: StaticString) {
            switch self {
            case .writing, .reading:
                (
                    "x-amz-server-side-encryption-customer-algorithm", "x-amz-server-side-encryption-customer-key",
                    "x-amz-server-side-encryption-customer-key-md5"
                )
            case .copySource:
                (
                    "x-amz-copy-source-server-side-encryption-customer-algorithm",
                    "x-amz-copy-source-server-side-encryption-customer-key",
                    "x-amz-copy-source-server-side-encryption-customer-key-md5"
                )
            }
        }
    }

    /// The key a request brings; nil if it brings none.
    ///
    /// Throws 400: `InvalidEncryptionAlgorithmError` for another algorithm than AES256, and `InvalidArgument` for a key
    /// without its algorithm or the other way round, for one that is not 32 bytes, and for an MD5 that is not the key's.
    /// To a reader one of another length is only the wrong key.
    package static func named(in fields: RequestFields, _ purpose: Purpose = .writing) throws(S3Error) -> CustomerKey? {
        let headers = purpose.headers
        let algorithm = fields.first(headers.algorithm)
        let key = fields.first(headers.key)
        let md5 = fields.first(headers.md5)
        guard algorithm != nil || key != nil || md5 != nil else { return nil }
        guard let algorithm else { throw .customerKey("must provide a valid encryption algorithm.") }
        guard algorithm.elementsEqual("AES256".utf8) else { throw .encryptionAlgorithm(algorithm.text) }
        guard let key else { throw .customerKey("must provide an appropriate secret key.") }
        guard let bytes = Base64.decode(key), purpose == .reading || bytes.count == byteCount, let md5 else {
            throw .encryptionArgument("The secret key was invalid for the specified algorithm.")
        }
        guard Base64.decode(md5) == Digest.of(bytes, .md5) else {
            throw .encryptionArgument(
                "The calculated MD5 hash of the key did not match the hash that was provided.")
        }
        return CustomerKey(bytes: bytes, md5: md5.text)
    }

    /// Whether a write brings one, right or wrong.
    static func isNamed(in fields: RequestFields) -> Bool {
        let headers = Purpose.writing.headers
        return [headers.algorithm, headers.key, headers.md5].contains { fields.first($0) != nil }
    }

    /// Appends the two headers that answers about an object of this key have, each with CRLF.
    package func appendFieldLines(to bytes: inout [UInt8]) {
        bytes.appendFieldLine("x-amz-server-side-encryption-customer-algorithm", "AES256")
        bytes.appendFieldLine("x-amz-server-side-encryption-customer-key-MD5", Array(md5.utf8)[...])
    }
}

/// What is kept of a customer's key: enough to know it again.
package struct CustomerKeyDigest: Sendable, Equatable {
    /// The salt, then the SHA-256 of salt and key.
    package let bytes: [UInt8]

    private static let saltByteCount = 16

    package init(of key: CustomerKey) {
        let salt = randomBytes(Self.saltByteCount)
        bytes = salt + Digest.of(salt + key.bytes, .sha256)
    }

    package init(stored bytes: [UInt8]) { self.bytes = bytes }

    package func matches(_ key: CustomerKey) -> Bool {
        let salt = Array(bytes.prefix(Self.saltByteCount))
        return Digest.of(salt + key.bytes, .sha256).elementsEqual(bytes.dropFirst(Self.saltByteCount))
    }
}

extension S3Error {
    /// 400 about a header of encryption, which S3 calls by the name of the first of them.
    static func encryptionArgument(_ message: String, value: String? = nil) -> S3Error {
        .invalidArgument(message, name: "x-amz-server-side-encryption", value: value)
    }

    static func encryptionAlgorithm(_ value: String) -> S3Error {
        S3Error(
            .invalidEncryptionAlgorithm, "The Encryption request you specified is not valid. Supported value: AES256.",
            elements: [.init("ArgumentName", "x-amz-server-side-encryption"), .init("ArgumentValue", value)])
    }

    fileprivate static func customerKey(_ end: String) -> S3Error {
        .encryptionArgument("Requests specifying Server Side Encryption with Customer provided keys \(end)")
    }
}
