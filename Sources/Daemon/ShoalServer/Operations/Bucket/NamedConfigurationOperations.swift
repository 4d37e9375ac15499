import ShoalHTTP
import ShoalS3
import ShoalStore

extension PutBucketDocument {
    /// `PUT /{bucket}?metrics&id=` and the like
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketMetricsConfiguration.html
    static func named(_ request: S3Request, _ place: NamedPlace) throws(S3Error) -> PutBucketDocument {
        let id = try request.configurationID()
        // The status as AWS was recorded to answer for metrics.
        return try PutBucketDocument(request, answering: .noContent) { (document) throws(S3Error) in
            { (_, settings, _) throws(S3Error) in
                try place.change(in: &settings) { (all) throws(S3Error) in try all.put(document, id: id) }
            }
        }
    }
}

/// `GET /{bucket}?metrics&id=`, and all of them without an id
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBucketMetricsConfigurations.html
struct GetNamedConfiguration: Operation {
    private let request: S3Request
    private let place: NamedPlace
    private let listsAll: Bool

    init(_ request: S3Request, _ place: NamedPlace, listsAll: Bool = false) {
        self.request = request
        self.place = place
        self.listsAll = listsAll
    }

    func start(in world: World) throws -> Step {
        let settings = BucketSettings(try world.bucket(try request.bucket, for: request))
        let all = try place.configurations(in: settings)
        guard listsAll else { return .answer(.xml(try all.document(id: try request.configurationID()))) }
        let token = request.route.query.first("continuation-token").map { String(decoding: $0, as: UTF8.self) }
        return .answer(.xml(try all.page(after: token)))
    }
}

/// `DELETE /{bucket}?metrics&id=` and the like
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketMetricsConfiguration.html
struct DeleteNamedConfiguration: Operation {
    private let request: S3Request
    private let place: NamedPlace
    private let id: String

    init(_ request: S3Request, _ place: NamedPlace) throws(S3Error) {
        self.request = request
        self.place = place
        id = try request.configurationID()
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .change { [place, id] in
            try world.update(bucket) { (_, settings) throws(S3Error) in
                try place.change(in: &settings) { (all) throws(S3Error) in try all.remove(id: id) }
            }
            return HTTPResponse(.noContent)
        }
    }
}

/// Where a bucket keeps the configurations of a kind.
struct NamedPlace: Sendable {
    fileprivate let subResource: SubResource
    fileprivate let kind: NamedConfigurations.Kind

    static let metrics = NamedPlace(subResource: .metrics, kind: .metrics)
    static let analytics = NamedPlace(subResource: .analytics, kind: .analytics)
    static let inventory = NamedPlace(subResource: .inventory, kind: .inventory)
    static let intelligentTiering = NamedPlace(subResource: .intelligentTiering, kind: .intelligentTiering)

    fileprivate func configurations(in settings: BucketSettings) throws(S3Error) -> NamedConfigurations {
        guard let stored = settings[subResource] else { return NamedConfigurations(kind) }
        return try NamedConfigurations(kind, stored: stored)
    }

    fileprivate func change(
        in settings: inout BucketSettings, _ change: (inout NamedConfigurations) throws(S3Error) -> Void
    ) throws(S3Error) {
        var all = try configurations(in: settings)
        try change(&all)
        settings[subResource] = all.isEmpty ? nil : all.stored
    }
}

extension S3Request {
    /// The `id` of a configuration. Throws 400 `InvalidArgument` without one.
    fileprivate func configurationID() throws(S3Error) -> String {
        guard let id = route.query.first("id"), !id.isEmpty else {
            throw .invalidArgument("The configuration id is not valid", name: "id", value: "")
        }
        return String(decoding: id, as: UTF8.self)
    }
}
