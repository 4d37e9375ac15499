/// A copy of an object onto itself has to change something.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
package enum SelfCopyRule {
    /// `isSameObject`: source and target are one bucket and key, and the source names no version.
    /// `bucketNamesEncryption`: somebody put an encryption configuration on the bucket. `stored` is the algorithm of the
    /// source's checksum.
    ///
    /// Replaced metadata, a storage class, a redirect location, an encryption or another checksum algorithm are changes,
    /// all but the last also if they are what they were; an access control list is none. Throws 400 `InvalidRequest`.
    package static func check(
        _ fields: RequestFields, isSameObject: Bool, metadata: CopyDirective, bucketNamesEncryption: Bool = false,
        stored: ChecksumAlgorithm?
    ) throws(S3Error) {
        guard isSameObject, metadata == .copy, !bucketNamesEncryption, !changesSomething(fields) else { return }
        if let wanted = try ChecksumAlgorithm.named(in: fields), wanted != stored { return }
        throw S3Error(
            .invalidRequest,
            "This copy request is illegal because it is trying to copy an object to itself without changing the object's "
                + "metadata, storage class, website redirect location or encryption attributes.")
    }

    private static func changesSomething(_ fields: RequestFields) -> Bool {
        fields.first("x-amz-storage-class") != nil || fields.first("x-amz-website-redirect-location") != nil
            || fields.first("x-amz-server-side-encryption") != nil
            || fields.first("x-amz-server-side-encryption-customer-algorithm") != nil
    }
}
