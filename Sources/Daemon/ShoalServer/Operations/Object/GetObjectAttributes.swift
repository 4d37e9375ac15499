import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}?attributes`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html
struct GetObjectAttributes: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let selection: ObjectAttributeSelection
    private let customerKey: CustomerKey?

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        selection = try ObjectAttributeSelection(request.fields)
        customerKey = try CustomerKey.named(in: request.fields, .reading)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let version = try request.version(in: bucket)
        return .look { [path, selection, request, customerKey] in
            let record = try world.record(of: path, version, for: request)
            try ObjectAttributes(record).encryption.checkReading(with: customerKey)
            let parts = try record.upload.map { upload in
                let all = try world.store.parts(of: upload, after: 0, limit: PartNumber.valueMax)
                return GetObjectAttributesResponse.Parts(all.compactMap(UploadedPart.init), selection)
            }
            let answer = GetObjectAttributesResponse(
                etag: record.etag, checksum: record.checksum, parts: parts,
                storageClass: ObjectAttributes.storageClass(of: record), size: record.size)
            var response = HTTPResponse.xml(answer.document(selection))
            response.addVersion(of: record, at: path, in: bucket)
            response.add("Last-Modified") { record.lastModified.appendHTTPDate(to: &$0) }
            return response
        }
    }
}
