import ShoalS3
import ShoalStore

extension S3Request {
    /// The lock of a version that this request writes and asks `asked` for, completed by what the bucket gives every
    /// version. `expectation` is what its body is checked against; nil where there is no body, as of a copy.
    ///
    /// Throws 400 `InvalidRequest` for a lock in a bucket without them and for a locked body without a digest, and 403
    /// `AccessDenied` for who may write but not lock.
    func writtenLock(
        _ asked: ObjectLock, at path: ObjectPath, in bucket: BucketRecord, _ expectation: ChecksumExpectation?,
        _ world: World
    ) throws(S3Error) -> ObjectLock {
        let settings = BucketSettings(bucket)
        guard settings.hasObjectLock || asked != .none else { return .none }
        if asked.retention != nil, try !world.allows(.putObjectRetention, at: path, for: self) {
            throw S3Error(.accessDenied)
        }
        if asked.legalHold != nil, try !world.allows(.putObjectLegalHold, at: path, for: self) {
            throw S3Error(.accessDenied)
        }
        let lock = try asked.completed(by: settings.objectLock, at: now)
        if let expectation { try lock.check(expectation) }
        return lock
    }

    /// Judges deletions of versions in `bucket`, each by the lock it then has, whatever the bucket was when the request
    /// began. Throws 400 `InvalidArgument` for a bypass of what is not there.
    func deletionRule(in bucket: BucketRecord, _ world: World) throws(S3Error) -> LockedDeletion {
        guard BucketSettings(bucket).hasObjectLock else {
            guard fields.first("x-amz-bypass-governance-retention") == nil else {
                throw .invalidArgument(
                    "x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.",
                    name: "x-amz-bypass-governance-retention", value: nil)
            }
            return LockedDeletion(now: now)
        }
        guard ObjectLock.bypassesGovernance(fields) else { return LockedDeletion(now: now) }
        let access = try world.access(to: bucket.name, for: self).access
        return LockedDeletion(now: now) { access?.allowsBypass(at: $0) ?? true }
    }
}

/// What keeps locked versions from being deleted.
struct LockedDeletion: Sendable {
    let now: Timestamp
    /// Whether somebody asked to get past governance at that path, and may.
    private let mayBypass: @Sendable (ObjectPath) -> Bool

    init(now: Timestamp, mayBypass: @escaping @Sendable (ObjectPath) -> Bool = { _ in false }) {
        self.now = now
        self.mayBypass = mayBypass
    }

    /// Throws `refused` with 403 `AccessDenied` for a version that is protected. Blocking.
    func check(_ record: ObjectRecord, at path: ObjectPath) throws(StoreError) {
        let lock = ObjectAttributes(record).lock
        guard lock != .none else { return }
        try StoreError.refusing { () throws(S3Error) in
            try lock.checkDeletion(now: now, bypassesGovernance: mayBypass(path))
        }
    }
}

extension World {
    /// Whether the sender may also do another operation at that path.
    func allows(_ operation: S3Operation, at path: ObjectPath, for request: S3Request) throws(S3Error) -> Bool {
        guard let access = try access(to: path.bucket, for: request).access else { return true }
        return try access.allows(AccessTarget(operation, path))
    }

    /// Whether the sender asks to get past governance at that path, and may.
    func bypassesGovernance(_ request: S3Request, at path: ObjectPath) throws(S3Error) -> Bool {
        guard ObjectLock.bypassesGovernance(request.fields) else { return false }
        return try access(to: path.bucket, for: request).access?.allowsBypass(at: path) ?? true
    }
}
