import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?list-type=2`, and the older form without it
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
struct ListObjects: Operation {
    private let request: S3Request
    private let name: BucketName
    private let parameters: ListObjectsParameters

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        name = try request.bucket
        let version: ListObjectsParameters.Version = request.route.operation == .listObjectsV2 ? .v2 : .v1
        parameters = try ListObjectsParameters(request.route.query, version)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(name, for: request)
        let query = ListQuery(
            prefix: parameters.prefix, delimiter: parameters.delimiter ?? [], startAfter: try parameters.start(),
            limit: parameters.pageSize)
        let owner = world.accounts.owner(id: BucketSettings(bucket).ownerID)
        return .look { [name, parameters] in
            do throws(StoreError) {
                let page = try world.store.list(name, query) {
                    ListBucketResult(parameters, bucket: name, owner: owner)
                }
                var response = HTTPResponse.xml(page.sink.document(isTruncated: page.isTruncated))
                response.addRegion(of: bucket)
                return response
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
        }
    }
}

extension ListBucketResult: ListingSink {
    package mutating func take(_ object: ListedObject) {
        let facts = ObjectFacts(
            lastModified: object.lastModified, size: object.size,
            storageClass: ObjectAttributes.storageClass(inEncoded: object.attributes), checksum: object.checksumForm)
        append(key: object.key, facts) { object.appendTag(to: &$0) }
    }

    package mutating func take(rollUp: [UInt8]) { append(commonPrefix: rollUp) }
}
