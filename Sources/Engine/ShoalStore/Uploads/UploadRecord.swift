import ShoalS3

/// What the store knows a multipart upload by: the place in its history at which the upload began, so that numbers are
/// never given twice and sort by age.
package struct UploadNumber: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) { self.value = value }

    package static func < (left: UploadNumber, right: UploadNumber) -> Bool { left.value < right.value }
}

/// A multipart upload that was begun and neither completed nor aborted.
package struct UploadRecord: Hashable, Sendable {
    package let number: UploadNumber
    package let key: ObjectKey
    package let initiated: Timestamp
    /// What the object is to have, in the encoding of the caller; the store does not look inside.
    package let attributes: [UInt8]

    package init(number: UploadNumber, key: ObjectKey, initiated: Timestamp, attributes: [UInt8]) {
        self.number = number
        self.key = key
        self.initiated = initiated
        self.attributes = attributes
    }
}

/// What the store keeps about one part besides its bytes, before the upload is completed and after.
package struct PartRecord: Hashable, Sendable {
    /// 1 to 10,000.
    package let number: Int
    package let etag: ETag
    /// Bytes of the body.
    package let size: UInt64
    package let lastModified: Timestamp
    package let checksum: Checksum?

    package init(number: Int, etag: ETag, size: UInt64, lastModified: Timestamp, checksum: Checksum?) {
        self.number = number
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.checksum = checksum
    }

    /// The same of another number of bytes.
    package func sized(_ size: UInt64) -> PartRecord {
        PartRecord(number: number, etag: etag, size: size, lastModified: lastModified, checksum: checksum)
    }
}

/// An upload that became an object: enough to answer the same request again.
package struct CompletedUpload: Hashable, Sendable {
    package let upload: UploadRecord
    /// What the caller gave when it completed the upload.
    package let result: [UInt8]
}

/// An upload as registry and catalogue hold it.
struct StoredUpload: Sendable {
    let record: UploadRecord
    let bucket: BucketID
}

/// A part as the catalogue holds it.
struct StoredPart: Sendable {
    let record: PartRecord
    let location: BodyLocation
}

/// The end of an upload that became an object.
struct Completion: Sendable {
    let upload: UploadNumber
    /// The parts the object is made of, ascending; what else was uploaded goes.
    let parts: [Int]
    let result: [UInt8]
}
