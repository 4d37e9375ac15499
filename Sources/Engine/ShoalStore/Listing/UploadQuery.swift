import ShoalS3

/// What a listing of uploads asks for; keys are compared byte by byte, and uploads of one key by age.
package struct UploadQuery: Sendable {
    package let prefix: [UInt8]
    /// Empty for none.
    package let delimiter: [UInt8]
    /// Keys up to and including this one are left out; inside a roll-up it leaves out the whole roll-up.
    package let afterKey: [UInt8]
    /// Of `afterKey` itself, uploads younger than this one are not left out.
    package let afterUpload: UploadNumber?
    /// Entries at most, uploads and roll-ups together.
    package let limit: Int

    package init(
        prefix: [UInt8] = [], delimiter: [UInt8] = [], afterKey: [UInt8] = [], afterUpload: UploadNumber? = nil,
        limit: Int = 1_000
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.afterKey = afterKey
        self.afterUpload = afterUpload
        self.limit = limit
    }
}

package struct UploadPage: Sendable {
    package enum Entry: Sendable, Hashable {
        case upload(UploadRecord)
        /// The common prefix, delimiter included.
        case rollUp([UInt8])
    }

    package let entries: [Entry]
    /// There is at least one entry behind the last.
    package let isTruncated: Bool
}
