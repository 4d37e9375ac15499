import ShoalS3

/// `GET /{bucket}?location`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html
struct GetBucketLocation: Operation {
    private let request: S3Request
    private let name: BucketName

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        return .answer(.xml((Region(bucket.region) ?? .usEast1).locationDocument))
    }
}
