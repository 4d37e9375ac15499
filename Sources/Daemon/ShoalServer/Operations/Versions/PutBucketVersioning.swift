import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?versioning`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html
struct GetBucketVersioning: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let status: VersioningConfiguration.Status? =
            switch try world.bucket(try request.bucket, for: request).versioning {
            case .never: nil
            case .enabled: .enabled
            case .suspended: .suspended
            }
        return .answer(HTTPResponse(.ok, body: .bytes(VersioningConfiguration(status: status).document)))
    }
}

extension PutBucketDocument {
    /// `PUT /{bucket}?versioning`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketVersioning.html
    static func versioning(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request) { (body) throws(S3Error) in
            let configuration = try VersioningConfiguration(body)
            return { (bucket, settings, _) throws(S3Error) in
                try configuration.check(bucketHasLock: settings.hasObjectLock)
                bucket.versioning = configuration.status == .enabled ? .enabled : .suspended
            }
        }
    }
}
