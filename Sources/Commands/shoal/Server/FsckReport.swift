import ShoalStore

/// What an off-line check of a data directory found: all counts but the first two are 0 after any crash.
struct FsckReport: Equatable {
    /// One thing that is wrong: its kind, and the object or file.
    struct Item: Equatable {
        let kind: String
        let name: String
    }

    var objectCount = 0
    var byteCount: UInt64 = 0
    /// Acknowledged to a client, and no longer readable whole.
    var missingCount = 0
    /// Bytes that no longer have the MD5 of their tag; only looked for when asked.
    var alteredCount = 0
    /// On the disk, and named by nothing.
    var unknownCount = 0
    /// The store lists a bounded number of them.
    var items: [Item] = []

    var isClean: Bool { missingCount == 0 && alteredCount == 0 && unknownCount == 0 }
}

extension FsckReport {
    init(_ check: StoreCheck) {
        self.init(
            objectCount: check.objectCount, byteCount: check.byteCount, missingCount: check.missingCount,
            alteredCount: check.alteredCount, unknownCount: check.unknownCount, items: check.findings.map(Self.item))
    }

    static func item(_ finding: StoreCheck.Finding) -> Item {
        switch finding {
        case .missing(let bucket, let key, let path): Item(kind: "missing", name: "\(bucket)/\(key) (\(path))")
        case .altered(let bucket, let key, let path): Item(kind: "altered", name: "\(bucket)/\(key) (\(path))")
        case .unknown(let path): Item(kind: "unknown", name: path)
        }
    }
}
