import ShoalFaults
import ShoalJSON

/// What the store really holds, whatever faults pretend: one object of `GET …/scopes/{s}/objects`.
package struct ObjectView: AdminMessage, Equatable {
    package let bucket: String
    package let key: String
    package let size: UInt64
    /// Without quotes.
    package let etag: String
    /// ISO 8601 in UTC with milliseconds.
    package let lastModified: String
    package let contentType: String?
    /// In hexadecimal; only where `?digest=sha256` asked for it.
    package let sha256: String?

    package init(
        bucket: String, key: String, size: UInt64, etag: String, lastModified: String, contentType: String?,
        sha256: String? = nil
    ) {
        self.bucket = bucket
        self.key = key
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.contentType = contentType
        self.sha256 = sha256
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        bucket = try reader.required("bucket").string()
        key = try reader.required("key").string()
        size = try reader.required("size").integer()
        etag = try reader.required("etag").string()
        lastModified = try reader.required("lastModified").string()
        contentType = try reader.member("contentType")?.string()
        sha256 = try reader.member("sha256")?.string()
    }

    package var json: JSON {
        .members([
            ("bucket", .string(bucket)), ("key", .string(key)), ("size", .count(size)), ("etag", .string(etag)),
            ("lastModified", .string(lastModified)), ("contentType", .text(contentType)),
            ("sha256", .text(sha256)),
        ])
    }
}

package struct ObjectPage: AdminMessage, Equatable {
    package let objects: [ObjectView]
    /// Pass it as `after` to go on; nil on the last page.
    package let next: String?

    package init(objects: [ObjectView], next: String?) {
        self.objects = objects
        self.next = next
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        objects = try reader.required("objects").list()
        next = try reader.member("next")?.string()
    }

    package var json: JSON { .members([("objects", .list(objects)), ("next", .text(next))]) }
}
