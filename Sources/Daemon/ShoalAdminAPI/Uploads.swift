import ShoalJSON

/// An upload in parts that was begun and not ended: one of `GET …/scopes/{s}/uploads`.
package struct UploadView: AdminMessage, Equatable {
    package let bucket: String
    package let key: String
    package let uploadId: String
    /// ISO 8601 in UTC with milliseconds.
    package let initiated: String
    /// Parts that the store has.
    package let parts: Int
    /// Bytes of these parts.
    package let size: UInt64

    package init(bucket: String, key: String, uploadId: String, initiated: String, parts: Int, size: UInt64) {
        self.bucket = bucket
        self.key = key
        self.uploadId = uploadId
        self.initiated = initiated
        self.parts = parts
        self.size = size
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        bucket = try reader.required("bucket").string()
        key = try reader.required("key").string()
        uploadId = try reader.required("uploadId").string()
        initiated = try reader.required("initiated").string()
        parts = try reader.required("parts").integer()
        size = try reader.required("size").integer()
    }

    package var json: JSON {
        .members([
            ("bucket", .string(bucket)), ("key", .string(key)), ("uploadId", .string(uploadId)),
            ("initiated", .string(initiated)), ("parts", .count(UInt64(parts))), ("size", .count(size)),
        ])
    }
}

/// The uploads of all buckets, at most as many as were asked for.
package struct UploadList: AdminMessage, Equatable {
    package let uploads: [UploadView]
    /// There are more.
    package let isTruncated: Bool

    package init(uploads: [UploadView], isTruncated: Bool) {
        self.uploads = uploads
        self.isTruncated = isTruncated
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        uploads = try reader.required("uploads").list()
        isTruncated = try reader.required("isTruncated").bool()
    }

    package var json: JSON { .members([("uploads", .list(uploads)), ("isTruncated", .bool(isTruncated))]) }
}
