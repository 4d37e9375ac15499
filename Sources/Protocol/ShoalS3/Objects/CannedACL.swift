/// A ready-made access control list that a write may name.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
package enum CannedACL: String, CaseIterable, Sendable {
    case `private` = "private"
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"
    case authenticatedRead = "authenticated-read"
    case awsExecRead = "aws-exec-read"
    case bucketOwnerRead = "bucket-owner-read"
    case bucketOwnerFullControl = "bucket-owner-full-control"

    /// The list that `x-amz-acl` names; nil if it is absent. Throws 400 `InvalidArgument`, which S3 sends without a
    /// message.
    package static func named(in fields: RequestFields) throws(S3Error) -> CannedACL? {
        guard let value = fields.first("x-amz-acl") else { return nil }
        guard let known = CannedACL(rawValue: value.text) else {
            throw .invalidArgument("", name: "x-amz-acl", value: value.text)
        }
        return known
    }

    /// Whether a bucket that leaves every object to its owner, as all new ones do, takes it. Not even `private`, as users
    /// of tools find that send it without being asked.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
    package var isAllowedUnderBucketOwnerEnforced: Bool { self == .bucketOwnerFullControl }
}
