/// What ListObjects and ListObjectsV2 are asked for.
///
/// Making one throws what S3 answers before it looks for the bucket; `start()` throws the rest.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
package struct ListObjectsParameters: Sendable {
    package enum Version: Sendable { case v1, v2 }

    /// Entries that one page has at most, whatever is asked for.
    package static let entryCountMax = 1_000

    package let version: Version
    package let prefix: [UInt8]
    /// Nil if absent or empty.
    package let delimiter: [UInt8]?
    /// As asked for, beyond 1,000 too, because `MaxKeys` echoes it.
    package let maxKeys: Int
    package let fetchesOwner: Bool
    /// As sent; nil if absent.
    let encodingType: [UInt8]?
    let marker: [UInt8]
    let startAfter: [UInt8]?
    let continuationToken: [UInt8]?

    /// Throws 400 `InvalidArgument` for a `max-keys` that is no integer and for parameters of the other version.
    package init(_ query: QueryParameters, _ version: Version) throws(S3Error) {
        self.version = version
        maxKeys = try query.integer("max-keys") ?? Self.entryCountMax
        try Self.refuseOtherVersion(query, version)
        prefix = query.first("prefix").map(Array.init) ?? []
        delimiter = query.first("delimiter").flatMap { $0.isEmpty ? nil : Array($0) }
        encodingType = query.first("encoding-type").map(Array.init)
        marker = query.first("marker").map(Array.init) ?? []
        startAfter = query.first("start-after").map(Array.init)
        continuationToken = query.first("continuation-token").map(Array.init)
        fetchesOwner = version == .v1 || query.first("fetch-owner")?.equals("true") == true
    }

    /// Entries a page may have.
    package var pageSize: Int { min(max(maxKeys, 0), Self.entryCountMax) }

    var encodesURL: Bool { encodingType != nil }

    /// Where the page begins: entries are listed that come after these bytes, roll-ups compared by their own text, so
    /// that none is listed twice. Empty for the beginning.
    ///
    /// To be called once the bucket was found. Throws 400 `InvalidArgument` for the encoding type, the continuation
    /// token and a negative `max-keys`, in S3's order.
    package func start() throws(S3Error) -> [UInt8] {
        try URLEncoding.check(encodingType)
        let tokenStart = try continuationToken.map { token throws(S3Error) in
            guard let entry = ContinuationToken.decode(token[...]) else { throw S3Error.incorrectContinuationToken }
            return entry
        }
        try maxKeys.checkNotNegative(named: "maxKeys")
        return version == .v1 ? marker : tokenStart ?? startAfter ?? []
    }

    private static func refuseOtherVersion(_ query: QueryParameters, _ version: Version) throws(S3Error) {
        switch version {
        case .v1:
            if query.has("continuation-token") {
                throw .invalidArgument(
                    "continuation-token only supported in REST.GET.BUCKET with list-type=2",
                    name: "continuation-token", value: nil)
            }
            if query.has("start-after") {
                throw .invalidArgument(
                    "startAfter only supported in REST.GET.BUCKET with list-type=2", name: "start-after", value: nil)
            }
        case .v2:
            if query.has("marker") {
                throw .invalidArgument(
                    "Marker unsupported with REST.GET.BUCKET in list-type=2", name: "marker", value: nil)
            }
        }
    }
}
