import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}?replication`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketReplication.html
struct PutBucketReplication: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) {
            let configuration = try ReplicationConfiguration(try body.document())
            return .change {
                try world.update(bucket) { (record, settings) throws(S3Error) in
                    try Self.check(configuration, of: record, in: world)
                    settings[.replication] = configuration.document
                }
                return HTTPResponse(.ok)
            }
        }
    }

    /// Throws 400 `InvalidRequest` unless source and destinations keep versions.
    private static func check(
        _ configuration: ReplicationConfiguration, of bucket: BucketRecord, in world: World
    ) throws(S3Error) {
        guard bucket.versioning == .enabled else {
            throw S3Error(
                .invalidRequest,
                "Versioning must be 'Enabled' on the bucket to apply a replication configuration")
        }
        for name in configuration.destinations {
            guard let destination = BucketName(name).flatMap(world.store.bucket) else {
                throw S3Error(.invalidRequest, "Destination bucket must exist.")
            }
            guard destination.versioning == .enabled else {
                throw S3Error(.invalidRequest, "Destination bucket must have versioning enabled.")
            }
        }
    }
}
