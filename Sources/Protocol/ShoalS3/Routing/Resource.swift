import ShoalHTTP

/// What a request is about, under the name S3 gives it in a 405, and the operation each method has there.
///
/// `unknown` marks a method that S3 has and Shoal does not name: it is answered with 501 and never falls through to the
/// plain bucket or object.
struct Resource {
    /// The text of `<ResourceType>`.
    let type: String
    private let operations: [(method: RequestHead.Method, name: String, operation: S3Operation)]

    init(
        _ type: String, delete: S3Operation? = nil, get: S3Operation? = nil, head: S3Operation? = nil,
        post: S3Operation? = nil, put: S3Operation? = nil
    ) {
        self.type = type
        let all: [(RequestHead.Method, String, S3Operation?)] = [
            (.delete, "DELETE", delete), (.get, "GET", get), (.head, "HEAD", head), (.post, "POST", post),
            (.put, "PUT", put),
        ]
        operations = all.compactMap { method, name, operation in operation.map { (method, name, $0) } }
    }

    func operation(_ method: RequestHead.Method) -> S3Operation? {
        operations.first { $0.method == method }?.operation
    }

    /// 405 with the method as sent, and in `Allow` those that exist here.
    func methodNotAllowed(_ method: ArraySlice<UInt8>) -> S3Error {
        S3Error(
            .methodNotAllowed, elements: [.init("Method", method.text), .init("ResourceType", type)],
            headers: [("Allow", operations.map(\.name).joined(separator: ", "))])
    }

    static let service = Resource("SERVICE", get: .listBuckets)
    static let part = Resource("PART", put: .uploadPart)
}

extension SubResource {
    /// The resource this names on a bucket; nil if only objects have it.
    var onBucket: Resource? {
        switch self {
        case .abac: Resource("ABAC", get: .unknown, put: .unknown)
        case .accelerate:
            Resource(
                "ACCELERATE", get: .getBucketAccelerateConfiguration, put: .putBucketAccelerateConfiguration)
        case .acl: Resource("ACL", get: .getBucketAcl, put: .putBucketAcl)
        case .analytics:
            Resource(
                "ANALYTICS", delete: .deleteBucketAnalyticsConfiguration, get: .getBucketAnalyticsConfiguration,
                put: .putBucketAnalyticsConfiguration)
        case .cors: Resource("CORS", delete: .deleteBucketCors, get: .getBucketCors, put: .putBucketCors)
        case .delete: Resource("MULTI_OBJECT_DELETE", post: .deleteObjects)
        case .encryption:
            Resource(
                "ENCRYPTION", delete: .deleteBucketEncryption, get: .getBucketEncryption, put: .putBucketEncryption)
        case .intelligentTiering:
            Resource(
                "INTELLIGENT_TIERING", delete: .deleteBucketIntelligentTieringConfiguration,
                get: .getBucketIntelligentTieringConfiguration,
                put: .putBucketIntelligentTieringConfiguration)
        case .inventory:
            Resource(
                "INVENTORY", delete: .deleteBucketInventoryConfiguration, get: .getBucketInventoryConfiguration,
                put: .putBucketInventoryConfiguration)
        case .lifecycle:
            Resource(
                "LIFECYCLE", delete: .deleteBucketLifecycle, get: .getBucketLifecycleConfiguration,
                put: .putBucketLifecycleConfiguration)
        case .location: Resource("LOCATION", get: .getBucketLocation)
        case .logging: Resource("LOGGING_STATUS", get: .getBucketLogging, put: .putBucketLogging)
        case .metadataConfiguration:
            Resource("METADATA_CONFIGURATION", delete: .unknown, get: .unknown, post: .unknown)
        case .metadataTable: Resource("METADATA_TABLE", delete: .unknown, get: .unknown, post: .unknown)
        case .metrics:
            Resource(
                "METRICS", delete: .deleteBucketMetricsConfiguration, get: .getBucketMetricsConfiguration,
                put: .putBucketMetricsConfiguration)
        case .notification:
            Resource(
                "NOTIFICATION", get: .getBucketNotificationConfiguration, put: .putBucketNotificationConfiguration)
        case .objectLock:
            Resource(
                "OBJECT_LOCK_CONFIGURATION", get: .getObjectLockConfiguration, put: .putObjectLockConfiguration)
        case .ownershipControls:
            Resource(
                "OWNERSHIP_CONTROLS", delete: .deleteBucketOwnershipControls, get: .getBucketOwnershipControls,
                put: .putBucketOwnershipControls)
        case .policy:
            Resource("BUCKETPOLICY", delete: .deleteBucketPolicy, get: .getBucketPolicy, put: .putBucketPolicy)
        case .policyStatus: Resource("POLICY_STATUS", get: .getBucketPolicyStatus)
        case .publicAccessBlock:
            Resource(
                "PUBLIC_ACCESS_BLOCK", delete: .deletePublicAccessBlock, get: .getPublicAccessBlock,
                put: .putPublicAccessBlock)
        case .replication:
            Resource(
                "REPLICATION", delete: .deleteBucketReplication, get: .getBucketReplication,
                put: .putBucketReplication)
        case .requestPayment:
            Resource("REQUEST_PAYMENT", get: .getBucketRequestPayment, put: .putBucketRequestPayment)
        case .restore: Resource("RESTORE", post: .restoreObject)
        case .tagging:
            Resource("TAGGING", delete: .deleteBucketTagging, get: .getBucketTagging, put: .putBucketTagging)
        case .torrent: Resource("TORRENT", get: .unknown)
        case .uploadId:
            Resource("UPLOAD", delete: .abortMultipartUpload, get: .listParts, post: .completeMultipartUpload)
        case .uploads: Resource("UPLOADS", get: .listMultipartUploads)
        case .versioning: Resource("VERSIONING", get: .getBucketVersioning, put: .putBucketVersioning)
        case .versions: Resource("BUCKETVERSIONS", get: .listObjectVersions)
        case .website:
            Resource("WEBSITE", delete: .deleteBucketWebsite, get: .getBucketWebsite, put: .putBucketWebsite)
        case .annotation, .attributes, .legalHold, .retention, .select: nil
        }
    }

    /// The resource this names on an object; nil if only buckets have it.
    var onObject: Resource? {
        switch self {
        case .acl: Resource("ACL", get: .getObjectAcl, put: .putObjectAcl)
        case .annotation: Resource("OBJECT_ANNOTATION", delete: .unknown, get: .unknown, put: .unknown)
        case .attributes: Resource("OBJECT_ATTRIBUTES", get: .getObjectAttributes)
        case .delete: Resource("MULTI_OBJECT_DELETE", post: .unknown)
        case .encryption: Resource("OBJECT_ENCRYPTION", put: .unknown)
        case .legalHold: Resource("OBJECT_LOCK_LEGALHOLD", get: .getObjectLegalHold, put: .putObjectLegalHold)
        case .restore: Resource("RESTORE", post: .restoreObject)
        case .retention: Resource("OBJECT_LOCK_RETENTION", get: .getObjectRetention, put: .putObjectRetention)
        case .select: Resource("SELECT", post: .unknown)
        case .tagging:
            Resource(
                "OBJECT_TAGGING", delete: .deleteObjectTagging, get: .getObjectTagging, put: .putObjectTagging)
        case .torrent: Resource("TORRENT", get: .unknown)
        case .uploadId:
            Resource("UPLOAD", delete: .abortMultipartUpload, get: .listParts, post: .completeMultipartUpload)
        case .uploads: Resource("UPLOADS", post: .createMultipartUpload)
        default: nil
        }
    }

    /// Whether `?name` on the path of a key is about the bucket; the key is ignored then.
    var reachesBucketFromKey: Bool {
        switch self {
        case .accelerate, .cors, .inventory, .lifecycle, .location, .notification, .policy, .replication,
            .requestPayment, .versioning, .website:
            true
        default: false
        }
    }
}
