import ShoalHTTP
import ShoalS3
import ShoalStore

/// `DELETE /{bucket}/{key}?uploadId=`
///
/// An upload that ended already, however it did, is gone as was asked for: a client may clean up behind itself.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
struct AbortMultipartUpload: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let id: UploadID

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        id = try request.uploadID()
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let (path, id) = (path, id)
        return .change {
            do {
                if let upload = world.openUpload(id, at: path) {
                    try world.store.abortUpload(upload.record.number, in: path.bucket)
                } else if try world.knownUpload(id, at: path) == nil {
                    throw id.notFound
                }
            } catch StoreError.noSuchUpload {
                // It ended meanwhile, which is what was asked for.
            } catch let error as StoreError {
                throw error.answer(to: id, in: path.bucket)
            }
            return HTTPResponse(.noContent)
        }
    }
}
