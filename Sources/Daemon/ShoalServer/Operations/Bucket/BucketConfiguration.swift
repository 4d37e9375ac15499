import ShoalHTTP
import ShoalS3
import ShoalStore

/// A configuration of a bucket that is put, read and dropped as one document.
struct BucketConfiguration: Sendable {
    let subResource: SubResource
    /// What a GET answers while none is set, if that is not an error.
    let unset: Unset
    /// What a GET answers after a DELETE, where that is not as if it had never been set.
    let dropped: S3Error.Code?
    /// What is kept of a body; nil if it says that nothing is to be set. Throws what S3 says to one it does not take.
    let accept: @Sendable ([UInt8]) throws -> [UInt8]?
    /// What a PUT answers; S3 is not of one mind there.
    let putStatus: HTTPStatus
    /// S3 names the type of some of these documents, and of others not.
    let namesType: Bool

    enum Unset: Sendable {
        case document([UInt8])
        case error(S3Error.Code)
    }

    init(
        _ subResource: SubResource, unset: Unset, dropped: S3Error.Code? = nil, putStatus: HTTPStatus = .ok,
        namesType: Bool = false, accept: @escaping @Sendable ([UInt8]) throws -> [UInt8]?
    ) {
        self.subResource = subResource
        self.unset = unset
        self.dropped = dropped
        self.putStatus = putStatus
        self.namesType = namesType
        self.accept = accept
    }
}

// MARK: - Those that are built

extension BucketConfiguration {
    static let cors = BucketConfiguration(
        .cors, unset: .error(.noSuchCORSConfiguration), accept: { try CORSConfiguration($0).document })

    static let tagging = BucketConfiguration(
        .tagging, unset: .error(.noSuchTagSet), putStatus: .noContent,
        accept: { body in
            let tags = try Tagging(body, of: .bucket).tags
            return tags.tags.isEmpty ? nil : Tagging(tags).document
        })

    static let requestPayment = BucketConfiguration(
        .requestPayment, unset: .document(RequestPaymentConfiguration.unset.document),
        accept: { try RequestPaymentConfiguration($0).document })

    static let accelerate = BucketConfiguration(
        .accelerate, unset: .document(AccelerateConfiguration(status: nil).document),
        accept: { try AccelerateConfiguration($0).document })

    static let publicAccessBlock = BucketConfiguration(
        .publicAccessBlock, unset: .document(PublicAccessBlockConfiguration.ofNewBucket.document),
        dropped: .noSuchPublicAccessBlockConfiguration,
        accept: { try PublicAccessBlockConfiguration($0).document })

    static let website = BucketConfiguration(
        .website, unset: .error(.noSuchWebsiteConfiguration), accept: { try WebsiteConfiguration($0).document })

    static let encryption = BucketConfiguration(
        .encryption, unset: .document(ServerSideEncryptionConfiguration.unset.document),
        accept: { try ServerSideEncryptionConfiguration($0).document })
}

// MARK: - Those that are read, or put, by operations of their own

extension BucketConfiguration {
    static let lifecycle = ownOperation(.lifecycle, unset: .error(.noSuchLifecycleConfiguration))
    static let logging = ownOperation(
        .logging, unset: .document(BucketLoggingStatus(target: nil).document), namesType: true)
    static let ownershipControls = ownOperation(
        .ownershipControls, unset: .document(OwnershipControls.ofNewBucket.document),
        dropped: .ownershipControlsNotFound)
    static let replication = ownOperation(.replication, unset: .error(.replicationConfigurationNotFound))
    static let policy = ownOperation(.policy, unset: .error(.noSuchBucketPolicy))
    static let objectLock = ownOperation(.objectLock, unset: .error(.objectLockConfigurationNotFound))
    static let notification = ownOperation(.notification, unset: .document(NotificationConfiguration().document))

    /// What a bucket without it answers; a PUT is another operation's.
    private static func ownOperation(
        _ subResource: SubResource, unset: Unset, dropped: S3Error.Code? = nil, namesType: Bool = false
    ) -> BucketConfiguration {
        BucketConfiguration(
            subResource, unset: unset, dropped: dropped, namesType: namesType,
            accept: { _ in throw S3Error(.notImplemented) })
    }
}
