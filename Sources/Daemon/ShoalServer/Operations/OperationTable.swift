import ShoalS3

extension S3Request {
    /// The operation the route names; `NotBuilt` for what Shoal does not do.
    func operation() throws(S3Error) -> any Operation {
        if route.style == .website { return try GetWebsitePage(self) }
        return switch route.operation {
        case .listBuckets: try ListBuckets(self)
        case .createBucket: try CreateBucket(self)
        case .headBucket: try HeadBucket(self)
        case .deleteBucket: try DeleteBucket(self)
        case .getBucketLocation: try GetBucketLocation(self)
        case .listObjectsV2, .listObjects: try ListObjects(self)
        case .putObject: try PutObject(self)
        case .postObject: try PostObject(self)
        case .getObject: try GetObject(self)
        case .headObject: try HeadObject(self)
        case .deleteObject: try DeleteObject(self)
        case .deleteObjects: try DeleteObjects(self)
        case .copyObject: try CopyObject(self)
        case .getObjectAttributes: try GetObjectAttributes(self)
        case .getObjectTagging: try GetObjectTagging(self)
        case .putObjectTagging: try PutObjectTagging(self)
        case .deleteObjectTagging: try DeleteObjectTagging(self)
        case .restoreObject: try RestoreObject(self)
        case .getObjectRetention: try GetObjectLock.retention(self)
        case .putObjectRetention: try PutObjectLock.retention(self)
        case .getObjectLegalHold: try GetObjectLock.legalHold(self)
        case .putObjectLegalHold: try PutObjectLock.legalHold(self)
        case .createMultipartUpload: try CreateMultipartUpload(self)
        case .uploadPart: try UploadPart(self)
        case .uploadPartCopy: try UploadPartCopy(self)
        case .completeMultipartUpload: try CompleteMultipartUpload(self)
        case .abortMultipartUpload: try AbortMultipartUpload(self)
        case .listParts: try ListParts(self)
        case .listMultipartUploads: try ListMultipartUploads(self)
        case .getBucketVersioning: GetBucketVersioning(self)
        case .putBucketVersioning: try PutBucketDocument.versioning(self)
        case .listObjectVersions: try ListObjectVersions(self)
        case .getBucketAcl, .getObjectAcl: GetACL(self)
        case .putBucketAcl, .putObjectAcl: try PutACL(self)
        default: try configurationOperation()
        }
    }

    /// The operation on a configuration of a bucket that the route names.
    private func configurationOperation() throws(S3Error) -> any Operation {
        switch route.operation {
        case .getBucketCors: GetBucketConfiguration(self, .cors)
        case .putBucketCors: try PutBucketDocument.cors(self)
        case .deleteBucketCors: DeleteBucketConfiguration(self, .cors)
        case .getBucketTagging: GetBucketConfiguration(self, .tagging)
        case .putBucketTagging: try PutBucketDocument.tagging(self)
        case .deleteBucketTagging: DeleteBucketConfiguration(self, .tagging)
        case .getBucketRequestPayment: GetBucketConfiguration(self, .requestPayment)
        case .putBucketRequestPayment: try PutBucketDocument.requestPayment(self)
        case .getBucketAccelerateConfiguration: GetBucketConfiguration(self, .accelerate)
        case .putBucketAccelerateConfiguration: try PutBucketDocument.accelerate(self)
        case .getBucketLogging: GetBucketConfiguration(self, .logging)
        case .putBucketLogging: try PutBucketDocument.logging(self)
        case .getBucketOwnershipControls: GetBucketConfiguration(self, .ownershipControls)
        case .putBucketOwnershipControls: try PutBucketDocument.ownershipControls(self)
        case .deleteBucketOwnershipControls: DeleteBucketConfiguration(self, .ownershipControls)
        case .getPublicAccessBlock: GetBucketConfiguration(self, .publicAccessBlock)
        case .putPublicAccessBlock: try PutBucketDocument.publicAccessBlock(self)
        case .deletePublicAccessBlock: DeleteBucketConfiguration(self, .publicAccessBlock)
        case .getBucketEncryption: GetBucketConfiguration(self, .encryption)
        case .putBucketEncryption: try PutBucketDocument.encryption(self)
        case .deleteBucketEncryption: DeleteBucketConfiguration(self, .encryption)
        case .getBucketPolicy: GetBucketConfiguration(self, .policy)
        case .putBucketPolicy: try PutBucketDocument.policy(self)
        case .deleteBucketPolicy: DeleteBucketConfiguration(self, .policy)
        case .getBucketPolicyStatus: GetBucketPolicyStatus(self)
        case .getBucketLifecycleConfiguration: GetBucketLifecycle(self)
        case .putBucketLifecycleConfiguration: try PutBucketLifecycle(self)
        case .deleteBucketLifecycle: DeleteBucketConfiguration(self, .lifecycle)
        case .getBucketWebsite: GetBucketConfiguration(self, .website)
        case .putBucketWebsite: try PutBucketDocument.website(self)
        case .deleteBucketWebsite: DeleteBucketConfiguration(self, .website)
        case .getObjectLockConfiguration: GetBucketConfiguration(self, .objectLock)
        case .putObjectLockConfiguration: try PutBucketDocument.objectLock(self)
        case .getBucketNotificationConfiguration: GetBucketConfiguration(self, .notification)
        case .putBucketNotificationConfiguration: try PutBucketNotificationConfiguration(self)
        default: try namedConfigurationOperation()
        }
    }

    /// The operation on what is kept and told only.
    private func namedConfigurationOperation() throws(S3Error) -> any Operation {
        switch route.operation {
        case .getBucketMetricsConfiguration: GetNamedConfiguration(self, .metrics)
        case .putBucketMetricsConfiguration: try PutBucketDocument.named(self, .metrics)
        case .deleteBucketMetricsConfiguration: try DeleteNamedConfiguration(self, .metrics)
        case .listBucketMetricsConfigurations: GetNamedConfiguration(self, .metrics, listsAll: true)
        case .getBucketAnalyticsConfiguration: GetNamedConfiguration(self, .analytics)
        case .putBucketAnalyticsConfiguration: try PutBucketDocument.named(self, .analytics)
        case .deleteBucketAnalyticsConfiguration: try DeleteNamedConfiguration(self, .analytics)
        case .listBucketAnalyticsConfigurations: GetNamedConfiguration(self, .analytics, listsAll: true)
        case .getBucketInventoryConfiguration: GetNamedConfiguration(self, .inventory)
        case .putBucketInventoryConfiguration: try PutBucketDocument.named(self, .inventory)
        case .deleteBucketInventoryConfiguration: try DeleteNamedConfiguration(self, .inventory)
        case .listBucketInventoryConfigurations: GetNamedConfiguration(self, .inventory, listsAll: true)
        case .getBucketIntelligentTieringConfiguration: GetNamedConfiguration(self, .intelligentTiering)
        case .putBucketIntelligentTieringConfiguration: try PutBucketDocument.named(self, .intelligentTiering)
        case .deleteBucketIntelligentTieringConfiguration: try DeleteNamedConfiguration(self, .intelligentTiering)
        case .listBucketIntelligentTieringConfigurations:
            GetNamedConfiguration(self, .intelligentTiering, listsAll: true)
        case .getBucketReplication: GetBucketConfiguration(self, .replication)
        case .putBucketReplication: try PutBucketDocument.replication(self)
        case .deleteBucketReplication: DeleteBucketConfiguration(self, .replication)
        default: NotBuilt(self)
        }
    }
}

/// What Shoal does not do. S3 looks for the bucket first, and so does this.
struct NotBuilt: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        if let name = request.route.bucket { _ = try world.bucket(name, for: request) }
        throw S3Error.notBuilt(request.route.operation)
    }
}

extension S3Error {
    /// 501 in S3's form: a wrong success would be worse than none.
    static func notBuilt(_ operation: S3Operation) -> S3Error {
        let name = operation == .unknown ? "This sub-resource" : operation.rawValue
        return S3Error(.notImplemented, "\(name) is not implemented by Shoal.")
    }
}
