/// One page of a listing as it is written, entry by entry: the `ListBucketResult` of either version.
///
/// Objects and roll-ups come in the byte order of their names; the document has the objects first.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html#API_ListObjectsV2_ResponseSyntax
package struct ListBucketResult: Sendable {
    private let parameters: ListObjectsParameters
    private let bucket: BucketName
    /// Written already; empty unless the request wants it.
    private let owner: [UInt8]
    private var objects: XMLWriter
    private var commonPrefixes: [[UInt8]] = []
    private var objectCount = 0
    /// The key or roll-up that came last.
    private var lastEntry: [UInt8] = []

    /// `owner` is that of every object.
    package init(_ parameters: ListObjectsParameters, bucket: BucketName, owner: Owner) {
        self.parameters = parameters
        self.bucket = bucket
        self.owner = parameters.fetchesOwner ? owner.rendered : []
        // What a thousand objects with short keys take; a page of roll-ups takes less.
        objects = XMLWriter(fragmentCapacity: 1_024 + parameters.pageSize * (parameters.delimiter == nil ? 420 : 128))
    }

    /// `appendTag` writes the entity tag without quotes.
    package mutating func append(
        key: UnsafeRawBufferPointer, _ facts: ObjectFacts, _ appendTag: (inout [UInt8]) -> Void
    ) {
        objectCount += 1
        remember(key)
        objects.markup("<Contents><Key>")
        objects.text(key, encodesURL: parameters.encodesURL)
        objects.markup("</Key>")
        objects.facts(facts, owner: owner, appendTag)
        objects.markup("</Contents>")
    }

    package mutating func append(commonPrefix: [UInt8]) {
        commonPrefix.withUnsafeBytes { remember($0) }
        commonPrefixes.append(commonPrefix)
    }

    private mutating func remember(_ entry: UnsafeRawBufferPointer) {
        lastEntry.removeAll(keepingCapacity: true)
        lastEntry.append(contentsOf: entry)
    }

    /// The whole document; `isTruncated` if an entry follows behind this page.
    package consuming func document(isTruncated: Bool) -> [UInt8] {
        let head = head(isTruncated)
        for prefix in commonPrefixes { objects.commonPrefix(prefix, encodesURL: parameters.encodesURL) }
        objects.close("ListBucketResult")
        objects.prepend(head)
        return objects.bytes
    }

    /// Everything before the first entry.
    private func head(_ isTruncated: Bool) -> XMLWriter {
        var head = XMLWriter()
        head.openRoot("ListBucketResult")
        head.element("Name", bucket.text)
        head.element("Prefix", parameters.prefix, encodesURL: parameters.encodesURL)
        position(next: isTruncated && objectCount + commonPrefixes.count > 0 ? lastEntry : nil, to: &head)
        head.element("MaxKeys", parameters.maxKeys)
        if let delimiter = parameters.delimiter {
            head.element("Delimiter", delimiter, encodesURL: parameters.encodesURL)
        }
        if let encodingType = parameters.encodingType { head.element("EncodingType", encodingType) }
        head.element("IsTruncated", isTruncated)
        return head
    }

    /// The elements that tell where the page begins and where the next one does.
    private func position(next: [UInt8]?, to head: inout XMLWriter) {
        switch parameters.version {
        case .v1:
            head.element("Marker", parameters.marker, encodesURL: parameters.encodesURL)
            // Without a delimiter S3 leaves it to the client to take the last key.
            if let next, parameters.delimiter != nil {
                head.element("NextMarker", next, encodesURL: parameters.encodesURL)
            }
        case .v2:
            if let startAfter = parameters.startAfter, parameters.continuationToken == nil {
                head.element("StartAfter", startAfter, encodesURL: parameters.encodesURL)
            }
            if let token = parameters.continuationToken { head.element("ContinuationToken", token) }
            if let next { head.element("NextContinuationToken", ContinuationToken.encode(next)) }
            head.element("KeyCount", objectCount + commonPrefixes.count)
        }
    }
}
