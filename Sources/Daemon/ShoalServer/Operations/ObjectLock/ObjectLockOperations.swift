import ShoalHTTP
import ShoalS3
import ShoalStore

extension PutBucketDocument {
    /// `PUT /{bucket}?object-lock`
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectLockConfiguration.html
    static func objectLock(_ request: S3Request) throws(S3Error) -> PutBucketDocument {
        try PutBucketDocument(request) { (body) throws(S3Error) in
            let configuration = try ObjectLockConfiguration(body)
            return { (bucket, settings, _) throws(S3Error) in
                try configuration.check(versioning: bucket.versioning == .enabled ? .enabled : nil)
                settings[.objectLock] = configuration.document
            }
        }
    }
}

/// `GET /{bucket}/{key}?retention` and `GET /{bucket}/{key}?legal-hold`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectRetention.html
struct GetObjectLock: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let document: @Sendable (ObjectLock) -> [UInt8]?

    private init(_ request: S3Request, _ document: @escaping @Sendable (ObjectLock) -> [UInt8]?) throws(S3Error) {
        self.request = request
        path = try request.path
        self.document = document
    }

    static func retention(_ request: S3Request) throws(S3Error) -> GetObjectLock {
        try GetObjectLock(request) { $0.retention?.document }
    }

    static func legalHold(_ request: S3Request) throws(S3Error) -> GetObjectLock {
        try GetObjectLock(request) { $0.legalHold?.document }
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        try bucket.checkLocks()
        let version = try request.version(in: bucket)
        return .look { [path, request, document] in
            let record = try world.record(of: path, version, for: request)
            guard let document = document(ObjectAttributes(record).lock) else {
                throw S3Error(.noSuchObjectLockConfiguration)
            }
            return .xml(document)
        }
    }
}

/// `PUT /{bucket}/{key}?retention` and `PUT /{bucket}/{key}?legal-hold`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectRetention.html
struct PutObjectLock: Operation {
    /// What a version's lock becomes. Throws what the lock does not let happen.
    typealias Change = @Sendable (_ lock: ObjectLock, _ bypassesGovernance: Bool) throws(S3Error) -> ObjectLock

    private let request: S3Request
    private let path: ObjectPath
    private let body: DocumentSink
    private let change: ([UInt8]) throws(S3Error) -> Change

    private init(
        _ request: S3Request, _ change: @escaping ([UInt8]) throws(S3Error) -> Change
    ) throws(S3Error) {
        self.request = request
        path = try request.path
        body = try DocumentSink(request)
        self.change = change
    }

    static func retention(_ request: S3Request) throws(S3Error) -> PutObjectLock {
        let now = request.now
        return try PutObjectLock(request) { (document) throws(S3Error) in
            let retention = try ObjectRetention.requested(document, now: now)
            return { (lock, bypassesGovernance) throws(S3Error) in
                try lock.checkRetention(retention, now: now, bypassesGovernance: bypassesGovernance)
                return ObjectLock(retention: retention, legalHold: lock.legalHold)
            }
        }
    }

    static func legalHold(_ request: S3Request) throws(S3Error) -> PutObjectLock {
        try PutObjectLock(request) { (document) throws(S3Error) in
            let hold = try LegalHold(document)
            return { (lock, _) in ObjectLock(retention: lock.retention, legalHold: hold) }
        }
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        return .receive(body) { [path, request] in
            let change = try self.change(try body.document())
            try bucket.checkLocks()
            let version = try request.version(in: bucket)
            let bypassesGovernance = try world.bypassesGovernance(request, at: path)
            return .change {
                let changed = try world.store.updateAttributes(of: path, version: version) {
                    (record) throws(StoreError) in
                    var attributes = ObjectAttributes(record)
                    attributes.lock = try StoreError.refusing { [lock = attributes.lock] () throws(S3Error) in
                        try change(lock, bypassesGovernance)
                    }
                    return attributes.encoded
                }
                _ = try world.found(changed, at: path, version, for: request)
                return HTTPResponse(.ok)
            }
        }
    }
}

extension BucketRecord {
    /// Throws 400 `InvalidRequest` where no version can be locked.
    fileprivate func checkLocks() throws(S3Error) {
        guard BucketSettings(self).hasObjectLock else {
            throw S3Error(.invalidRequest, "Bucket is missing Object Lock Configuration")
        }
    }
}
