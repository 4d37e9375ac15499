import ShoalHTTP
import ShoalS3
import ShoalStore

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
        response.addRegion(of: bucket)
        response.add("x-amz-bucket-arn", "arn:aws:s3:::" + name.text)
        response.add("x-amz-access-point-alias", "false")
        response.add("Content-Type", "application/xml")
        return .answer(response)
    }
}

extension BucketRecord {
    /// The region as signatures name it.
    var signingRegion: String { Region(region)?.signingName ?? region }
}

extension HTTPResponse {
    /// Adds `x-amz-bucket-region`.
    mutating func addRegion(of bucket: BucketRecord) { add("x-amz-bucket-region", bucket.signingRegion) }
}
