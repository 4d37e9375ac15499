import ShoalHTTP
import ShoalS3
import ShoalStore

extension EncryptionRequest {
    /// What an object gets that is written to `bucket`. Throws 403 `AccessDenied` for a kind that the bucket blocks.
    func encryption(in bucket: BucketRecord) throws(S3Error) -> ObjectEncryption {
        try encryption(
            in: BucketSettings(bucket).encryption, region: bucket.signingRegion, account: Accounts.accountNumber)
    }
}

extension HTTPResponse {
    /// Adds the headers that tell of an object's encryption; `key` is the customer's that the request brought.
    mutating func add(_ encryption: ObjectEncryption, _ key: CustomerKey?) {
        withFieldLines { encryption.appendFieldLines(to: &$0, key: key) }
    }
}
