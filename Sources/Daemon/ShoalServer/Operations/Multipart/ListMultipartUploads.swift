import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?uploads`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
struct ListMultipartUploads: Operation {
    private let request: S3Request
    private let name: BucketName
    private let parameters: ListMultipartUploadsParameters

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
        parameters = try ListMultipartUploadsParameters(request.route.query)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        try parameters.check()
        let owner = world.accounts.owner(id: BucketSettings(bucket).ownerID)
        let query = UploadQuery(
            prefix: parameters.prefix, delimiter: parameters.delimiter ?? [], afterKey: parameters.keyMarker,
            afterUpload: parameters.uploadIDMarker.flatMap { UploadID($0).number }, limit: parameters.pageSize)
        let (name, parameters) = (name, parameters)
        return .look {
            let page: UploadPage
            do throws(StoreError) {
                page = try world.store.listUploads(name, query)
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
            return .xml(parameters.document(UploadListing(page, in: name), bucket: name, owner: owner))
        }
    }
}

extension UploadListing {
    fileprivate init(_ page: UploadPage, in bucket: BucketName) {
        var uploads: [Upload] = []
        var prefixes: [[UInt8]] = []
        for entry in page.entries {
            switch entry {
            case .rollUp(let prefix): prefixes.append(prefix)
            case .upload(let record):
                let attributes = UploadAttributes(record.attributes)
                uploads.append(
                    Upload(
                        key: record.key, uploadID: UploadID(of: record, in: bucket).text, initiated: record.initiated,
                        storageClass: attributes.object.storageClass, checksum: attributes.checksum))
            }
        }
        let next: (key: [UInt8], id: String?)? =
            switch page.isTruncated ? page.entries.last : nil {
            case .rollUp(let prefix): (prefix, nil)
            case .upload(let record): (record.key.bytes, UploadID(of: record, in: bucket).text)
            case nil: nil
            }
        self.init(
            uploads: uploads, commonPrefixes: prefixes, isTruncated: page.isTruncated, nextKeyMarker: next?.key,
            nextUploadIDMarker: next?.id)
    }
}
