/// What ListObjectVersions is asked for.
///
/// Making one throws what S3 answers before it reads a credential; `start()` throws what follows the bucket.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
package struct ListObjectVersionsParameters: Sendable {
    /// Entries that one page has at most, whatever is asked for.
    package static let entryCountMax = 1_000

    package let prefix: [UInt8]
    /// As asked for, beyond 1,000 too, because `MaxKeys` echoes it.
    package let maxKeys: Int
    /// As sent, empty too; nil if absent.
    let delimiterText: [UInt8]?
    let encodingType: [UInt8]?
    let keyMarker: [UInt8]
    let versionIDMarker: [UInt8]?

    /// Throws 400 `InvalidArgument` for a `max-keys` that is no integer and for a version id marker that is empty or
    /// without a key marker.
    package init(_ query: QueryParameters) throws(S3Error) {
        maxKeys = try query.integer("max-keys") ?? Self.entryCountMax
        prefix = query.first("prefix").map(Array.init) ?? []
        delimiterText = query.first("delimiter").map(Array.init)
        encodingType = query.first("encoding-type").map(Array.init)
        keyMarker = query.first("key-marker").map(Array.init) ?? []
        versionIDMarker = query.first("version-id-marker").map(Array.init)
        guard let versionIDMarker else { return }
        guard query.has("key-marker") else {
            throw Self.invalidMarker("A version-id marker cannot be specified without a key marker.", versionIDMarker)
        }
        guard !versionIDMarker.isEmpty else {
            throw Self.invalidMarker("A version-id marker cannot be empty.", versionIDMarker)
        }
    }

    private static func invalidMarker(_ message: String, _ value: [UInt8]) -> S3Error {
        .invalidArgument(message, name: "version-id-marker", value: value[...].text)
    }

    /// Nil if absent or empty.
    package var delimiter: [UInt8]? { delimiterText.flatMap { $0.isEmpty ? nil : $0 } }

    /// Entries a page may have.
    package var pageSize: Int { min(max(maxKeys, 0), Self.entryCountMax) }

    var encodesURL: Bool { encodingType != nil }

    /// The entry a page comes after.
    package struct Start: Sendable, Equatable {
        /// A key or a roll-up; empty for the beginning. Inside a roll-up, all of the roll-up is behind it.
        package let key: [UInt8]
        /// The version of `key` that the page comes after; nil for all of them.
        package let versionID: String?
    }

    /// Where the page begins. To be called once the bucket was found.
    ///
    /// Throws 400 `InvalidArgument` for a version id of another form, the encoding type and a negative `max-keys`, in
    /// S3's order.
    package func start() throws(S3Error) -> Start {
        if let versionIDMarker, !VersionIDText.isWellFormed(versionIDMarker) {
            throw Self.invalidMarker("Invalid version id specified", versionIDMarker)
        }
        if let encodingType, !encodingType[...].equalsIgnoringCase("url") {
            throw .invalidArgument(
                "Invalid Encoding Method specified in Request", name: "encoding-type", value: encodingType[...].text)
        }
        guard maxKeys >= 0 else {
            throw .invalidArgument("max-keys cannot be negative", name: "max-keys", value: nil)
        }
        return Start(key: keyMarker, versionID: versionIDMarker.map { $0[...].text })
    }
}
