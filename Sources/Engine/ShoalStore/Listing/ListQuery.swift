import ShoalS3

/// Which part of a bucket's keys a page shows.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
package struct ListQuery: Sendable {
    /// Empty for every key.
    package let prefix: [UInt8]
    /// Keys that share what stands before the first delimiter behind the prefix become one roll-up. Empty for none.
    package let delimiter: [UInt8]
    /// Entries up to and including this one are left out; a key, a roll-up, or anything between. Inside a roll-up it
    /// leaves out the whole roll-up, as S3 does.
    package let startAfter: [UInt8]
    /// Entries at most, objects and roll-ups together; 0 gives an empty page that is not truncated.
    package let limit: Int

    package init(prefix: [UInt8] = [], delimiter: [UInt8] = [], startAfter: [UInt8] = [], limit: Int = 1_000) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.startAfter = startAfter
        self.limit = limit
    }
}

/// Entries in the order of their bytes, roll-ups among the objects.
package struct ListPage: Sendable {
    package enum Entry: Sendable, Hashable {
        case object(ObjectRecord)
        /// The common prefix, delimiter included.
        case rollUp([UInt8])

        /// What the entry is sorted by.
        package var bytes: [UInt8] {
            switch self {
            case .object(let object): object.key.bytes
            case .rollUp(let prefix): prefix
            }
        }
    }

    package let entries: [Entry]
    /// There is at least one entry behind the last.
    package let isTruncated: Bool

    /// `startAfter` of the next page.
    package var last: [UInt8]? { entries.last?.bytes }
}
