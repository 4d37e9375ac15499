import ShoalHTTP
import ShoalS3
import ShoalStore

/// `DELETE /{bucket}/{key}?uploadId=`
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
        let upload = try world.upload(id, at: path)
        let (bucket, id) = (path.bucket, id)
        return .change {
            do throws(StoreError) {
                try world.store.abortUpload(upload.record.number, in: bucket)
            } catch {
                throw error.answer(to: id, in: bucket)
            }
            return HTTPResponse(.noContent)
        }
    }
}
