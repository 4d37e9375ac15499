/// What the store really holds, whatever faults pretend: one object of `GET …/scopes/{s}/objects`.
package struct ObjectView: Codable, Sendable, Equatable {
    package let bucket: String
    package let key: String
    package let size: UInt64
    /// Without quotes.
    package let etag: String
    /// ISO 8601 in UTC with milliseconds.
    package let lastModified: String
    package let contentType: String?

    package init(
        bucket: String, key: String, size: UInt64, etag: String, lastModified: String, contentType: String?
    ) {
        self.bucket = bucket
        self.key = key
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.contentType = contentType
    }
}

package struct ObjectPage: Codable, Sendable, Equatable {
    package let objects: [ObjectView]
    /// Pass it as `after` to go on; nil on the last page.
    package let next: String?

    package init(objects: [ObjectView], next: String?) {
        self.objects = objects
        self.next = next
    }
}
