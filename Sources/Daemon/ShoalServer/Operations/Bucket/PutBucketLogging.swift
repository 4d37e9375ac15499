import ShoalS3
import ShoalStore

extension PutBucketDocument {
    /// `PUT /{bucket}?logging`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLogging.html
    static func logging(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request) { (body) throws(S3Error) in
            let status = try BucketLoggingStatus(body)
            return { (bucket, settings, world) throws(S3Error) in
                if let target = status.target { try check(target.bucket, of: bucket, in: world) }
                settings[.logging] = status.document
            }
        }
    }

    /// The log goes to a bucket that is there, in the same region. Throws 400 `InvalidTargetBucketForLogging` or 403
    /// `CrossLocationLoggingProhibitted`.
    private static func check(_ target: String, of bucket: BucketRecord, in world: World) throws(S3Error) {
        guard let record = BucketName(target).flatMap(world.store.bucket) else {
            throw S3Error(.invalidTargetBucketForLogging, elements: [.init("TargetBucket", target)])
        }
        let (source, destination) = (bucket.signingRegion, record.signingRegion)
        guard source != destination else { return }
        var elements = [S3Error.Element("TargetBucketLocation", destination)]
        // us-east-1 does not say where it is itself.
        if source != Region.usEast1.name { elements.insert(.init("SourceBucketLocation", source), at: 0) }
        throw S3Error(.crossLocationLoggingProhibited, elements: elements)
    }
}
