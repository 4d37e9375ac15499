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

/// `PUT /{bucket}?versioning`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketVersioning.html
struct PutBucketVersioning: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) {
            let configuration = try VersioningConfiguration(try body.document())
            let versioning: Versioning = configuration.status == .enabled ? .enabled : .suspended
            return .change {
                try world.update(bucket) { (record, settings) throws(S3Error) in
                    try configuration.check(bucketHasLock: settings.hasObjectLock)
                    record.versioning = versioning
                }
                return HTTPResponse(.ok)
            }
        }
    }
}
