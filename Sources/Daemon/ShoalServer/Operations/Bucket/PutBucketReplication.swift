import ShoalS3
import ShoalStore

extension PutBucketDocument {
    /// `PUT /{bucket}?replication`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketReplication.html
    static func replication(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request) { (body) throws(S3Error) in
            let configuration = try ReplicationConfiguration(body)
            return { (bucket, settings, world) throws(S3Error) in
                try check(configuration, of: bucket, in: world)
                settings[.replication] = configuration.document
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
