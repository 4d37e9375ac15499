import ShoalCrypto
import ShoalJSON

/// How a write asks for its object to be encrypted.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html#API_PutObject_RequestSyntax
package enum EncryptionRequest: Sendable {
    /// As the bucket does it.
    case usual
    case s3
    case kms(keyID: String?, isDoubleLayer: Bool, bucketKeyEnabled: Bool?)
    case customerKey(CustomerKey)

    /// What the `x-amz-server-side-encryption…` headers ask for.
    ///
    /// Throws 400 `InvalidArgument`: for a method there is not, for a customer's key beside another method, for a key of KMS
    /// without that method, and for a context that is no map of strings; and what `CustomerKey.named` throws.
    package init(_ fields: RequestFields) throws(S3Error) {
        let method = fields.first("x-amz-server-side-encryption")
        if let method, CustomerKey.isNamed(in: fields) {
            throw .encryptionArgument(
                "Server Side Encryption with Customer provided key is incompatible with the encryption method "
                    + "specified", value: method.text)
        }
        if let key = try CustomerKey.named(in: fields) {
            self = .customerKey(key)
            return
        }
        let keyID = fields.first("x-amz-server-side-encryption-aws-kms-key-id")?.text
        switch method?.text {
        case nil, "AES256":
            guard keyID == nil else {
                throw .encryptionArgument(
                    "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : "
                        + "aws:kms", value: method?.text ?? "null")
            }
            self = method == nil ? .usual : .s3
        case "aws:kms", "aws:kms:dsse":
            if let keyID, !KMSEncryption.isKeyID(keyID) {
                throw .encryptionArgument("Invalid keyId '\(keyID)'", value: keyID)
            }
            try Self.checkContext(fields.first("x-amz-server-side-encryption-context"))
            self = .kms(
                keyID: keyID, isDoubleLayer: method?.text == "aws:kms:dsse",
                bucketKeyEnabled: fields.first("x-amz-server-side-encryption-bucket-key-enabled")
                    .map { $0.equalsIgnoringCase("true") })
        case let other?:
            throw .encryptionArgument("The encryption method specified is not supported", value: other)
        }
    }

    private static func checkContext(_ value: ArraySlice<UInt8>?) throws(S3Error) {
        guard let value else { return }
        guard let text = Base64.decode(value), case .object(let members)? = try? JSONParser.parse(text),
            members.allSatisfy({ if case .string = $0.value { true } else { false } })
        else {
            throw .invalidArgument(
                "The header 'x-amz-server-side-encryption-context' shall be Base64-encoded UTF-8 string holding JSON "
                    + "which represents a string-string map",
                name: "x-amz-server-side-encryption-context", value: value.text)
        }
    }

    /// The key of a customer that came with it.
    package var customerKey: CustomerKey? {
        if case .customerKey(let key) = self { key } else { nil }
    }

    /// What the object gets in a bucket of that configuration. Throws 403 `AccessDenied` for a kind the bucket blocks.
    package func encryption(
        in bucket: ServerSideEncryptionConfiguration, region: String, account: String
    ) throws(S3Error) -> ObjectEncryption {
        switch self {
        case .s3: return .s3
        case .customerKey(let key):
            guard !bucket.blockedTypes.contains(.customerProvidedKey) else { throw S3Error(.accessDenied) }
            return .customerKey(CustomerKeyDigest(of: key))
        case .kms(let keyID, let isDoubleLayer, let bucketKeyEnabled):
            return .kms(
                KMSEncryption(
                    keyID: KMSEncryption.name(ofKey: keyID ?? bucket.kmsKeyID, region: region, account: account),
                    isDoubleLayer: isDoubleLayer,
                    bucketKeyEnabled: bucketKeyEnabled ?? bucket.bucketKeyEnabled))
        case .usual:
            guard bucket.algorithm != .aes256 else { return .s3 }
            return .kms(
                KMSEncryption(
                    keyID: KMSEncryption.name(ofKey: bucket.kmsKeyID, region: region, account: account),
                    isDoubleLayer: bucket.algorithm == .kmsDoubleLayer,
                    bucketKeyEnabled: bucket.bucketKeyEnabled))
        }
    }
}
