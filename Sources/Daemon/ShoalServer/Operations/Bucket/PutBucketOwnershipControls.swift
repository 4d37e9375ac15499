import ShoalS3

extension PutBucketDocument {
    /// `PUT /{bucket}?ownershipControls`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketOwnershipControls.html
    static func ownershipControls(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request) { (body) throws(S3Error) in
            let controls = try OwnershipControls(body)
            return { (_, settings, _) throws(S3Error) in
                try check(controls, settings)
                settings[.ownershipControls] = controls.document
            }
        }
    }

    /// Throws 400 `InvalidBucketAclWithObjectOwnership` where lists are to count no more and the bucket's own grants
    /// something to others.
    private static func check(_ controls: OwnershipControls, _ settings: BucketSettings) throws(S3Error) {
        guard controls.ownership == .bucketOwnerEnforced, let document = settings[.acl] else { return }
        let acl = try AccessControlPolicy(document)
        guard acl != .private(Owner(id: settings.ownerID)) else { return }
        throw S3Error(.invalidBucketAclWithObjectOwnership)
    }
}
