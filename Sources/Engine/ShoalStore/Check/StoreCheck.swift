import ShoalS3

/// What an off-line look at a directory found: `shoal fsck`.
package struct StoreCheck: Sendable {
    /// Finding more than this is counted and not listed.
    package static let findingCountMax = 10_000

    package enum Finding: Sendable, Equatable {
        /// An acknowledged object whose bytes are not there, or not all of them.
        case missing(bucket: String, key: String, path: String)
        /// The bytes do not have the MD5 that the tag promises. Found only when contents are verified.
        case altered(bucket: String, key: String, path: String)
        /// A file that nothing names; the next start removes it.
        case unknown(path: String)
    }

    package private(set) var objectCount = 0
    /// Bytes of bodies that objects name.
    package private(set) var byteCount: UInt64 = 0
    package private(set) var missingCount = 0
    package private(set) var alteredCount = 0
    package private(set) var unknownCount = 0
    package private(set) var findings: [Finding] = []

    /// Nothing acknowledged is lost and nothing stored is unknown.
    package var isClean: Bool { missingCount == 0 && alteredCount == 0 && unknownCount == 0 }

    /// Checks the store in `directory`, which no daemon may be using. Changes nothing but `LOCK` and SQLite's own files.
    /// `verifyContent` reads every body whose tag is an MD5. Throws `locked`, and `unusable` if there is no store.
    package init(
        directory: String, verifyContent: Bool = false, disk: any Disk = SystemDisk()
    ) throws(StoreError) {
        let directories = StoreDirectories(root: directory)
        guard disk.exists(directories.database) else {
            throw .unusable(path: directory, reason: "there is no shoal.sqlite in it")
        }
        let lock = try DirectoryLock(in: directory, on: disk)
        let walk = StoreWalk(directories, disk, verifyContent: verifyContent)
        try walk.run { (finding, object) in note(finding, object) }
        withExtendedLifetime(lock) {}
    }

    private mutating func note(_ finding: Finding?, _ object: StoredObject?) {
        if let object {
            objectCount += 1
            byteCount += object.record.size
        }
        guard let finding else { return }
        switch finding {
        case .missing: missingCount += 1
        case .altered: alteredCount += 1
        case .unknown: unknownCount += 1
        }
        if findings.count < Self.findingCountMax { findings.append(finding) }
    }
}
