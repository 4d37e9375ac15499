import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}?tagging`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html
struct GetObjectTagging: Operation {
    private let request: S3Request
    private let path: ObjectPath

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        try request.refuseVersion()
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        guard let record = try world.store.record(of: path) else { throw S3Error.noSuchTaggedKey(path) }
        return .answer(.xml(Tagging(ObjectAttributes(record).tags).document))
    }
}

/// `PUT /{bucket}/{key}?tagging`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html
struct PutObjectTagging: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        try request.refuseVersion()
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        return .receive(body) {
            let tags = try Tagging(try body.document(), of: .object).tags
            let path = path
            return .change {
                try world.setTags(tags, of: path)
                return HTTPResponse(.ok)
            }
        }
    }
}

/// `DELETE /{bucket}/{key}?tagging`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjectTagging.html
struct DeleteObjectTagging: Operation {
    private let request: S3Request
    private let path: ObjectPath

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        try request.refuseVersion()
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let path = path
        return .change {
            try world.setTags(TagSet(stored: []), of: path)
            return HTTPResponse(.noContent)
        }
    }
}

extension World {
    /// Throws 404 `NoSuchKey`. Blocking.
    fileprivate func setTags(_ tags: TagSet, of path: ObjectPath) throws {
        do throws(StoreError) {
            let changed = try store.updateAttributes(of: path) { record in
                var attributes = ObjectAttributes(record)
                attributes.tags = tags
                return attributes.encoded
            }
            if changed != nil { return }
        } catch .noSuchBucket {
            throw S3Error.noSuchBucket(path.bucket)
        }
        throw S3Error.noSuchTaggedKey(path)
    }
}

extension S3Error {
    /// Of an object that is asked for its tags, S3 names the bucket too.
    fileprivate static func noSuchTaggedKey(_ path: ObjectPath) -> S3Error {
        S3Error(.noSuchKey, elements: [Element("Key", "\(path.bucket.text)/\(path.key)")])
    }
}
