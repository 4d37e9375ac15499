import ShoalS3
import Testing

@Suite struct `A setting that is kept and told` {
    private static func body(_ root: String, _ content: String) -> [UInt8] {
        Array("<\(root)>\(content)</\(root)>".utf8)
    }

    @Test func `is that of a new bucket until it is put`() throws {
        #expect(text(RequestPaymentConfiguration.unset.document) == (try goldenXML("request-payment")))
        #expect(text(AccelerateConfiguration(status: nil).document) == (try goldenXML("accelerate-never")))
        #expect(text(OwnershipControls.ofNewBucket.document) == (try goldenXML("ownership-controls")))
        #expect(text(PublicAccessBlockConfiguration.ofNewBucket.document) == (try goldenXML("public-access-block")))
        #expect(text(ServerSideEncryptionConfiguration.unset.document) == (try goldenXML("encryption")))
        #expect(text(BucketLoggingStatus(target: nil).document) == (try goldenXML("logging-off")))
    }

    @Test func `comes back as it was put`() throws {
        let payment = try RequestPaymentConfiguration(
            Self.body("RequestPaymentConfiguration", "<Payer>Requester</Payer>"))
        #expect(payment.payer == .requester)
        #expect(try RequestPaymentConfiguration(payment.document) == payment)
        let acceleration = try AccelerateConfiguration(Array(try goldenXML("accelerate").utf8))
        #expect(acceleration.status == .enabled)
        #expect(text(acceleration.document) == (try goldenXML("accelerate")))
        for ownership in ObjectOwnership.allCases {
            let controls = OwnershipControls(ownership: ownership)
            #expect(try OwnershipControls(controls.document) == controls)
        }
        let block = try PublicAccessBlockConfiguration(
            Self.body("PublicAccessBlockConfiguration", "<BlockPublicPolicy>TRUE</BlockPublicPolicy>"))
        #expect(block == PublicAccessBlockConfiguration(blockPublicPolicy: true))
        #expect(try PublicAccessBlockConfiguration(block.document) == block)
        let encryption = try ServerSideEncryptionConfiguration(Array(try goldenXML("encryption-kms").utf8))
        #expect(encryption.kmsKeyID == "alias/k" && encryption.bucketKeyEnabled && encryption.blockedTypes.count == 1)
        #expect(text(encryption.document) == (try goldenXML("encryption-kms")))
        let logging = try BucketLoggingStatus(Array(try goldenXML("logging").utf8))
        #expect(logging.target?.grants == [Grant(.write, to: .group(.logDelivery))])
        #expect(logging.target?.keyFormat == .partitionedPrefix(.eventTime))
        #expect(text(logging.document) == (try goldenXML("logging")))
        #expect(try BucketLoggingStatus(Self.body("BucketLoggingStatus", "")).target == nil)
    }

    private static let refused: [(String, String)] = [
        ("RequestPaymentConfiguration", ""), ("RequestPaymentConfiguration", "<Payer>requester</Payer>"),
        ("AccelerateConfiguration", ""), ("AccelerateConfiguration", "<Status>On</Status>"),
        ("OwnershipControls", ""), ("OwnershipControls", "<Rule/>"),
        ("OwnershipControls", "<Rule><ObjectOwnership>Nobody</ObjectOwnership></Rule>"),
        (
            "OwnershipControls",
            String(repeating: "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>", count: 2)
        ),
        ("PublicAccessBlockConfiguration", "<BlockPublicAcls>yes</BlockPublicAcls>"),
        ("PublicAccessBlockConfiguration", "<BlockPublicACLs>true</BlockPublicACLs>"),
        ("ServerSideEncryptionConfiguration", ""), ("ServerSideEncryptionConfiguration", "<Rule/><Rule/>"),
        (
            "ServerSideEncryptionConfiguration",
            "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aes256</SSEAlgorithm>"
                + "</ApplyServerSideEncryptionByDefault></Rule>"
        ),
        ("ServerSideEncryptionConfiguration", "<Rule><ApplyServerSideEncryptionByDefault/></Rule>"),
        (
            "ServerSideEncryptionConfiguration",
            "<Rule><BlockedEncryptionTypes><EncryptionType>X</EncryptionType></BlockedEncryptionTypes></Rule>"
        ),
        ("BucketLoggingStatus", "<LoggingEnabled><TargetBucket>b</TargetBucket></LoggingEnabled>"),
        ("BucketLoggingStatus", "<LoggingEnabled><TargetPrefix/></LoggingEnabled>"),
        (
            "BucketLoggingStatus",
            "<LoggingEnabled><TargetBucket>b</TargetBucket><TargetPrefix/><TargetObjectKeyFormat/></LoggingEnabled>"
        ),
    ]

    private static func read(_ root: String, _ body: [UInt8]) throws {
        switch root {
        case "RequestPaymentConfiguration": _ = try RequestPaymentConfiguration(body)
        case "AccelerateConfiguration": _ = try AccelerateConfiguration(body)
        case "OwnershipControls": _ = try OwnershipControls(body)
        case "PublicAccessBlockConfiguration": _ = try PublicAccessBlockConfiguration(body)
        case "ServerSideEncryptionConfiguration": _ = try ServerSideEncryptionConfiguration(body)
        default: _ = try BucketLoggingStatus(body)
        }
    }

    @Test(arguments: refused)
    func `is malformed if the schema does not know it`(root: String, content: String) {
        #expect(refusal { try Self.read(root, Self.body(root, content)) } == malformedXML)
        #expect(refusal { try Self.read(root, []) } == "MissingRequestBodyError | Request Body is empty")
    }

    @Test func `of public access says something`() {
        #expect(
            refusal { _ = try PublicAccessBlockConfiguration(Self.body("PublicAccessBlockConfiguration", "")) }
                == "InvalidRequest | Must specify at least one configuration.")
    }

    @Test func `takes no key of KMS for another algorithm`() {
        let content =
            "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm>"
            + "<KMSMasterKeyID>k</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule>"
        #expect(
            refusal {
                try Self.read(
                    "ServerSideEncryptionConfiguration", Self.body("ServerSideEncryptionConfiguration", content))
            }
                == "InvalidArgument | a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or "
                + "aws:kms:dsse | ArgumentName=ApplyServerSideEncryptionByDefault")
    }

    @Test func `of ownership is read from a header too`() throws {
        func named(_ lines: [String]) throws -> ObjectOwnership? {
            try ObjectOwnership.named(in: try requestFields("PUT /bucket", lines))
        }
        #expect(try named([]) == nil)
        #expect(try named(["x-amz-object-ownership: ObjectWriter"]) == .objectWriter)
        #expect(
            refusal { _ = try named(["x-amz-object-ownership: x"]) }
                == "InvalidArgument | Invalid x-amz-object-ownership header: x | ArgumentName=x-amz-object-ownership")
    }

    @Test func `among others of its kind stays below what can be read again`() throws {
        var all = NamedConfigurations(.metrics)
        func body(_ id: String, _ byteCount: Int) -> [UInt8] {
            let prefix = String(repeating: "x", count: byteCount)
            return Self.body("MetricsConfiguration", "<Filter><Prefix>\(prefix)</Prefix></Filter><Id>\(id)</Id>")
        }
        try all.put(body("a", 1_200_000), id: "a")
        let error = #expect(throws: S3Error.self) { try all.put(body("b", 1_200_000), id: "b") }
        #expect(error?.code == .invalidRequest)
        #expect(throws: S3Error.self) { try all.put(body("a", 2_097_000), id: "a") }
        #expect(try NamedConfigurations(.metrics, stored: all.stored).document(id: "a") == all.document(id: "a"))
        try all.put(body("b", 100), id: "b")
        try all.remove(id: "a")
        #expect(!all.isEmpty)
    }
}
