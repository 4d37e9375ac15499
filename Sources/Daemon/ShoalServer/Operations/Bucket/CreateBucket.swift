import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html
struct CreateBucket: Operation {
    private let request: S3Request
    private let name: BucketName
    private let owner: Owner
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        guard let caller = request.caller else { throw S3Error(.accessDenied) }
        self.request = request
        name = try request.bucket
        try BucketNamespace.check(name, request.fields, account: Accounts.accountNumber)
        owner = caller.owner
        body = try DocumentSink(request)
    }

    /// The settings of a bucket that is owned as the headers ask.
    ///
    /// Throws 400 `InvalidBucketAclWithObjectOwnership` for a list where there is no room for one, and 403 for a public one,
    /// which the block of a new bucket forbids.
    private static func settings(
        _ fields: RequestFields, of owner: Owner, _ kind: ServeOptions.NewBuckets
    ) throws(S3Error) -> BucketSettings {
        var settings = BucketSettings(ownerID: owner.id, kind)
        let ownership = try ObjectOwnership.named(in: fields)
        if let ownership { settings[.ownershipControls] = OwnershipControls(ownership: ownership).document }
        if ObjectLockConfiguration.isRequested(by: fields) {
            settings[.objectLock] = ObjectLockConfiguration().document
        }
        guard let acl = try RequestedACL.named(in: fields) else { return settings }
        guard acl != .canned(.private) else {
            // Whoever says what is so anyway gets a bucket in which lists count.
            if ownership == nil, kind == .private {
                settings[.ownershipControls] = OwnershipControls(ownership: .bucketOwnerPreferred).document
            }
            return settings
        }
        try acl.checkCreation(under: settings.ownership)
        let policy = acl.policy(owner: owner, bucketOwner: owner)
        try settings.publicAccessBlock?.check(policy)
        settings[.acl] = policy.document
        return settings
    }

    func start(in world: World) throws -> Step {
        let settings = try Self.settings(request.fields, of: owner, world.options.newBuckets)
        return .receive(body) {
            let configuration = try CreateBucketConfiguration(try body.document())
            let region = try configuration.region(server: world.region)
            let (owner, location) = (owner, location(configuration, in: world))
            var settings = settings
            if let tags = configuration.tags, !tags.tags.isEmpty { settings[.tagging] = Tagging(tags).document }
            let record = BucketRecord(
                name: name, created: request.now, region: region.name, settings: settings.encoded,
                versioning: settings.hasObjectLock ? .enabled : .never)
            return .change { try Self.create(record, region, ownedBy: owner, location, in: world) }
        }
    }

    /// Where the bucket is: a path, or a URL if the client said where it is to be.
    private func location(_ configuration: CreateBucketConfiguration, in world: World) -> String {
        guard configuration.locationConstraint != nil else { return "/" + name.text }
        let host = Array("\(name.text).".utf8) + (request.head.first("host") ?? [])
        guard request.route.style == .path, world.domains.bucket(inHost: host[...]) == Array(name.text.utf8) else {
            return request.bucketURL + "/"
        }
        return "\(request.scheme)://\(String(decoding: host, as: UTF8.self))/"
    }

    private static func create(
        _ record: BucketRecord, _ region: Region, ownedBy owner: Owner, _ location: String, in world: World
    ) throws -> HTTPResponse {
        do throws(StoreError) {
            try world.store.createBucket(record)
        } catch .bucketExists {
            let hasTags = BucketSettings(record)[.tagging] != nil
            try answerExisting(record.name, region, hasTags: hasTags, ownedBy: owner, in: world)
        }
        var response = HTTPResponse(.ok)
        response.add("Location", location)
        response.add("x-amz-bucket-arn", "arn:aws:s3:::" + record.name.text)
        return response
    }

    /// Creating one's own bucket again is a success in us-east-1, unless it brings tags, and a conflict elsewhere.
    private static func answerExisting(
        _ name: BucketName, _ region: Region, hasTags: Bool, ownedBy owner: Owner, in world: World
    ) throws(S3Error) {
        let element = S3Error.Element("BucketName", name.text)
        guard let existing = world.store.bucket(name), BucketSettings(existing).ownerID == owner.id else {
            throw S3Error(.bucketAlreadyExists, elements: [element])
        }
        guard region == .usEast1, !hasTags, existing.region == region.name else {
            throw S3Error(.bucketAlreadyOwnedByYou, elements: [element])
        }
    }
}
