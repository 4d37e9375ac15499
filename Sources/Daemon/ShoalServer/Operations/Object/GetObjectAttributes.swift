import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}?attributes`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html
struct GetObjectAttributes: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let selection: ObjectAttributeSelection

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        try request.refuseVersion()
        selection = try ObjectAttributeSelection(request.fields)
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let (path, selection) = (path, selection)
        return .look {
            guard let record = try world.store.record(of: path) else { throw S3Error.noSuchKey(path.key) }
            let parts = try record.upload.map { upload in
                let all = try world.store.parts(of: upload, after: 0, limit: PartNumber.valueMax)
                return GetObjectAttributesResponse.Parts(all.compactMap(UploadedPart.init), selection)
            }
            let answer = GetObjectAttributesResponse(
                etag: record.etag, checksum: record.checksum, parts: parts,
                storageClass: ObjectAttributes(record).storageClass, size: record.size)
            var response = HTTPResponse.xml(answer.document(selection))
            response.add("Last-Modified") { record.lastModified.appendHTTPDate(to: &$0) }
            return response
        }
    }
}
