import ShoalHTTP
import ShoalS3
import ShoalStore

extension PutBucketDocument {
    /// `PUT /{bucket}?policy`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketPolicy.html
    static func policy(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        let bucket = try request.bucket
        return try PutBucketDocument(request, answering: .noContent) { (body) throws(S3Error) in
            let policy = try BucketPolicy(body, of: bucket)
            return { (_, settings, _) throws(S3Error) in
                try settings.publicAccessBlock?.check(policy)
                settings[.policy] = policy.text
            }
        }
    }
}

/// `GET /{bucket}?policyStatus`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicyStatus.html
struct GetBucketPolicyStatus: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        guard let text = BucketSettings(bucket)[.policy] else {
            throw S3Error(.noSuchBucketPolicy, elements: [.init("BucketName", bucket.name.text)])
        }
        return .answer(HTTPResponse(.ok, body: .bytes(try BucketPolicy(text, of: bucket.name).statusDocument)))
    }
}
