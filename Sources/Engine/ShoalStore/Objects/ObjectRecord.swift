import ShoalS3

/// What the store keeps about one object besides its bytes.
package struct ObjectRecord: Hashable, Sendable {
    package let key: ObjectKey
    package let etag: ETag
    /// Bytes of the body.
    package let size: UInt64
    package let lastModified: Timestamp
    /// Content headers and user metadata in the encoding of the caller; the store does not look inside.
    package let attributes: [UInt8]
    package let checksum: Checksum?
    /// The multipart upload it was put together by; nil for an object that came in one piece.
    package let upload: UploadNumber?

    package init(
        key: ObjectKey, etag: ETag, size: UInt64, lastModified: Timestamp, attributes: [UInt8] = [],
        checksum: Checksum? = nil, upload: UploadNumber? = nil
    ) {
        self.key = key
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.attributes = attributes
        self.checksum = checksum
        self.upload = upload
    }
}

/// What must be true of the current object for a write to happen; judged in commit order, so that of many racing
/// `ifNoneMatchAny` exactly one wins.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
package enum CommitCondition: Hashable, Sendable {
    /// `If-None-Match: *`: there is no object.
    case ifNoneMatchAny
    /// `If-Match: *`: there is one.
    case ifMatchAny
    /// `If-Match`: there is one with this tag.
    case ifMatch(ETag)

    /// Nil if the condition holds for `current`.
    func refusal(for current: ObjectRecord?) -> StoreError? {
        switch (self, current) {
        case (.ifNoneMatchAny, nil): nil
        case (.ifNoneMatchAny, _?): .preconditionFailed
        case (.ifMatchAny, nil), (.ifMatch, nil): .noSuchObject
        case (.ifMatchAny, _?): nil
        case (.ifMatch(let etag), let current?): current.etag == etag ? nil : .preconditionFailed
        }
    }
}
