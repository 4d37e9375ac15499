import ShoalHTTP
import ShoalS3

/// `HEAD /{bucket}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html
struct HeadBucket: Operation {
    private let request: S3Request
    private let name: BucketName

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        var response = HTTPResponse(.ok)
        response.add("x-amz-bucket-region", Region(bucket.region)?.signingName ?? bucket.region)
        response.add("x-amz-bucket-arn", "arn:aws:s3:::" + name.text)
        response.add("x-amz-access-point-alias", "false")
        response.add("Content-Type", "application/xml")
        return .answer(response)
    }
}
