import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html
struct CreateBucket: Operation {
    private let name: BucketName
    private let owner: Owner
    private let body: DocumentSink
    private let now: Timestamp

    init(_ request: S3Request) throws(S3Error) {
        guard let caller = request.caller else { throw S3Error(.accessDenied) }
        name = try request.bucket
        owner = caller.owner
        now = request.now
        try Self.refuseUnbuilt(request.fields)
        body = try DocumentSink(request)
    }

    /// What asks for more than a private bucket whose objects all belong to its owner.
    private static func refuseUnbuilt(_ fields: RequestFields) throws(S3Error) {
        if let acl = try CannedACL.named(in: fields), !acl.isAllowedUnderBucketOwnerEnforced {
            throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-acl")])
        }
        if let ownership = fields.first("x-amz-object-ownership"), !ownership.elementsEqual("BucketOwnerEnforced".utf8)
        {
            throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-object-ownership")])
        }
        if let lock = fields.first("x-amz-bucket-object-lock-enabled"), !lock.elementsEqual("false".utf8) {
            throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-bucket-object-lock-enabled")])
        }
    }

    func start(in world: World) -> Step {
        .receive(body) {
            let configuration = try CreateBucketConfiguration(try body.document())
            let region = try configuration.region(server: world.region)
            let owner = owner
            let record = BucketRecord(
                name: name, created: now, region: region.name, settings: BucketSettings(ownerID: owner.id).encoded)
            guard configuration.tags?.tags.isEmpty ?? true else { throw S3Error.notBuilt(.putBucketTagging) }
            return .change { try Self.create(record, region, ownedBy: owner, in: world) }
        }
    }

    private static func create(
        _ record: BucketRecord, _ region: Region, ownedBy owner: Owner, in world: World
    ) throws -> HTTPResponse {
        do throws(StoreError) {
            try world.store.createBucket(record)
        } catch .bucketExists {
            try answerExisting(record.name, region, ownedBy: owner, in: world)
        }
        var response = HTTPResponse(.ok)
        response.add("Location", "/" + record.name.text)
        response.add("x-amz-bucket-arn", "arn:aws:s3:::" + record.name.text)
        return response
    }

    /// Creating one's own bucket again is a success in us-east-1 and a conflict elsewhere.
    private static func answerExisting(
        _ name: BucketName, _ region: Region, ownedBy owner: Owner, in world: World
    ) throws(S3Error) {
        let element = S3Error.Element("BucketName", name.text)
        guard let existing = world.store.bucket(name), BucketSettings(existing).ownerID == owner.id else {
            throw S3Error(.bucketAlreadyExists, elements: [element])
        }
        guard region == .usEast1, existing.region == region.name else {
            throw S3Error(.bucketAlreadyOwnedByYou, elements: [element])
        }
    }
}
