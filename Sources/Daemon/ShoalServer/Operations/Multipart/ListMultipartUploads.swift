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
        let (name, parameters) = (name, parameters)
        return .look {
            let query = UploadQuery(
                prefix: parameters.prefix, delimiter: parameters.delimiter ?? [], afterKey: parameters.keyMarker,
                afterUpload: try parameters.lastUpload(in: name, of: world), limit: parameters.pageSize)
            do {
                let page = try world.store.listUploads(name, query)
                let listing = UploadListing(page, in: name) { world.people(of: $0, inBucketOf: owner) }
                return .xml(parameters.document(listing, bucket: name))
            } catch StoreError.noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
        }
    }
}

extension ListMultipartUploadsParameters {
    /// The upload that the list goes on behind; nil if none is named. Throws 400 `InvalidArgument` for one that the key
    /// of the other marker does not have and did not have lately. Blocking.
    fileprivate func lastUpload(in bucket: BucketName, of world: World) throws -> UploadNumber? {
        guard let text = uploadIDMarker else { return nil }
        let id = UploadID(text)
        guard let key = ObjectKey(keyMarker),
            let record = try world.knownUpload(id, at: ObjectPath(bucket: bucket, key: key))
        else { throw Self.invalidUploadIDMarker(text) }
        return record.number
    }
}

extension UploadListing {
    fileprivate init(
        _ page: UploadPage, in bucket: BucketName, people: (UploadAttributes) -> (initiator: Owner, owner: Owner)
    ) {
        var uploads: [Upload] = []
        var prefixes: [[UInt8]] = []
        for entry in page.entries {
            switch entry {
            case .rollUp(let prefix): prefixes.append(prefix)
            case .upload(let record):
                let attributes = UploadAttributes(record.attributes)
                let (initiator, owner) = people(attributes)
                uploads.append(
                    Upload(
                        key: record.key, uploadID: UploadID(of: record, in: bucket).text, initiator: initiator,
                        owner: owner, initiated: record.initiated,
                        storageClass: attributes.object.storageClass, checksum: attributes.checksum))
            }
        }
        // S3 names no place behind a common prefix, also where the list goes on there.
        let next = if case .upload = page.entries.last { uploads.last } else { nil as Upload? }
        self.init(
            uploads: uploads, commonPrefixes: prefixes, isTruncated: page.isTruncated, nextKeyMarker: next?.key.bytes,
            nextUploadIDMarker: next?.uploadID)
    }
}
