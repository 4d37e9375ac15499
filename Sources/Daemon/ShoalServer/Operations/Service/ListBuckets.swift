import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html
struct ListBuckets: Operation {
    private let parameters: ListBucketsParameters
    private let owner: Owner

    init(_ request: S3Request) throws(S3Error) {
        guard let caller = request.caller else { throw S3Error(.accessDenied) }
        owner = caller.owner
        parameters = try ListBucketsParameters(request.route.query, server: nil)
    }

    func start(in world: World) -> Step {
        let matching = world.store.buckets().filter { record in
            BucketSettings(record).ownerID == owner.id
                && record.name.text.utf8.starts(with: parameters.prefix ?? [])
                && parameters.startAfter.lexicographicallyPrecedes(record.name.text.utf8)
                && (parameters.region == nil || parameters.region?.name == record.region)
        }
        let page = matching.prefix(parameters.pageSize).map { record in
            ListedBucket(
                name: record.name, created: record.created, region: Region(record.region) ?? .usEast1)
        }
        let document = parameters.document(page, owner: owner, isTruncated: matching.count > page.count)
        return .answer(.xml(document))
    }
}

extension HTTPResponse {
    /// 200 with a document of S3's schema.
    static func xml(_ document: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(.ok, body: .bytes(document))
        response.add("Content-Type", "application/xml")
        return response
    }
}
