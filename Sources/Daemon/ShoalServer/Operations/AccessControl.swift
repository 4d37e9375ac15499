import ShoalHTTP
import ShoalS3
import ShoalStore

extension RequestedACL {
    /// Throws 400 `AccessControlListNotSupported` where the bucket leaves no room for lists, as all new ones do, and 501
    /// for one that gives anybody but the owner a right.
    func check(in bucket: BucketRecord) throws(S3Error) {
        try check(under: BucketSettings(bucket).ownership)
        let isHarmless =
            switch self {
            case .canned(let canned): canned.isAllowedUnderBucketOwnerEnforced
            case .grants: false
            case .policy(let policy): policy.isOwnersFullControl
            }
        guard !isHarmless else { return }
        throw S3Error(
            .notImplemented, "Access for others than the owner is not implemented by Shoal.",
            elements: [.init("Header", "x-amz-acl")])
    }
}

/// `GET /{bucket}?acl` and `GET /{bucket}/{key}?acl`: everything belongs to the owner alone.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAcl.html
struct GetACL: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        try request.checkObject(in: world, bucket)
        let owner = world.accounts.owner(id: BucketSettings(bucket).ownerID)
        return .answer(.xml(AccessControlPolicy.private(owner).document))
    }
}

/// `PUT /{bucket}?acl` and `PUT /{bucket}/{key}?acl`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectAcl.html
struct PutACL: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        try request.checkObject(in: world, bucket)
        return .receive(body) {
            try RequestedACL(request.fields, body: try body.document()).check(in: bucket)
            return .answer(HTTPResponse(.ok))
        }
    }
}

extension S3Request {
    /// Throws 404 `NoSuchKey` if the route names an object that is not there.
    fileprivate func checkObject(in world: World, _ bucket: BucketRecord) throws {
        guard let path = route.path else { return }
        if let version = try version(in: bucket) {
            guard try world.store.record(of: path, version: version) == nil else { return }
            throw noSuchVersion(path)
        }
        guard try world.store.record(of: path) == nil else { return }
        throw S3Error.noSuchKey(path.key)
    }
}
