import ShoalXML

/// How objects are encrypted whose write does not say; a label here, as nothing is encrypted.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ServerSideEncryptionConfiguration.html
package struct ServerSideEncryptionConfiguration: Sendable, Equatable {
    package enum Algorithm: String, CaseIterable, Sendable {
        case aes256 = "AES256"
        case kms = "aws:kms"
        case kmsDoubleLayer = "aws:kms:dsse"
    }

    /// Kinds of encryption that writes may not ask for.
    package enum BlockedType: String, CaseIterable, Sendable {
        case none = "NONE"
        case customerProvidedKey = "SSE-C"
    }

    package let algorithm: Algorithm
    package let kmsKeyID: String?
    package let bucketKeyEnabled: Bool
    package let blockedTypes: [BlockedType]

    package init(
        algorithm: Algorithm, kmsKeyID: String? = nil, bucketKeyEnabled: Bool = false, blockedTypes: [BlockedType] = []
    ) {
        self.algorithm = algorithm
        self.kmsKeyID = kmsKeyID
        self.bucketKeyEnabled = bucketKeyEnabled
        self.blockedTypes = blockedTypes
    }

    /// That of a new bucket, and of one whose configuration was deleted. Differs from S3, which blocks keys of customers
    /// in new buckets: tests of programs that use them should run.
    package static let unset = ServerSideEncryptionConfiguration(algorithm: .aes256)

    /// Throws 400: `MissingRequestBodyError`, `MalformedXML`, also for no rule or two, and `InvalidArgument` for a key of
    /// KMS where KMS is not used.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "ServerSideEncryptionConfiguration")
        try root.checkChildren(once: ["Rule"])
        guard let rule = root.child("Rule") else { throw S3Error(.malformedXML) }
        try rule.checkChildren(
            once: ["ApplyServerSideEncryptionByDefault", "BucketKeyEnabled", "BlockedEncryptionTypes"])
        let byDefault = rule.child("ApplyServerSideEncryptionByDefault")
        try byDefault?.checkChildren(once: ["SSEAlgorithm", "KMSMasterKeyID"])
        let algorithm = try byDefault?.requiredChoice("SSEAlgorithm", of: Algorithm.self) ?? .aes256
        let keyID = try byDefault?.optionalText("KMSMasterKeyID")
        guard keyID.map(KMSEncryption.isKeyID) ?? true else { throw S3Error(.malformedXML) }
        guard algorithm != .aes256 || keyID == nil else {
            throw .invalidArgument(
                "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse",
                name: "ApplyServerSideEncryptionByDefault", value: nil)
        }
        self.init(
            algorithm: algorithm, kmsKeyID: keyID, bucketKeyEnabled: try rule.flag("BucketKeyEnabled") ?? false,
            blockedTypes: try Self.blockedTypes(rule.child("BlockedEncryptionTypes")))
    }

    private static func blockedTypes(_ element: XMLElement?) throws(S3Error) -> [BlockedType] {
        guard let element else { return [] }
        try element.checkChildren(repeated: ["EncryptionType"])
        var types: [BlockedType] = []
        for text in try element.texts("EncryptionType") {
            guard let type = BlockedType(rawValue: text) else { throw S3Error(.malformedXML) }
            types.append(type)
        }
        return types
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("ServerSideEncryptionConfiguration")
        document.markup("<Rule><ApplyServerSideEncryptionByDefault>")
        document.element("SSEAlgorithm", algorithm.rawValue)
        if let kmsKeyID { document.element("KMSMasterKeyID", kmsKeyID) }
        document.close("ApplyServerSideEncryptionByDefault")
        document.element("BucketKeyEnabled", bucketKeyEnabled)
        if !blockedTypes.isEmpty {
            document.open("BlockedEncryptionTypes")
            for type in blockedTypes { document.element("EncryptionType", type.rawValue) }
            document.close("BlockedEncryptionTypes")
        }
        document.close("Rule")
        document.close("ServerSideEncryptionConfiguration")
        return document.bytes
    }
}
