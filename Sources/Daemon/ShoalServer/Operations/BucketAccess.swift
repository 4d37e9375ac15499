import ShoalS3
import ShoalStore

extension World {
    /// The bucket, if it exists and lets the request in; `operation` and `path` are those of the route unless said
    /// otherwise, as for the source of a copy.
    ///
    /// Throws 404 `NoSuchBucket`, 403 `AccessDenied` as the bucket's owner, policy and lists decide, and what
    /// `x-amz-expected-bucket-owner` asks for.
    func bucket(
        _ name: BucketName, for request: S3Request, as operation: S3Operation? = nil, at path: ObjectPath? = nil
    ) throws(S3Error) -> BucketRecord {
        let (record, access) = try self.access(to: name, for: request)
        if let access {
            let operation = operation ?? request.route.operation
            guard try access.allows(operation, path ?? request.route.path) else { throw S3Error(.accessDenied) }
        }
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
        return (record, BucketAccess(record, settings, request, in: self))
    }
}

/// Judges who may do what in a bucket.
struct BucketAccess {
    private let bucket: BucketRecord
    private let request: S3Request
    private let world: World
    private let rules: AccessRules

    init(_ bucket: BucketRecord, _ settings: BucketSettings, _ request: S3Request, in world: World) {
        self.bucket = bucket
        self.request = request
        self.world = world
        rules = settings.rules(for: bucket.name, owner: world.accounts.owner(id: settings.ownerID))
    }

    /// Whoever may not list the bucket is not told that an object is missing either.
    func allows(_ operation: S3Operation, _ path: ObjectPath?) throws(S3Error) -> Bool {
        guard operation.readsObject, let path else { return judge(operation, path, nil) }
        let object: ObjectRecord?
        do throws(StoreError) {
            object = try world.store.record(of: path)
        } catch {
            throw S3Error(mapping: error)
        }
        guard let object else { return judge(.listObjectsV2, nil, nil) }
        return judge(operation, path, object)
    }

    private func judge(_ operation: S3Operation, _ path: ObjectPath?, _ object: ObjectRecord?) -> Bool {
        let namesVersion = request.route.query.has("versionId")
        guard let name = PolicyAction.name(of: operation, namesVersion: namesVersion) else {
            return request.caller?.owner.id == rules.owner.id
        }
        var conditions = PolicyRequest.conditions(
            request.fields, sourceIP: request.sourceAddress, isSecure: false, now: request.now,
            signing: request.signing, tags: (try? TagSet.named(in: request.fields)) ?? nil)
        let attributes = object.map(ObjectAttributes.init)
        for tag in attributes?.tags.tags ?? [] { conditions[.existingObjectTag(tag.key)] = [tag.value] }
        let resource = path.map(PolicyRequest.resource) ?? PolicyRequest.resource(bucket.name)
        return rules.allow(
            PolicyRequest(principal, action: name, resource: resource, conditions: conditions), operation,
            objectACL: attributes.map { $0.acl(inBucketOf: rules.owner) })
    }

    private var principal: PolicyRequest.Principal {
        guard let caller = request.caller else { return .anonymous }
        return .account(
            Accounts.accountNumber, arn: "arn:aws:iam::\(Accounts.accountNumber):root",
            canonicalID: caller.owner.id)
    }
}

extension BucketSettings {
    /// Everything that was put to decide who gets in.
    fileprivate func rules(for bucket: BucketName, owner: Owner) -> AccessRules {
        AccessRules(
            owner: owner, policy: self[.policy].flatMap { try? BucketPolicy($0, of: bucket) },
            acl: self[.acl].flatMap { try? AccessControlPolicy($0) }, ownership: ownership,
            publicAccessBlock: publicAccessBlock)
    }
}

extension S3Operation {
    fileprivate var readsObject: Bool {
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
