/// The rights that policies give, by the names of IAM.
/// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
package enum PolicyAction {
    private static let onObjects = [
        "AbortMultipartUpload", "BypassGovernanceRetention", "DeleteObject", "DeleteObjectTagging",
        "DeleteObjectVersion", "DeleteObjectVersionTagging", "GetObject", "GetObjectAcl", "GetObjectAttributes",
        "GetObjectLegalHold", "GetObjectRetention", "GetObjectTagging", "GetObjectTorrent", "GetObjectVersion",
        "GetObjectVersionAcl", "GetObjectVersionAttributes", "GetObjectVersionForReplication",
        "GetObjectVersionTagging", "GetObjectVersionTorrent", "InitiateReplication", "ListMultipartUploadParts",
        "ObjectOwnerOverrideToBucketOwner", "PutObject", "PutObjectAcl", "PutObjectLegalHold", "PutObjectRetention",
        "PutObjectTagging", "PutObjectVersionAcl", "PutObjectVersionTagging", "ReplicateDelete", "ReplicateObject",
        "ReplicateTags", "RestoreObject", "UpdateObjectEncryption",
    ]

    private static let onBuckets = [
        "CreateBucket", "DeleteBucket", "DeleteBucketPolicy", "DeleteBucketWebsite", "GetAccelerateConfiguration",
        "GetAnalyticsConfiguration", "GetBucketAcl", "GetBucketCORS", "GetBucketLocation", "GetBucketLogging",
        "GetBucketNotification", "GetBucketObjectLockConfiguration", "GetBucketOwnershipControls", "GetBucketPolicy",
        "GetBucketPolicyStatus", "GetBucketPublicAccessBlock", "GetBucketRequestPayment", "GetBucketTagging",
        "GetBucketVersioning", "GetBucketWebsite", "GetEncryptionConfiguration", "GetIntelligentTieringConfiguration",
        "GetInventoryConfiguration", "GetLifecycleConfiguration", "GetMetricsConfiguration",
        "GetReplicationConfiguration", "ListBucket", "ListBucketMultipartUploads", "ListBucketVersions",
        "PutAccelerateConfiguration", "PutAnalyticsConfiguration", "PutBucketAcl", "PutBucketCORS", "PutBucketLogging",
        "PutBucketNotification", "PutBucketObjectLockConfiguration", "PutBucketOwnershipControls", "PutBucketPolicy",
        "PutBucketPublicAccessBlock", "PutBucketRequestPayment", "PutBucketTagging", "PutBucketVersioning",
        "PutBucketWebsite", "PutEncryptionConfiguration", "PutIntelligentTieringConfiguration",
        "PutInventoryConfiguration", "PutLifecycleConfiguration", "PutMetricsConfiguration",
        "PutReplicationConfiguration",
    ]

    private static let objectNames = Set(onObjects.map(canonical))
    private static let names = (onObjects + onBuckets).map(canonical)

    /// Names of actions are compared without case.
    private static func canonical(_ name: String) -> [UInt8] { "s3:\(name)".utf8.map(\.lowercasedASCII) }

    /// Whether the pattern, in lower case, covers an action of S3.
    static func isKnown(_ pattern: WildcardPattern) -> Bool { names.contains { pattern.matches($0) } }

    /// Whether `s3:…` is a right to objects rather than to a bucket.
    static func isOnObjects(_ name: String) -> Bool { objectNames.contains(name.utf8.map(\.lowercasedASCII)) }

    /// The right an operation needs, `s3:GetObject` and the like; nil for what needs none or is judged otherwise.
    ///
    /// `namesVersion` tells whether the request has a `versionId`. A copy needs the right to read its source besides.
    package static func name(of operation: S3Operation, namesVersion: Bool = false) -> String? {
        switch operation {
        case .listBuckets, .optionsPreflight, .unknown, .deleteObjects: nil
        case .createBucket: "s3:CreateBucket"
        case .deleteBucket: "s3:DeleteBucket"
        case .headBucket, .listObjects, .listObjectsV2: "s3:ListBucket"
        case .listObjectVersions: "s3:ListBucketVersions"
        case .listMultipartUploads: "s3:ListBucketMultipartUploads"
        case .getObject, .headObject: namesVersion ? "s3:GetObjectVersion" : "s3:GetObject"
        case .putObject, .copyObject, .createMultipartUpload, .uploadPart, .uploadPartCopy, .completeMultipartUpload,
            .postObject:
            "s3:PutObject"
        case .deleteObject: namesVersion ? "s3:DeleteObjectVersion" : "s3:DeleteObject"
        case .abortMultipartUpload: "s3:AbortMultipartUpload"
        case .listParts: "s3:ListMultipartUploadParts"
        case .restoreObject: "s3:RestoreObject"
        case .getObjectAttributes: namesVersion ? "s3:GetObjectVersionAttributes" : "s3:GetObjectAttributes"
        case .getObjectAcl: namesVersion ? "s3:GetObjectVersionAcl" : "s3:GetObjectAcl"
        case .putObjectAcl: namesVersion ? "s3:PutObjectVersionAcl" : "s3:PutObjectAcl"
        case .getObjectTagging: namesVersion ? "s3:GetObjectVersionTagging" : "s3:GetObjectTagging"
        case .putObjectTagging: namesVersion ? "s3:PutObjectVersionTagging" : "s3:PutObjectTagging"
        case .deleteObjectTagging: namesVersion ? "s3:DeleteObjectVersionTagging" : "s3:DeleteObjectTagging"
        case .getObjectRetention: "s3:GetObjectRetention"
        case .putObjectRetention: "s3:PutObjectRetention"
        case .getObjectLegalHold: "s3:GetObjectLegalHold"
        case .putObjectLegalHold: "s3:PutObjectLegalHold"
        default: nameOfConfiguration(operation)
        }
    }

    /// Of operations that read or change a bucket's settings; to delete most of them is to put them.
    private static func nameOfConfiguration(_ operation: S3Operation) -> String? {
        switch operation {
        case .getBucketLocation: "s3:GetBucketLocation"
        case .getBucketTagging: "s3:GetBucketTagging"
        case .putBucketTagging, .deleteBucketTagging: "s3:PutBucketTagging"
        case .getBucketAcl: "s3:GetBucketAcl"
        case .putBucketAcl: "s3:PutBucketAcl"
        case .getBucketVersioning: "s3:GetBucketVersioning"
        case .putBucketVersioning: "s3:PutBucketVersioning"
        case .getBucketPolicy: "s3:GetBucketPolicy"
        case .putBucketPolicy: "s3:PutBucketPolicy"
        case .deleteBucketPolicy: "s3:DeleteBucketPolicy"
        case .getBucketPolicyStatus: "s3:GetBucketPolicyStatus"
        case .getPublicAccessBlock: "s3:GetBucketPublicAccessBlock"
        case .putPublicAccessBlock, .deletePublicAccessBlock: "s3:PutBucketPublicAccessBlock"
        case .getBucketOwnershipControls: "s3:GetBucketOwnershipControls"
        case .putBucketOwnershipControls, .deleteBucketOwnershipControls: "s3:PutBucketOwnershipControls"
        case .getBucketCors: "s3:GetBucketCORS"
        case .putBucketCors, .deleteBucketCors: "s3:PutBucketCORS"
        case .getBucketLifecycleConfiguration: "s3:GetLifecycleConfiguration"
        case .putBucketLifecycleConfiguration, .deleteBucketLifecycle: "s3:PutLifecycleConfiguration"
        case .getObjectLockConfiguration: "s3:GetBucketObjectLockConfiguration"
        case .putObjectLockConfiguration: "s3:PutBucketObjectLockConfiguration"
        case .getBucketEncryption: "s3:GetEncryptionConfiguration"
        case .putBucketEncryption, .deleteBucketEncryption: "s3:PutEncryptionConfiguration"
        case .getBucketWebsite: "s3:GetBucketWebsite"
        case .putBucketWebsite: "s3:PutBucketWebsite"
        case .deleteBucketWebsite: "s3:DeleteBucketWebsite"
        case .getBucketNotificationConfiguration: "s3:GetBucketNotification"
        case .putBucketNotificationConfiguration: "s3:PutBucketNotification"
        case .getBucketLogging: "s3:GetBucketLogging"
        case .putBucketLogging: "s3:PutBucketLogging"
        case .getBucketRequestPayment: "s3:GetBucketRequestPayment"
        case .putBucketRequestPayment: "s3:PutBucketRequestPayment"
        case .getBucketAccelerateConfiguration: "s3:GetAccelerateConfiguration"
        case .putBucketAccelerateConfiguration: "s3:PutAccelerateConfiguration"
        case .getBucketMetricsConfiguration, .listBucketMetricsConfigurations: "s3:GetMetricsConfiguration"
        case .putBucketMetricsConfiguration, .deleteBucketMetricsConfiguration: "s3:PutMetricsConfiguration"
        case .getBucketAnalyticsConfiguration, .listBucketAnalyticsConfigurations: "s3:GetAnalyticsConfiguration"
        case .putBucketAnalyticsConfiguration, .deleteBucketAnalyticsConfiguration: "s3:PutAnalyticsConfiguration"
        case .getBucketInventoryConfiguration, .listBucketInventoryConfigurations: "s3:GetInventoryConfiguration"
        case .putBucketInventoryConfiguration, .deleteBucketInventoryConfiguration: "s3:PutInventoryConfiguration"
        case .getBucketIntelligentTieringConfiguration, .listBucketIntelligentTieringConfigurations:
            "s3:GetIntelligentTieringConfiguration"
        case .putBucketIntelligentTieringConfiguration, .deleteBucketIntelligentTieringConfiguration:
            "s3:PutIntelligentTieringConfiguration"
        case .getBucketReplication: "s3:GetReplicationConfiguration"
        case .putBucketReplication, .deleteBucketReplication: "s3:PutReplicationConfiguration"
        default: nil
        }
    }
}
