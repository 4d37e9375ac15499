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
                let before = ObjectAttributes(try world.record(of: path, version, for: request)).archive
                try before.checkRestoring()
                // A copy that is there already only gets another end.
                let isThere = before.isRestored(at: request.now)
                let changed = try world.store.updateAttributes(
                    of: path, version: version,
                    announcing: isThere ? nil : world.restoration(of: path, in: bucket, by: request)
                ) { (record) throws(StoreError) in
                    var attributes = ObjectAttributes(record)
                    // It may be another object by now.
                    try StoreError.refusing { [archive = attributes.archive] () throws(S3Error) in
                        try archive.checkRestoring()
                    }
                    attributes.details.restoredUntil = expiry
                    return attributes.encoded
                }
                let record = try world.found(changed, at: path, version, for: request)
                var response = HTTPResponse(isThere ? .ok : .accepted)
                response.addVersion(of: record, at: path, in: bucket)
                return response
            }
        }
    }
}

extension World {
    /// That a copy was asked for, and that it is there: both are true at once.
    fileprivate func restoration(
        of path: ObjectPath, in bucket: BucketRecord, by request: S3Request
    ) -> Announcement? {
        let announcements = [EventName.objectRestorePost, .objectRestoreCompleted].compactMap {
            announcement(of: .named($0), at: path, in: bucket, by: request)
        }
        guard !announcements.isEmpty else { return nil }
        return { change in announcements.flatMap { $0(change) } }
    }
}

extension ObjectAttributes {
    var archive: ArchiveStatus { ArchiveStatus(storageClass, restoredUntil: details.restoredUntil) }
}
