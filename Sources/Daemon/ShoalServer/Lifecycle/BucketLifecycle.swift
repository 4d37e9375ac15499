import ShoalHTTP
import ShoalS3
import ShoalStore

/// A bucket's lifecycle as `BucketSettings` keeps it: the smallest size that is moved, by its place in `allCases`, then the
/// document.
struct StoredLifecycle: Sendable {
    let configuration: LifecycleConfiguration
    let smallestMoved: TransitionDefaultMinimumObjectSize

    /// Part of the format on disk, so a size keeps its place.
    private static let sizes = TransitionDefaultMinimumObjectSize.allCases

    init(_ configuration: LifecycleConfiguration, _ smallestMoved: TransitionDefaultMinimumObjectSize) {
        self.configuration = configuration
        self.smallestMoved = smallestMoved
    }

    init(_ bytes: [UInt8]) throws(S3Error) {
        let place = Int(bytes.first ?? 0)
        self.init(
            try LifecycleConfiguration(Array(bytes.dropFirst())),
            place < Self.sizes.count ? Self.sizes[place] : .allStorageClasses128K)
    }

    var bytes: [UInt8] { [UInt8(Self.sizes.firstIndex(of: smallestMoved) ?? 0)] + configuration.document }
}

/// `GET /{bucket}?lifecycle`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycleConfiguration.html
struct GetBucketLifecycle: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        guard let lifecycle = try BucketSettings(bucket).lifecycle else {
            throw S3Error(.noSuchLifecycleConfiguration, elements: [.init("BucketName", bucket.name.text)])
        }
        var response = HTTPResponse(.ok, body: .bytes(lifecycle.configuration.document))
        response.add("x-amz-transition-default-minimum-object-size", lifecycle.smallestMoved.rawValue)
        return .answer(response)
    }
}

/// `PUT /{bucket}?lifecycle`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
struct PutBucketLifecycle: Operation {
    private let request: S3Request
    private let body: DocumentSink
    private let smallestMoved: TransitionDefaultMinimumObjectSize

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        smallestMoved = try TransitionDefaultMinimumObjectSize(request.fields)
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) {
            let lifecycle = StoredLifecycle(try LifecycleConfiguration(try body.document()), smallestMoved)
            return .change {
                try world.change(bucket) { $0[.lifecycle] = lifecycle.bytes }
                world.lifecycle.noteChange(in: world.name)
                var response = HTTPResponse(.ok)
                response.add("x-amz-transition-default-minimum-object-size", lifecycle.smallestMoved.rawValue)
                return response
            }
        }
    }
}

extension LifecycleObject {
    init(_ record: ObjectRecord, _ attributes: ObjectAttributes) {
        self.init(
            key: record.key, size: record.size, tags: attributes.tags.tags,
            lastModified: attributes.details.completed ?? record.lastModified)
    }
}

extension ObjectRecord {
    /// When it was there, be it an object that came in parts, whose `Last-Modified` is when its upload began.
    var appeared: Timestamp { upload == nil ? lastModified : ObjectAttributes(self).details.completed ?? lastModified }
}

extension HTTPResponse {
    /// Adds `x-amz-expiration` if a rule of the bucket expires the object, which is the current version of its key.
    mutating func addExpiration(of record: ObjectRecord, in bucket: BucketRecord) throws(S3Error) {
        guard let lifecycle = try BucketSettings(bucket).lifecycle,
            let due = lifecycle.configuration.expiration(of: LifecycleObject(record, ObjectAttributes(record)))
        else { return }
        add("x-amz-expiration", due.expirationHeader)
    }

    /// Adds `x-amz-abort-date` and `x-amz-abort-rule-id` if a rule of the bucket throws the upload away.
    mutating func addAbort(of upload: UploadRecord, in bucket: BucketRecord) throws(S3Error) {
        guard
            let due = try BucketSettings(bucket).lifecycle?.configuration
                .abort(ofUploadTo: upload.key, initiated: upload.initiated)
        else { return }
        add("x-amz-abort-date", due.time.httpDate)
        add("x-amz-abort-rule-id", due.encodedRuleID)
    }
}
