import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}?logging`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLogging.html
struct PutBucketLogging: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        return .receive(body) {
            let status = try BucketLoggingStatus(try body.document())
            return .change {
                if let target = status.target { try Self.check(target.bucket, of: bucket, in: world) }
                try world.change(bucket.name) { $0[.logging] = status.document }
                return HTTPResponse(.ok)
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
