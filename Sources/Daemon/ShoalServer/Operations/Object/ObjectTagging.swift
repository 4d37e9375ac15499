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
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let version = try request.version(in: bucket)
        return .look { [path, request] in
            let record = try world.record(
                of: path, version, for: request, else: .noSuchTaggedKey(path), markerRefuses: true)
            var response = HTTPResponse.xml(Tagging(ObjectAttributes(record).tags).document)
            response.addVersion(of: record, at: path, in: bucket)
            return response
        }
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
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let version = try request.version(in: bucket)
        return .receive(body) {
            let tags = try Tagging(try body.document(), of: .object).tags
            return .change { [path, request] in
                let event = world.announcement(of: .named(.objectTaggingPut), at: path, in: bucket, by: request)
                let record = try world.setTags(tags, of: path, version, for: request, event)
                var response = HTTPResponse(.ok)
                response.addVersion(of: record, at: path, in: bucket)
                return response
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
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let version = try request.version(in: bucket)
        return .change { [path, request] in
            let event = world.announcement(of: .named(.objectTaggingDelete), at: path, in: bucket, by: request)
            let record = try world.setTags(TagSet(stored: []), of: path, version, for: request, event)
            var response = HTTPResponse(.noContent)
            response.addVersion(of: record, at: path, in: bucket)
            return response
        }
    }
}

extension World {
    /// Throws 404 `NoSuchKey` or `NoSuchVersion`, and 405 for a delete marker. Blocking.
    fileprivate func setTags(
        _ tags: TagSet, of path: ObjectPath, _ version: ObjectVersion?, for request: S3Request,
        _ announcement: Announcement?
    ) throws -> ObjectRecord {
        let changed = try store.updateAttributes(of: path, version: version, announcing: announcement) { record in
            var attributes = ObjectAttributes(record)
            attributes.tags = tags
            return attributes.encoded
        }
        return try found(changed, at: path, version, for: request, markerRefuses: true)
    }
}

extension S3Error {
    /// Of an object that is asked for its tags, but not of one that is given some, S3 names the bucket too.
    fileprivate static func noSuchTaggedKey(_ path: ObjectPath) -> S3Error {
        S3Error(.noSuchKey, elements: [Element("Key", "\(path.bucket.text)/\(path.key)")])
    }
}
