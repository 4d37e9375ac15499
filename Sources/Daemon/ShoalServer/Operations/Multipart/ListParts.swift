import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}?uploadId=`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
struct ListParts: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let id: UploadID
    private let parameters: ListPartsParameters

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        id = try request.uploadID()
        parameters = try ListPartsParameters(request.route.query)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let upload = try world.upload(id, at: path)
        try parameters.check()
        let bucketOwner = world.accounts.owner(id: BucketSettings(bucket).ownerID)
        let (initiator, owner) = world.people(of: upload.attributes, inBucketOf: bucketOwner)
        let (parameters, path, size) = (parameters, path, parameters.pageSize)
        return .look {
            let parts = try world.store.parts(of: upload.record.number, after: parameters.marker, limit: size + 1)
            var response = HTTPResponse.xml(
                parameters.document(
                    parts: parts.prefix(size).compactMap(UploadedPart.init), isTruncated: parts.count > size,
                    bucket: path.bucket, key: path.key, uploadID: upload.id, owner: owner, initiator: initiator,
                    storageClass: upload.attributes.object.storageClass, upload: upload.attributes.checksum))
            try response.addAbort(of: upload.record, in: bucket)
            return response
        }
    }
}
