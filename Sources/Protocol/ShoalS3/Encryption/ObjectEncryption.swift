import ShoalCrypto

/// How an object is said to be encrypted. A label: the bytes are stored as they came, but a customer's key is asked for.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingEncryption.html
package enum ObjectEncryption: Sendable, Equatable {
    /// With keys of S3, as every object whose write does not say otherwise.
    case s3
    case kms(KMSEncryption)
    case customerKey(CustomerKeyDigest)

    /// The tag of a body with that MD5: of objects under other keys than S3's own, the tag is no digest of the content.
    package func etag(ofMD5 md5: [UInt8]) -> ETag {
        guard self != .s3 else { return ETag(md5: md5) }
        return ETag(md5: Digest.of(md5 + randomBytes(16), .md5))
    }

    /// Whether it is with a customer's key.
    package var isCustomers: Bool { if case .customerKey = self { true } else { false } }

    /// Appends the headers that tell of it, each with CRLF; `key` is the one the request brought.
    package func appendFieldLines(to bytes: inout [UInt8], key: CustomerKey?) {
        switch self {
        case .s3: bytes.appendFieldLine("x-amz-server-side-encryption", "AES256")
        case .kms(let kms): kms.appendFieldLines(to: &bytes)
        case .customerKey: key?.appendFieldLines(to: &bytes)
        }
    }
}

// MARK: - Who may read

extension ObjectEncryption {
    /// Throws 400 `InvalidRequest` for a missing key and for one that is not needed, and 403 `AccessDenied` for a wrong
    /// one. `key` is that of the object, or of a copy's source.
    package func checkReading(with key: CustomerKey?) throws(S3Error) {
        switch (self, key) {
        case (.customerKey(let digest), let key?):
            guard digest.matches(key) else {
                throw S3Error(
                    .accessDenied,
                    "Requests specifying Server Side Encryption with Customer provided keys must provide the correct "
                        + "secret key.")
            }
        case (.customerKey, nil):
            throw S3Error(
                .invalidRequest,
                "The object was stored using a form of Server Side Encryption. The correct parameters must be provided "
                    + "to retrieve the object.")
        case (_, nil): return
        case (_, _?):
            throw S3Error(.invalidRequest, "The encryption parameters are not applicable to this object.")
        }
    }

    /// Throws 400 `InvalidRequest` if a part comes with another key than its upload was begun with, or without it.
    package func checkPart(with key: CustomerKey?) throws(S3Error) {
        switch (self, key) {
        case (.customerKey(let digest), let key?):
            guard digest.matches(key) else {
                throw S3Error(
                    .invalidRequest, "The provided encryption parameters did not match the ones used originally.")
            }
        case (.customerKey, nil), (.s3, _?), (.kms, _?):
            throw S3Error(
                .invalidRequest,
                "The multipart upload initiate requested encryption. Subsequent part requests must include the "
                    + "appropriate encryption parameters.")
        case (.s3, nil), (.kms, nil): return
        }
    }

    /// Throws 400 `InvalidArgument` for a read that names an encryption, which only writes do.
    package static func checkNotNamed(in fields: RequestFields) throws(S3Error) {
        guard let value = fields.first("x-amz-server-side-encryption") else { return }
        throw .encryptionArgument(
            "x-amz-server-side-encryption header is not supported for this operation.", value: value.text)
    }
}

/// Encryption with a key of KMS.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
package struct KMSEncryption: Sendable, Equatable {
    /// As answers name it: the ARN where the request named a key as AWS does.
    package let keyID: String
    /// `aws:kms:dsse`.
    package let isDoubleLayer: Bool
    package let bucketKeyEnabled: Bool

    package init(keyID: String, isDoubleLayer: Bool, bucketKeyEnabled: Bool) {
        self.keyID = keyID
        self.isDoubleLayer = isDoubleLayer
        self.bucketKeyEnabled = bucketKeyEnabled
    }

    func appendFieldLines(to bytes: inout [UInt8]) {
        if isDoubleLayer {
            bytes.appendFieldLine("x-amz-server-side-encryption", "aws:kms:dsse")
        } else {
            bytes.appendFieldLine("x-amz-server-side-encryption", "aws:kms")
        }
        bytes.appendFieldLine("x-amz-server-side-encryption-aws-kms-key-id", Array(keyID.utf8)[...])
        if bucketKeyEnabled {
            bytes.appendFieldLine("x-amz-server-side-encryption-bucket-key-enabled", "true")
        }
    }

    /// Bytes of a key's name.
    package static let keyIDByteCountMax = 2_048

    /// Whether a key can be called so: visible ASCII, since answers carry it in a header.
    package static func isKeyID(_ text: String) -> Bool {
        (1...keyIDByteCountMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The name answers give a key: of a bare id or alias, its ARN; anything else stays as it is. Nil stands for the key
    /// that S3 makes itself in each account and region.
    package static func name(ofKey key: String?, region: String, account: String) -> String {
        let prefix = "arn:aws:kms:\(region):\(account):"
        guard let key else {
            let digits = Hexadecimal.string(Array(Digest.of(Array("aws/s3 \(prefix)".utf8), .sha256).prefix(16)))
            return "\(prefix)key/\(hyphenated(digits))"
        }
        if key.hasPrefix("alias/") { return prefix + key }
        return isBareID(key) ? "\(prefix)key/\(key)" : key
    }

    private static func hyphenated(_ digits: String) -> String {
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }

    private static func isBareID(_ key: String) -> Bool {
        if key.hasPrefix("mrk-") { return true }
        let groups = key.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
    }
}
