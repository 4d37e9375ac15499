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
    /// The place in the store's history at which it was written; 0 in a bucket that kept no versions then. Among the
    /// versions of a key, the greater one is the later one.
    package let ordinal: UInt64
    /// Its version is called `null`.
    package let isNull: Bool
    /// It says that there is no object; size and tag mean nothing then.
    package let isDeleteMarker: Bool

    package init(
        key: ObjectKey, etag: ETag, size: UInt64, lastModified: Timestamp, attributes: [UInt8] = [],
        checksum: Checksum? = nil, upload: UploadNumber? = nil, ordinal: UInt64 = 0, isNull: Bool = true,
        isDeleteMarker: Bool = false
    ) {
        self.key = key
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.attributes = attributes
        self.checksum = checksum
        self.upload = upload
        self.ordinal = ordinal
        self.isNull = isNull
        self.isDeleteMarker = isDeleteMarker
    }

    package var version: ObjectVersion { isNull ? .null : .number(ordinal) }

    /// Whether both are the same version, unchanged.
    package func isSame(as other: ObjectRecord) -> Bool {
        ordinal == other.ordinal && lastModified == other.lastModified && etag == other.etag
            && attributes == other.attributes
    }

    /// The mark that a deletion leaves in a bucket with versions.
    static func deleteMarker(_ key: ObjectKey, at time: Timestamp) -> ObjectRecord {
        ObjectRecord(key: key, etag: ETag(unquoted: ""), size: 0, lastModified: time, isDeleteMarker: true)
    }

    /// The record as it is written to a bucket of that kind, as the change number `sequence`.
    func versioned(_ versioning: Versioning, sequence: UInt64) -> ObjectRecord {
        versioning == .never ? self : numbered(sequence, isNull: versioning == .suspended)
    }

    /// The same of another number of bytes.
    package func sized(_ size: UInt64) -> ObjectRecord {
        ObjectRecord(
            key: key, etag: etag, size: size, lastModified: lastModified, attributes: attributes, checksum: checksum,
            upload: upload, ordinal: ordinal, isNull: isNull, isDeleteMarker: isDeleteMarker)
    }

    /// The same as another version.
    package func numbered(_ ordinal: UInt64, isNull: Bool) -> ObjectRecord {
        ObjectRecord(
            key: key, etag: etag, size: size, lastModified: lastModified, attributes: attributes, checksum: checksum,
            upload: upload, ordinal: ordinal, isNull: isNull, isDeleteMarker: isDeleteMarker)
    }

    func with(upload: UploadNumber?, attributes: [UInt8]) -> ObjectRecord {
        ObjectRecord(
            key: key, etag: etag, size: size, lastModified: lastModified, attributes: attributes, checksum: checksum,
            upload: upload, ordinal: ordinal, isNull: isNull, isDeleteMarker: isDeleteMarker)
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
    /// There is this one still, with the attributes it had.
    case ifStill(ObjectRecord)

    /// Nil if the condition holds for `current`.
    package func refusal(for current: ObjectRecord?) -> StoreError? {
        switch (self, current) {
        case (.ifNoneMatchAny, nil): nil
        case (.ifNoneMatchAny, _?): .preconditionFailed
        case (.ifMatchAny, nil), (.ifMatch, nil), (.ifStill, nil): .noSuchObject
        case (.ifMatchAny, _?): nil
        case (.ifMatch(let etag), let current?): current.etag == etag ? nil : .preconditionFailed
        case (.ifStill(let record), let current?): current.isSame(as: record) ? nil : .preconditionFailed
        }
    }
}
