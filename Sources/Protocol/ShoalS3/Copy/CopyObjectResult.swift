/// The answer of CopyObject.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_ResponseSyntax
package struct CopyObjectResult: Sendable {
    package let lastModified: Timestamp
    package let etag: ETag
    package let checksum: Checksum?

    package init(lastModified: Timestamp, etag: ETag, checksum: Checksum?) {
        self.lastModified = lastModified
        self.etag = etag
        self.checksum = checksum
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("CopyObjectResult")
        document.element("LastModified", lastModified)
        document.element("ETag", etag)
        if let checksum { document.checksum(checksum) }
        document.close("CopyObjectResult")
        return document.bytes
    }
}
