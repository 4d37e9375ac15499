import ShoalS3

/// What a listing of versions asks for; keys are compared byte by byte, versions of one key come latest first.
package struct VersionQuery: Sendable {
    package let prefix: [UInt8]
    /// Empty for none.
    package let delimiter: [UInt8]
    /// Keys up to and including this one are left out; inside a roll-up it leaves out the whole roll-up.
    package let afterKey: [UInt8]
    /// Of `afterKey` itself, what is older than this version is not left out.
    package let afterVersion: ObjectVersion?
    /// Entries at most, versions and roll-ups together.
    package let limit: Int

    package init(
        prefix: [UInt8] = [], delimiter: [UInt8] = [], afterKey: [UInt8] = [], afterVersion: ObjectVersion? = nil,
        limit: Int = 1_000
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.afterKey = afterKey
        self.afterVersion = afterVersion
        self.limit = limit
    }
}

package struct VersionPage: Sendable {
    package enum Entry: Sendable, Hashable {
        case version(ObjectRecord, isLatest: Bool)
        /// The common prefix, delimiter included.
        case rollUp([UInt8])
    }

    package let entries: [Entry]
    /// There is at least one entry behind the last.
    package let isTruncated: Bool
}
