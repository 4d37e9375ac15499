import ShoalHTTP
import ShoalS3

/// `PUT /{bucket}?ownershipControls`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketOwnershipControls.html
struct PutBucketOwnershipControls: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) {
            let controls = try OwnershipControls(try body.document())
            return .change {
                try world.update(bucket) { (_, settings) throws(S3Error) in
                    try Self.check(controls, settings)
                    settings[.ownershipControls] = controls.document
                }
                return HTTPResponse(.ok)
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
