/// What an off-line check of a data directory found; two empty lists after any crash.
struct FsckReport: Equatable {
    let objectCount: Int
    /// Acknowledged to a client, and no longer readable whole.
    let missing: [String]
    /// On the disk, and known to nobody.
    let unknown: [String]
    /// Bytes that no longer have the ETag they were stored with; only looked for when asked.
    let damaged: [String]

    var isClean: Bool { missing.isEmpty && unknown.isEmpty && damaged.isEmpty }
}

/// Where `shoal fsck` meets the store.
enum FsckAdapter {
    /// Throws if the directory is in use, or no data directory.
    static func check(_ directory: String, content: Bool) throws -> FsckReport {
        throw UsageError("this build has no store to check \(directory) with")
    }
}
