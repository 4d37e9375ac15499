import ShoalHTTP
import ShoalS3
import ShoalStore

/// `POST /{bucket}/{key}?uploads`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html
struct CreateMultipartUpload: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let attributes: UploadAttributes
    private let acl: RequestedACL?
    private let lock: ObjectLock

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        let headers = try ObjectHeaders(request.fields)
        acl = try RequestedACL.named(in: request.fields)
        lock = try ObjectLock.named(in: request.fields, now: request.now)
        try headers.refuseUnbuilt(request.fields)
        attributes = UploadAttributes(
            checksum: try MultipartChecksum.named(in: request.fields), object: ObjectAttributes(headers))
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        var attributes = attributes
        let initiator = request.senderID
        if initiator != BucketSettings(bucket).ownerID { attributes.initiatorID = initiator }
        attributes.object.acl = try request.writtenACL(in: bucket, acl)
        attributes.object.lock = try request.writtenLock(lock, at: path, in: bucket, nil, world)
        let encryption = try EncryptionRequest(request.fields)
        attributes.object.encryption = try encryption.encryption(in: bucket)
        return .change { [path, attributes, now = request.now, customerKey = encryption.customerKey] in
            let upload: UploadRecord
            do throws(StoreError) {
                upload = try world.store.createUpload(path, initiated: now, attributes: attributes.encoded)
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(path.bucket)
            }
            let result = InitiateMultipartUploadResult(
                bucket: path.bucket, key: path.key, uploadID: UploadID(of: upload, in: path.bucket).text)
            var response = HTTPResponse.xml(result.document)
            if let checksum = attributes.checksum {
                response.add("x-amz-checksum-algorithm", checksum.algorithm.rawValue)
                response.add("x-amz-checksum-type", checksum.kind.rawValue)
            }
            response.add(attributes.object.encryption, customerKey)
            try response.addAbort(of: upload, in: bucket)
            return response
        }
    }
}
