/// What the ready-made lists stand for.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
extension AccessControlPolicy {
    /// Who makes machine images of EC2; `aws-exec-read` is for its bundles.
    private static let imageReader = "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c"

    /// The list of an object that `owner` writes into a bucket of `bucketOwner`. For a bucket they are the same, and so
    /// the last two add nothing.
    package init(_ canned: CannedACL, owner: Owner, bucketOwner: Owner) {
        var grants = [Grant(.fullControl, to: .user(id: owner.id))]
        switch canned {
        case .private: break
        case .publicRead: grants.append(Grant(.read, to: .group(.allUsers)))
        case .publicReadWrite:
            grants += [Grant(.read, to: .group(.allUsers)), Grant(.write, to: .group(.allUsers))]
        case .authenticatedRead: grants.append(Grant(.read, to: .group(.authenticatedUsers)))
        case .awsExecRead: grants.append(Grant(.read, to: .user(id: Self.imageReader)))
        case .bucketOwnerRead where owner.id != bucketOwner.id:
            grants.append(Grant(.read, to: .user(id: bucketOwner.id)))
        case .bucketOwnerFullControl where owner.id != bucketOwner.id:
            grants.append(Grant(.fullControl, to: .user(id: bucketOwner.id)))
        case .bucketOwnerRead, .bucketOwnerFullControl: break
        }
        self.init(owner: owner, grants: grants)
    }

    /// That of a bucket or object whose writer asked for none.
    package static func `private`(_ owner: Owner) -> AccessControlPolicy {
        AccessControlPolicy(.private, owner: owner, bucketOwner: owner)
    }
}
