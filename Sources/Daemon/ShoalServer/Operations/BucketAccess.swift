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

/// What the server keeps in `BucketRecord.settings`: a version, then the owner's canonical id.
struct BucketSettings {
    let ownerID: String

    private static let version: UInt8 = 1

    init(ownerID: String) { self.ownerID = ownerID }

    init(_ record: BucketRecord) {
        ownerID =
            record.settings.first == Self.version
            ? String(decoding: record.settings.dropFirst(), as: UTF8.self) : Accounts.mainOwnerID
    }

    var encoded: [UInt8] { [Self.version] + Array(ownerID.utf8) }
}
