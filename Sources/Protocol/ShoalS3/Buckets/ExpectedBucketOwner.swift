import ShoalHTTP

/// The account a client expects to own the bucket it talks to.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html
package enum ExpectedBucketOwner {
    /// Compares `x-amz-expected-bucket-owner`, and for the source of a copy `x-amz-source-expected-bucket-owner`, with
    /// the owner's account, 12 digits. Throws 400 `InvalidBucketOwnerAWSAccountID` or 403 `AccessDenied`.
    package static func check(
        _ fields: RequestFields, owner account: String, ofCopySource: Bool = false
    ) throws(S3Error) {
        let header =
            ofCopySource
            ? fields.first("x-amz-source-expected-bucket-owner") : fields.first("x-amz-expected-bucket-owner")
        guard let header else { return }
        guard header.count == 12, header.allSatisfy(\.isDigitASCII) else {
            throw S3Error(
                .invalidBucketOwnerAWSAccountID,
                "The value of the expected bucket owner parameter must be an AWS Account ID... [\(header.text)]")
        }
        guard header.elementsEqual(account.utf8) else { throw S3Error(.accessDenied) }
    }
}
