import ShoalHTTP
import ShoalS3
import ShoalStore

extension S3Request {
    /// The canonical id of who sent it.
    var senderID: String { caller?.owner.id ?? Owner.anonymousID }

    /// The list that an object gets which this request writes; nil for the usual one, the bucket owner's own.
    ///
    /// Throws 400 `AccessControlListNotSupported` where the bucket leaves no room for lists, as all new ones do, and 403
    /// where its public access block forbids this one.
    func writtenACL(in bucket: BucketRecord, _ requested: RequestedACL?) throws(S3Error) -> AccessControlPolicy? {
        let settings = BucketSettings(bucket)
        try requested?.check(under: settings.ownership)
        let bucketOwner = Owner(id: settings.ownerID)
        guard settings.ownership != .bucketOwnerEnforced else { return nil }
        let isGivenUp =
            settings.ownership == .bucketOwnerPreferred && requested == .canned(.bucketOwnerFullControl)
        let owner = isGivenUp ? bucketOwner : Owner(id: senderID)
        let policy =
            requested?.policy(owner: owner, bucketOwner: bucketOwner) ?? AccessControlPolicy.private(owner)
        try settings.publicAccessBlock?.check(policy)
        return policy == .private(bucketOwner) ? nil : policy
    }
}

/// `GET /{bucket}?acl` and `GET /{bucket}/{key}?acl`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAcl.html
struct GetACL: Operation {
    private let request: S3Request

    init(_ request: S3Request) { self.request = request }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        let owner = Owner(id: BucketSettings(bucket).ownerID)
        guard let path = request.route.path else {
            let policy = try BucketSettings(bucket)[.acl].map { try AccessControlPolicy($0) } ?? .private(owner)
            return .answer(.xml(policy.document(name: world.accounts.displayName)))
        }
        let version = try request.version(in: bucket)
        return .look { [request] in
            let record = try world.record(of: path, version, for: request)
            var response = HTTPResponse.xml(
                ObjectAttributes(record).acl(inBucketOf: owner).document(name: world.accounts.displayName))
            response.addVersion(of: record, at: path, in: bucket)
            return response
        }
    }
}

/// `PUT /{bucket}?acl` and `PUT /{bucket}/{key}?acl`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectAcl.html
struct PutACL: Operation {
    private let request: S3Request
    private let body: DocumentSink

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request)
        let version = request.route.path == nil ? nil : try request.version(in: bucket)
        return .receive(body) { [request] in
            let requested = try RequestedACL(request.fields, body: try body.document())
            let settings = BucketSettings(bucket)
            try requested.check(under: settings.ownership)
            let owner = Owner(id: settings.ownerID)
            guard let path = request.route.path else {
                let policy = requested.policy(owner: owner, bucketOwner: owner)
                try settings.publicAccessBlock?.check(policy)
                return .change {
                    try world.change(bucket.name) { $0[.acl] = policy.document }
                    return HTTPResponse(.ok)
                }
            }
            return .change { try Self.put(requested, on: path, version, in: bucket, for: request, world) }
        }
    }

    private static func put(
        _ requested: RequestedACL, on path: ObjectPath, _ version: ObjectVersion?, in bucket: BucketRecord,
        for request: S3Request, _ world: World
    ) throws -> HTTPResponse {
        let settings = BucketSettings(bucket)
        let bucketOwner = Owner(id: settings.ownerID)
        // Whether it is public does not depend on whose object it is.
        try settings.publicAccessBlock?.check(requested.policy(owner: bucketOwner, bucketOwner: bucketOwner))
        let announcement = world.announcement(of: .named(.objectAclPut), at: path, in: bucket, by: request)
        let changed = try world.store.updateAttributes(
            of: path, version: version, announcing: announcement
        ) { record in
            var attributes = ObjectAttributes(record)
            // Who owns the object is not changed by a list.
            let owner = attributes.acl(inBucketOf: bucketOwner).owner
            let policy = requested.policy(owner: owner, bucketOwner: bucketOwner)
            attributes.acl = policy == .private(bucketOwner) ? nil : policy
            return attributes.encoded
        }
        let record = try world.found(changed, at: path, version, for: request, markerRefuses: true)
        var response = HTTPResponse(.ok)
        response.addVersion(of: record, at: path, in: bucket)
        return response
    }
}
