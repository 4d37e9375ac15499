import ShoalS3

/// What the store keeps about one bucket.
package struct BucketRecord: Hashable, Sendable {
    package let name: BucketName
    package let created: Timestamp
    package let region: String
    /// Configuration in the encoding of the caller; the store does not look inside.
    package var settings: [UInt8]
    package var versioning: Versioning

    package init(
        name: BucketName, created: Timestamp, region: String, settings: [UInt8] = [], versioning: Versioning = .never
    ) {
        self.name = name
        self.created = created
        self.region = region
        self.settings = settings
        self.versioning = versioning
    }
}

/// A bucket with the numbers the catalogue knows it by.
struct StoredBucket: Sendable {
    /// The scope every bucket belongs to until there are several.
    static let defaultScope: Int64 = 1

    let id: BucketID
    let scope: Int64
    let record: BucketRecord
}
