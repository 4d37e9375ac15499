import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}?…`: a document about a bucket, read when it is complete and heeded in the commit, where the rest of the
/// bucket may have a say.
struct PutBucketDocument: Operation {
    /// What a document changes. Throws what the bucket, as it is, does not let happen; waits for nothing.
    typealias Change = @Sendable (inout BucketRecord, inout BucketSettings, World) throws(S3Error) -> Void

    private let request: S3Request
    private let body: DocumentSink
    private let status: HTTPStatus
    private let read: ([UInt8]) throws(S3Error) -> Change

    /// `read` throws what S3 says to a document it does not take. S3 is not of one mind about the status of success.
    init(
        _ request: S3Request, answering status: HTTPStatus = .ok,
        _ read: @escaping ([UInt8]) throws(S3Error) -> Change
    ) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
        self.status = status
        self.read = read
    }

    /// The document is kept as `read` gives it back; nil says that nothing is to be set.
    private init(
        _ request: S3Request, keptAs subResource: SubResource, answering status: HTTPStatus = .ok,
        _ read: @escaping ([UInt8]) throws(S3Error) -> [UInt8]?
    ) throws(S3Error) {
        try self.init(request, answering: status) { (body) throws(S3Error) in
            let document = try read(body)
            return { (_, settings, _) in settings[subResource] = document }
        }
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) { [body, read, status] in
            let change = try read(try body.document())
            return .change {
                try world.update(bucket) { (record, settings) throws(S3Error) in
                    try change(&record, &settings, world)
                }
                return HTTPResponse(status)
            }
        }
    }
}

// MARK: - Those that the rest of the bucket has no say in

extension PutBucketDocument {
    static func cors(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .cors) { (body) throws(S3Error) in
            try CORSConfiguration(body).document
        }
    }

    static func tagging(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .tagging, answering: .noContent) { (body) throws(S3Error) in
            let tags = try Tagging(body, of: .bucket).tags
            return tags.tags.isEmpty ? nil : Tagging(tags).document
        }
    }

    static func requestPayment(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .requestPayment) { (body) throws(S3Error) in
            try RequestPaymentConfiguration(body).document
        }
    }

    static func accelerate(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .accelerate) { (body) throws(S3Error) in
            try AccelerateConfiguration(body).document
        }
    }

    static func publicAccessBlock(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .publicAccessBlock) { (body) throws(S3Error) in
            try PublicAccessBlockConfiguration(body).document
        }
    }

    static func website(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .website) { (body) throws(S3Error) in
            try WebsiteConfiguration(body).document
        }
    }

    static func encryption(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request, keptAs: .encryption) { (body) throws(S3Error) in
            try ServerSideEncryptionConfiguration(body).document
        }
    }
}
