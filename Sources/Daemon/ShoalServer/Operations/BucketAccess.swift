import ShoalS3
import ShoalStore

extension World {
    /// The bucket, if it exists and lets the request in; `target` is what the route names unless said otherwise, as for
    /// the source of a copy.
    ///
    /// Throws 404 `NoSuchBucket`, 403 `AccessDenied` as the bucket's owner, policy and lists decide, and what
    /// `x-amz-expected-bucket-owner` asks for.
    func bucket(
        _ name: BucketName, for request: S3Request, target: AccessTarget? = nil
    ) throws(S3Error) -> BucketRecord {
        let (record, access) = try self.access(to: name, for: request)
        if let access, try !access.allows(target ?? AccessTarget(request.route)) { throw S3Error(.accessDenied) }
        try ExpectedBucketOwner.check(request.fields, owner: Accounts.accountNumber)
        return record
    }

    /// The bucket and who is to judge the request; nobody if it is the owner's and no policy could keep it out.
    ///
    /// Throws 404 `NoSuchBucket`.
    func access(
        to name: BucketName, for request: S3Request
    ) throws(S3Error) -> (bucket: BucketRecord, access: BucketAccess?) {
        guard let record = store.bucket(name) else { throw .noSuchBucket(name) }
        let settings = BucketSettings(record)
        let isOwners = request.caller?.owner.id == settings.ownerID
        if isOwners, settings[.policy] == nil { return (record, nil) }
        return (record, try BucketAccess(record, settings, request, in: self))
    }
}

/// What is to be judged: an operation on a bucket, on an object, or on one version of it.
struct AccessTarget {
    let operation: S3Operation
    var path: ObjectPath?
    /// As sent, not judged yet; nil for the current version.
    var versionID: ArraySlice<UInt8>?

    init(_ operation: S3Operation, _ path: ObjectPath?, versionID: ArraySlice<UInt8>? = nil) {
        self.operation = operation
        self.path = path
        self.versionID = versionID
    }

    init(_ route: Route) { self.init(route.operation, route.path, versionID: route.query.first("versionId")) }
}

/// Judges who may do what in a bucket.
struct BucketAccess: Sendable {
    private let bucket: BucketRecord
    private let request: S3Request
    private let world: World
    private let rules: AccessRules

    /// Throws 500 `InternalError` for rules that cannot be read: nobody gets in by them.
    init(
        _ bucket: BucketRecord, _ settings: BucketSettings, _ request: S3Request, in world: World
    ) throws(S3Error) {
        self.bucket = bucket
        self.request = request
        self.world = world
        rules = try settings.rules(of: bucket.name)
    }

    /// Whoever may not list the bucket is not told that an object is missing either; a policy that lets list some keys
    /// lets know of those. Waits for the catalogue if a version is named that is not the current one.
    func allows(_ target: AccessTarget) throws(S3Error) -> Bool {
        guard target.operation.concernsObject, let path = target.path else { return judge(target, nil) }
        guard let object = try object(at: path, target.versionID) else {
            return judge(AccessTarget(.listObjectsV2, nil), nil, ["s3:prefix": [path.key.description]])
        }
        return judge(target, object)
    }

    /// The version whose list and tags count.
    private func object(at path: ObjectPath, _ versionID: ArraySlice<UInt8>?) throws(S3Error) -> ObjectRecord? {
        do throws(StoreError) {
            guard let versionID else { return try world.store.record(of: path) }
            guard let version = VersionID.decode(versionID, path) else { return nil }
            return try world.store.record(of: path, version: version)
        } catch {
            throw S3Error(mapping: error)
        }
    }

    /// Whether the sender may get past a retention of governance there; no list gives that right.
    func allowsBypass(at path: ObjectPath) -> Bool {
        judge("s3:BypassGovernanceRetention", AccessTarget(.putObjectRetention, path), nil)
    }

    private func judge(
        _ target: AccessTarget, _ object: ObjectRecord?, _ more: [ConditionKey: [String]] = [:]
    ) -> Bool {
        guard let name = PolicyAction.name(of: target.operation, namesVersion: target.versionID != nil) else {
            return request.caller?.owner.id == rules.owner.id
        }
        return judge(name, target, object, more)
    }

    /// `more` are circumstances that the request alone does not tell.
    private func judge(
        _ action: String, _ target: AccessTarget, _ object: ObjectRecord?, _ more: [ConditionKey: [String]] = [:]
    ) -> Bool {
        var conditions = PolicyRequest.conditions(
            request.fields, sourceIP: request.sourceAddress, isSecure: request.isSecure, now: request.now,
            signing: request.signing, tags: (try? TagSet.named(in: request.fields)) ?? nil)
        let attributes = object.map(ObjectAttributes.init)
        conditions.merge(more) { _, new in new }
        for tag in attributes?.tags.tags ?? [] { conditions[.existingObjectTag(tag.key)] = [tag.value] }
        let resource = target.path.map(PolicyRequest.resource) ?? PolicyRequest.resource(bucket.name)
        return rules.allow(
            PolicyRequest(principal, action: action, resource: resource, conditions: conditions), target.operation,
            objectACL: attributes.map { $0.acl(inBucketOf: rules.owner) }, initiatorID: initiatorID(of: target))
    }

    /// Who began the upload that is to be looked at or dropped.
    private func initiatorID(of target: AccessTarget) -> String? {
        guard target.operation == .listParts || target.operation == .abortMultipartUpload, let path = target.path,
            let id = try? request.uploadID()
        else { return nil }
        return world.openUpload(id, at: path)?.attributes.initiatorID
    }

    private var principal: PolicyRequest.Principal {
        guard let caller = request.caller else { return .anonymous }
        return .account(
            Accounts.accountNumber, arn: "arn:aws:iam::\(Accounts.accountNumber):root",
            canonicalID: caller.owner.id)
    }
}

extension S3Operation {
    /// Its answer depends on the list and the tags of an object that is there.
    fileprivate var concernsObject: Bool {
        switch self {
        case .getObject, .headObject, .getObjectAttributes, .getObjectTagging, .getObjectAcl, .putObjectAcl,
            .putObjectTagging, .deleteObjectTagging:
            true
        default: false
        }
    }
}

extension S3Error {
    static func noSuchBucket(_ name: BucketName) -> S3Error {
        S3Error(.noSuchBucket, elements: [Element("BucketName", name.text)])
    }

    static func noSuchKey(_ key: ObjectKey) -> S3Error {
        S3Error(.noSuchKey, elements: [Element("Key", key.description)])
    }
}
