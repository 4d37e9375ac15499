import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?policy`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicy.html
struct GetBucketPolicy: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        guard let text = BucketSettings(bucket)[.policy] else { throw S3Error.noSuchPolicy(bucket.name) }
        var response = HTTPResponse(.ok, body: .bytes(text))
        response.add("Content-Type", "application/json")
        return .answer(response)
    }
}

/// `PUT /{bucket}?policy`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketPolicy.html
struct PutBucketPolicy: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        return .receive(body) {
            let policy = try BucketPolicy(try body.document(), of: bucket.name)
            try BucketSettings(bucket).publicAccessBlock?.check(policy)
            return .change {
                try world.change(bucket.name) { $0[.policy] = policy.text }
                return HTTPResponse(.noContent)
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
        guard let text = BucketSettings(bucket)[.policy] else { throw S3Error.noSuchPolicy(bucket.name) }
        return .answer(HTTPResponse(.ok, body: .bytes(try BucketPolicy(text, of: bucket.name).statusDocument)))
    }
}

extension S3Error {
    fileprivate static func noSuchPolicy(_ bucket: BucketName) -> S3Error {
        S3Error(.noSuchBucketPolicy, elements: [.init("BucketName", bucket.text)])
    }
}
