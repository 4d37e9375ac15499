import ShoalHTTP
import ShoalS3
import ShoalStore

/// `POST /{bucket}/{key}?restore`
///
/// Differs from S3: the copy is there at once, whatever the tier, and not after minutes or hours.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html
struct RestoreObject: Operation {
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
        return .receive(body) { [path, request] in
            let expiry = try RestoreRequest(try body.document()).expiry(from: request.now)
            return .change {
                let archive = ObjectAttributes(try world.record(of: path, version, for: request)).archive
                try archive.checkRestoring()
                let changed = try world.store.updateAttributes(of: path, version: version) { record in
                    var attributes = ObjectAttributes(record)
                    attributes.details.restoredUntil = expiry
                    return attributes.encoded
                }
                let record = try world.found(changed, at: path, version, for: request)
                // A copy that is there already only gets another end.
                var response = HTTPResponse(archive.isRestored(at: request.now) ? .ok : .accepted)
                response.addVersion(of: record, at: path, in: bucket)
                return response
            }
        }
    }
}

extension ObjectAttributes {
    var archive: ArchiveStatus { ArchiveStatus(storageClass, restoredUntil: details.restoredUntil) }
}
