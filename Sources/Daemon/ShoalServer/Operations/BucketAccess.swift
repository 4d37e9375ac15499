import ShoalS3
import ShoalStore

extension World {
    /// The bucket, if it exists and belongs to the caller.
    ///
    /// Throws 404 `NoSuchBucket`, 403 `AccessDenied` for an anonymous caller or another account, and what
    /// `x-amz-expected-bucket-owner` asks for.
    func bucket(_ name: BucketName, for request: S3Request) throws(S3Error) -> BucketRecord {
        guard let record = store.bucket(name) else { throw .noSuchBucket(name) }
        guard let caller = request.caller, caller.owner.id == BucketSettings(record).ownerID else {
            throw S3Error(.accessDenied)
        }
        try ExpectedBucketOwner.check(request.fields, owner: Accounts.accountNumber)
        return record
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
