import ShoalS3
import Synchronization

/// What the store keeps about one bucket.
package struct BucketRecord: Sendable {
    package let name: BucketName
    package let created: Timestamp
    package let region: String
    /// Configuration in the encoding of the caller; the store does not look inside.
    package var settings: [UInt8] {
        didSet { reading = SettingsReading() }
    }
    package var versioning: Versioning
    /// What the caller made of the settings; new with each change of them.
    package private(set) var reading = SettingsReading()

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

extension BucketRecord: Equatable {
    package static func == (left: BucketRecord, right: BucketRecord) -> Bool {
        left.name == right.name && left.created == right.created && left.region == right.region
            && left.settings == right.settings && left.versioning == right.versioning
    }
}

/// A place for what settings were found to say, so that they are read once and not at every request.
package final class SettingsReading: Sendable {
    private let result = Mutex<(any AnyObject & Sendable)?>(nil)

    /// What `read` gave at the first call.
    package func get(_ read: () -> any AnyObject & Sendable) -> any AnyObject & Sendable {
        result.withLock { result in
            if let result { return result }
            let new = read()
            result = new
            return new
        }
    }
}

/// One of the worlds whose buckets a store keeps apart: the same name is another bucket in each. Part of the format on disk.
package struct ScopeNumber: Hashable, Sendable {
    package let value: Int64

    package init(_ value: Int64) { self.value = value }

    /// The one that is always there.
    package static let main = ScopeNumber(1)
}

/// A bucket with the numbers the catalogue knows it by.
struct StoredBucket: Sendable {
    let id: BucketID
    let scope: ScopeNumber
    let record: BucketRecord
}
