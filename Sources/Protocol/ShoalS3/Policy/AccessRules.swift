/// Everything that decides whether a bucket lets a request in.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-auth-workflow-object-operation.html
package struct AccessRules: Sendable {
    package let owner: Owner
    package let policy: BucketPolicy?
    /// The bucket's own list.
    package let acl: AccessControlPolicy
    /// Nil once deleted; lists count then.
    package let ownership: ObjectOwnership?
    /// Nil once deleted; nothing is blocked then.
    package let publicAccessBlock: PublicAccessBlockConfiguration?

    /// Without anything put, those of a new bucket.
    package init(
        owner: Owner, policy: BucketPolicy? = nil, acl: AccessControlPolicy? = nil,
        ownership: ObjectOwnership? = OwnershipControls.ofNewBucket.ownership,
        publicAccessBlock: PublicAccessBlockConfiguration? = .ofNewBucket
    ) {
        self.owner = owner
        self.policy = policy
        self.acl = acl ?? .private(owner)
        self.ownership = ownership
        self.publicAccessBlock = publicAccessBlock
    }

    /// Whether the request may do what it asks for. A denial in the policy comes first, then what the policy allows,
    /// what the owner may anyway, and what lists grant.
    ///
    /// `objectACL` is the list of the object that the request is about, nil if there is none; `initiatorID` the canonical id
    /// of who began the upload that it is about: who began one may see and drop its parts.
    package func allow(
        _ request: PolicyRequest, _ operation: S3Operation, objectACL: AccessControlPolicy? = nil,
        initiatorID: String? = nil
    ) -> Bool {
        let requester = request.principal.requester
        let isBucketOwner = requester == .user(id: owner.id)
        switch policy?.verdict(request) ?? BucketPolicy.Verdict.none {
        // An owner cannot be shut out of the policy itself.
        case .deny: return isBucketOwner && Self.isOnPolicy(operation)
        case .allow where isBucketOwner || !isRestricted: return true
        case .allow, .none: break
        }
        if let initiatorID, requester == .user(id: initiatorID) { return true }
        return requester == .user(id: ownerOfWhatIsRead(operation, objectACL).id)
            || listsAllow(operation, requester, objectACL)
    }

    /// Where lists count, an object that another account wrote is that account's to read and to share.
    private func ownerOfWhatIsRead(_ operation: S3Operation, _ objectACL: AccessControlPolicy?) -> Owner {
        guard ownership != .bucketOwnerEnforced, let objectACL, Grant.Permission.need(of: operation)?.isOnObject == true
        else { return owner }
        return objectACL.owner
    }

    /// RestrictPublicBuckets: a public policy lets in the bucket's own account only.
    private var isRestricted: Bool {
        publicAccessBlock?.restrictPublicBuckets == true && policy?.isPublic == true
    }

    private static func isOnPolicy(_ operation: S3Operation) -> Bool {
        switch operation {
        case .getBucketPolicy, .putBucketPolicy, .deleteBucketPolicy: true
        default: false
        }
    }

    private func listsAllow(
        _ operation: S3Operation, _ requester: AccessControlPolicy.Requester, _ objectACL: AccessControlPolicy?
    ) -> Bool {
        guard ownership != .bucketOwnerEnforced, let need = Grant.Permission.need(of: operation) else { return false }
        let list = need.isOnObject ? objectACL : acl
        let ignoresPublic = publicAccessBlock?.ignorePublicACLs == true
        return list?.allows(need.permission, to: requester, ignoringPublic: ignoresPublic) == true
    }
}

extension PolicyRequest.Principal {
    /// Who this is to an access control list.
    var requester: AccessControlPolicy.Requester {
        switch self {
        case .account(_, _, let canonicalID?): .user(id: canonicalID)
        // A list names users by canonical ids; without one only the group of all signed requests is left.
        case .account(_, _, nil): .user(id: "")
        case .anonymous: .anonymous
        }
    }
}

extension Grant.Permission {
    /// The permission an operation needs of the object's list or of the bucket's; nil if no list grants it.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#acl-access-policy-permission-mapping
    package static func need(of operation: S3Operation) -> (isOnObject: Bool, permission: Grant.Permission)? {
        switch operation {
        case .headBucket, .listObjects, .listObjectsV2, .listObjectVersions, .listMultipartUploads: (false, .read)
        case .putObject, .postObject, .copyObject, .createMultipartUpload, .uploadPart, .uploadPartCopy,
            .completeMultipartUpload, .deleteObject:
            (false, .write)
        case .getBucketAcl: (false, .readACP)
        case .putBucketAcl: (false, .writeACP)
        case .getObject, .headObject, .getObjectAttributes: (true, .read)
        case .getObjectAcl: (true, .readACP)
        case .putObjectAcl: (true, .writeACP)
        default: nil
        }
    }
}
