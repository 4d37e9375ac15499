/// Whose names a new bucket's name is among: everybody's, or those of one account in one region, which end in
/// `-ACCOUNT-REGION-an`.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/gpbucketnamespaces.html
package enum BucketNamespace {
    /// Compares `x-amz-bucket-namespace` with the name; `account` has 12 digits. Throws 400 `InvalidBucketNamespace` for a
    /// name that is not of the account's, and for a namespace that there is not.
    package static func check(_ name: BucketName, _ fields: RequestFields, account: String) throws(S3Error) {
        guard let namespace = fields.first("x-amz-bucket-namespace"), !namespace.equals("global") else { return }
        guard namespace.equals("account-regional"), isRegional(name.text, account: account) else {
            throw S3Error(.invalidBucketNamespace, elements: [.init("BucketName", name.text)])
        }
    }

    /// Whether it is a prefix, the account, a region and `an`, with hyphens between them.
    private static func isRegional(_ name: String, account: String) -> Bool {
        guard name.hasSuffix("-an"), let mark = name.ranges(of: "-\(account)-").last, mark.lowerBound > name.startIndex
        else { return false }
        return Region(String(name[mark.upperBound...].dropLast(3))) != nil
    }
}
