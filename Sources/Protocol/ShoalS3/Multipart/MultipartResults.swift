/// The answer of CreateMultipartUpload.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html#API_CreateMultipartUpload_ResponseSyntax
package struct InitiateMultipartUploadResult: Sendable {
    package let bucket: BucketName
    package let key: ObjectKey
    package let uploadID: String

    package init(bucket: BucketName, key: ObjectKey, uploadID: String) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("InitiateMultipartUploadResult")
        document.element("Bucket", bucket.text)
        document.element("Key", key.bytes)
        document.element("UploadId", uploadID)
        document.close("InitiateMultipartUploadResult")
        return document.bytes
    }
}

/// The answer of CompleteMultipartUpload.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html#API_CompleteMultipartUpload_ResponseSyntax
package struct CompleteMultipartUploadResult: Sendable {
    /// The URL of the object.
    package let location: String
    package let bucket: BucketName
    package let key: ObjectKey
    package let etag: ETag
    package let checksum: Checksum?

    package init(location: String, bucket: BucketName, key: ObjectKey, etag: ETag, checksum: Checksum?) {
        self.location = location
        self.bucket = bucket
        self.key = key
        self.etag = etag
        self.checksum = checksum
    }

    /// The URL of `key` in a bucket whose own URL ends in no slash. S3 encodes the slashes of the key too.
    package static func location(of key: ObjectKey, in bucketURL: String) -> String {
        var bytes = Array(bucketURL.utf8)
        bytes.append(UInt8(ascii: "/"))
        URLEncoding.appendComponent(key.bytes, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("CompleteMultipartUploadResult")
        document.element("Location", location)
        document.element("Bucket", bucket.text)
        document.element("Key", key.bytes)
        document.element("ETag", etag)
        if let checksum { document.checksum(checksum) }
        document.close("CompleteMultipartUploadResult")
        return document.bytes
    }
}

/// The answer of UploadPartCopy.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html#API_UploadPartCopy_ResponseSyntax
package struct CopyPartResult: Sendable {
    package let lastModified: Timestamp
    package let etag: ETag
    /// Nil for an upload that was begun without an algorithm.
    package let checksum: Checksum?

    package init(lastModified: Timestamp, etag: ETag, checksum: Checksum?) {
        self.lastModified = lastModified
        self.etag = etag
        self.checksum = checksum
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("CopyPartResult")
        document.element("LastModified", lastModified)
        document.element("ETag", etag)
        if let checksum { document.checksumValue(checksum) }
        document.close("CopyPartResult")
        return document.bytes
    }
}
