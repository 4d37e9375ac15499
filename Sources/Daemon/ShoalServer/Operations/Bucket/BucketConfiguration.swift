import ShoalS3

/// A configuration of a bucket that is read and dropped as one document.
struct BucketConfiguration: Sendable {
    let subResource: SubResource
    /// What a GET answers while none is set, if that is not an error.
    let unset: Unset
    /// What a GET answers after a DELETE, where that is not as if it had never been set.
    let dropped: S3Error.Code?
    /// S3 names the type of some of these documents, and of others not.
    let contentType: String?

    enum Unset: Sendable {
        case document([UInt8])
        case error(S3Error.Code)
    }

    private init(
        _ subResource: SubResource, unset: Unset, dropped: S3Error.Code? = nil, contentType: String? = nil
    ) {
        self.subResource = subResource
        self.unset = unset
        self.dropped = dropped
        self.contentType = contentType
    }

    static let accelerate = BucketConfiguration(
        .accelerate, unset: .document(AccelerateConfiguration(status: nil).document))
    static let cors = BucketConfiguration(.cors, unset: .error(.noSuchCORSConfiguration))
    static let encryption = BucketConfiguration(
        .encryption, unset: .document(ServerSideEncryptionConfiguration.unset.document))
    static let lifecycle = BucketConfiguration(.lifecycle, unset: .error(.noSuchLifecycleConfiguration))
    static let logging = BucketConfiguration(
        .logging, unset: .document(BucketLoggingStatus(target: nil).document), contentType: "application/xml")
    static let notification = BucketConfiguration(
        .notification, unset: .document(NotificationConfiguration().document))
    static let objectLock = BucketConfiguration(.objectLock, unset: .error(.objectLockConfigurationNotFound))
    static let ownershipControls = BucketConfiguration(
        .ownershipControls, unset: .document(OwnershipControls.ofNewBucket.document),
        dropped: .ownershipControlsNotFound)
    static let policy = BucketConfiguration(
        .policy, unset: .error(.noSuchBucketPolicy), contentType: "application/json")
    static let publicAccessBlock = BucketConfiguration(
        .publicAccessBlock, unset: .document(PublicAccessBlockConfiguration.ofNewBucket.document),
        dropped: .noSuchPublicAccessBlockConfiguration)
    static let replication = BucketConfiguration(.replication, unset: .error(.replicationConfigurationNotFound))
    static let requestPayment = BucketConfiguration(
        .requestPayment, unset: .document(RequestPaymentConfiguration.unset.document))
    static let tagging = BucketConfiguration(.tagging, unset: .error(.noSuchTagSet))
    static let website = BucketConfiguration(.website, unset: .error(.noSuchWebsiteConfiguration))
}
