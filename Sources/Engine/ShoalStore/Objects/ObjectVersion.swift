/// Whether a bucket keeps what is replaced and deleted.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html
package enum Versioning: UInt8, Hashable, Sendable {
    /// One object a key; a bucket that left this state never returns to it.
    case never
    /// Every write adds a version.
    case enabled
    /// Writes replace the version called `null`; what was numbered stays.
    case suspended
}

/// Which one of the versions of a key.
package enum ObjectVersion: Hashable, Sendable {
    /// The one that was written while the bucket kept no versions.
    case null
    /// The place in the store's history at which it was written.
    case number(UInt64)
}
