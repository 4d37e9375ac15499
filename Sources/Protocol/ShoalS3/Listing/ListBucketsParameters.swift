/// What ListBuckets is asked for.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html
package struct ListBucketsParameters: Sendable {
    package static let bucketCountMax = 10_000

    package let prefix: [UInt8]?
    /// Nil for buckets of all regions.
    package let region: Region?
    /// Buckets a page may have.
    package let pageSize: Int
    /// Buckets are listed whose names come after these bytes; empty for the beginning.
    package let startAfter: [UInt8]
    /// S3 names each bucket's region only to those who send a parameter.
    let namesRegions: Bool

    /// `server` is the region this server is pinned to, nil if it serves all. Throws 400 `InvalidArgument`.
    package init(_ query: QueryParameters, server: Region?) throws(S3Error) {
        let count = try query.integer("max-buckets")
        if let count, !(1...Self.bucketCountMax).contains(count) {
            throw .invalidArgument(
                "Argument max-buckets must be an integer between 1 and 10000", name: "max-buckets", value: "\(count)")
        }
        pageSize = count ?? Self.bucketCountMax
        region = try query.first("bucket-region").map { value throws(S3Error) in
            try Self.region(value, server: server)
        }
        prefix = query.first("prefix").map(Array.init)
        startAfter =
            try query.first("continuation-token").map { token throws(S3Error) in
                guard !token.isEmpty else { return [] }
                guard let entry = ContinuationToken.decode(token) else { throw S3Error.incorrectContinuationToken }
                return entry
            } ?? []
        namesRegions =
            query.has("max-buckets") || query.has("prefix") || query.has("bucket-region")
            || query.has("continuation-token")
    }

    private static func region(_ value: ArraySlice<UInt8>, server: Region?) throws(S3Error) -> Region {
        if let server, value.elementsEqual(server.name.utf8) { return server }
        guard let region = Region(value.text) else {
            throw .invalidArgument(
                "Argument value \(value.text) is not a valid AWS Region", name: "bucket-region", value: nil)
        }
        guard server != nil else { return region }
        throw .invalidArgument(
            "Requests with bucket-region specified must be made to the corresponding regional endpoint",
            name: "bucket-region", value: nil)
    }
}

/// One bucket in a list of them.
package struct ListedBucket: Sendable {
    package let name: BucketName
    package let created: Timestamp
    package let region: Region

    package init(name: BucketName, created: Timestamp, region: Region) {
        self.name = name
        self.created = created
        self.region = region
    }
}

extension ListBucketsParameters {
    /// The `ListAllMyBucketsResult` of one page, in order of names; `isTruncated` if more follow.
    package func document(_ buckets: [ListedBucket], owner: Owner, isTruncated: Bool = false) -> [UInt8] {
        var document = XMLWriter(capacity: 512 + buckets.count * 240)
        document.openRoot("ListAllMyBucketsResult")
        document.owner(owner)
        if buckets.isEmpty {
            document.empty("Buckets")
        } else {
            document.open("Buckets")
            for bucket in buckets { write(bucket, to: &document) }
            document.close("Buckets")
        }
        if let prefix { document.element("Prefix", prefix) }
        if isTruncated, let last = buckets.last {
            document.element("ContinuationToken", ContinuationToken.encode(Array(last.name.text.utf8)))
        }
        document.close("ListAllMyBucketsResult")
        return document.bytes
    }

    private func write(_ bucket: ListedBucket, to document: inout XMLWriter) {
        document.open("Bucket")
        document.element("Name", bucket.name.text)
        document.element("CreationDate", bucket.created)
        if namesRegions { document.element("BucketRegion", bucket.region.signingName) }
        document.element("BucketArn", "arn:aws:s3:::" + bucket.name.text)
        document.close("Bucket")
    }
}
