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
            let page: ListPage
            do throws(StoreError) {
                page = try world.store.list(name, query)
            } catch .noSuchBucket {
                throw S3Error.noSuchBucket(name)
            }
            var response = HTTPResponse.xml(parameters.document(ObjectListing(page), bucket: name, owner: owner))
            response.addRegion(of: bucket)
            return response
        }
    }
}

extension ObjectListing {
    fileprivate init(_ page: ListPage) {
        var objects: [Object] = []
        var prefixes: [[UInt8]] = []
        for entry in page.entries {
            switch entry {
            case .rollUp(let prefix): prefixes.append(prefix)
            case .object(let record): objects.append(Object(record))
            }
        }
        self.init(objects: objects, commonPrefixes: prefixes, isTruncated: page.isTruncated)
    }
}

extension ObjectListing.Object {
    init(_ record: ObjectRecord) {
        self.init(
            key: record.key, lastModified: record.lastModified, etag: record.etag, size: record.size,
            storageClass: ObjectAttributes.storageClass(of: record), checksumAlgorithm: record.checksum?.algorithm,
            checksumKind: record.checksum?.kind)
    }
}
