/// One page of the versions of objects: by key, the newest version of a key first.
package struct VersionListing: Sendable {
    package struct Version: Sendable {
        package let key: ObjectKey
        package let etag: ETag
        package let facts: ObjectFacts

        package init(key: ObjectKey, etag: ETag, facts: ObjectFacts) {
            self.key = key
            self.etag = etag
            self.facts = facts
        }
    }

    package enum Entry: Sendable {
        case version(Version, versionID: String, isLatest: Bool)
        case deleteMarker(ObjectKey, versionID: String, isLatest: Bool, lastModified: Timestamp)

        package var key: ObjectKey {
            switch self {
            case .version(let version, _, _): version.key
            case .deleteMarker(let key, _, _, _): key
            }
        }

        package var versionID: String {
            switch self {
            case .version(_, let versionID, _), .deleteMarker(_, let versionID, _, _): versionID
            }
        }
    }

    package let entries: [Entry]
    package let commonPrefixes: [[UInt8]]
    /// Whether an entry follows behind this page.
    package let isTruncated: Bool

    package init(entries: [Entry], commonPrefixes: [[UInt8]] = [], isTruncated: Bool = false) {
        self.entries = entries
        self.commonPrefixes = commonPrefixes
        self.isTruncated = isTruncated
    }

    /// What comes last in the sequence that entries and roll-ups share; a roll-up has no version.
    package var lastEntry: (name: [UInt8], versionID: String?)? {
        guard let entry = entries.last else { return commonPrefixes.last.map { ($0, nil) } }
        if let prefix = commonPrefixes.last, entry.key.bytes.lexicographicallyPrecedes(prefix) { return (prefix, nil) }
        return (entry.key.bytes, entry.versionID)
    }
}

extension ListObjectVersionsParameters {
    /// The `ListVersionsResult`; `owner` is that of every version.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html#API_ListObjectVersions_ResponseSyntax
    package func document(_ listing: VersionListing, bucket: BucketName, owner: Owner) -> [UInt8] {
        var document = XMLWriter(capacity: 1_024 + listing.entries.count * 520 + listing.commonPrefixes.count * 128)
        document.openRoot("ListVersionsResult")
        document.element("Name", bucket.text)
        document.element("Prefix", prefix, encodesURL: encodesURL)
        document.element("KeyMarker", keyMarker, encodesURL: encodesURL)
        document.element("VersionIdMarker", versionIDMarker ?? [])
        if listing.isTruncated, let last = listing.lastEntry {
            document.element("NextKeyMarker", last.name, encodesURL: encodesURL)
            if let versionID = last.versionID { document.element("NextVersionIdMarker", versionID) }
        }
        document.element("MaxKeys", maxKeys)
        if let delimiterText { document.element("Delimiter", delimiterText, encodesURL: encodesURL) }
        if let encodingType { document.element("EncodingType", encodingType) }
        document.element("IsTruncated", listing.isTruncated)
        let ownerElement = owner.rendered
        for entry in listing.entries { write(entry, ownerElement, to: &document) }
        for prefix in listing.commonPrefixes {
            document.open("CommonPrefixes")
            document.element("Prefix", prefix, encodesURL: encodesURL)
            document.close("CommonPrefixes")
        }
        document.close("ListVersionsResult")
        return document.bytes
    }

    private func write(_ entry: VersionListing.Entry, _ owner: [UInt8], to document: inout XMLWriter) {
        switch entry {
        case .version(let version, let versionID, let isLatest):
            document.open("Version")
            position(version.key, versionID, isLatest, to: &document)
            document.facts(version.facts, owner: owner) { $0 += version.etag.text.utf8 }
            document.close("Version")
        case .deleteMarker(let key, let versionID, let isLatest, let lastModified):
            document.open("DeleteMarker")
            position(key, versionID, isLatest, to: &document)
            document.element("LastModified", lastModified)
            document.plain { $0 += owner }
            document.close("DeleteMarker")
        }
    }

    private func position(_ key: ObjectKey, _ versionID: String, _ isLatest: Bool, to document: inout XMLWriter) {
        document.element("Key", key.bytes, encodesURL: encodesURL)
        document.element("VersionId", versionID)
        document.element("IsLatest", isLatest)
    }
}
