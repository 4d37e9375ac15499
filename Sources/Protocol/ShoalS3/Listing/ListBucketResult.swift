/// One page of a listing: objects and roll-ups, each in the byte order of their names.
package struct ObjectListing: Sendable {
    package struct Object: Sendable {
        package let key: ObjectKey
        package let lastModified: Timestamp
        package let etag: ETag
        /// Bytes.
        package let size: UInt64
        package let storageClass: StorageClass
        package let checksumAlgorithm: ChecksumAlgorithm?
        package let checksumKind: Checksum.Kind?

        package init(
            key: ObjectKey, lastModified: Timestamp, etag: ETag, size: UInt64, storageClass: StorageClass = .standard,
            checksumAlgorithm: ChecksumAlgorithm? = nil, checksumKind: Checksum.Kind? = nil
        ) {
            self.key = key
            self.lastModified = lastModified
            self.etag = etag
            self.size = size
            self.storageClass = storageClass
            self.checksumAlgorithm = checksumAlgorithm
            self.checksumKind = checksumKind
        }
    }

    package let objects: [Object]
    package let commonPrefixes: [[UInt8]]
    /// Whether an entry follows behind this page.
    package let isTruncated: Bool

    package init(objects: [Object], commonPrefixes: [[UInt8]] = [], isTruncated: Bool = false) {
        self.objects = objects
        self.commonPrefixes = commonPrefixes
        self.isTruncated = isTruncated
    }

    /// The key or roll-up that comes last in the sequence they share; nil for an empty page.
    package var lastEntry: [UInt8]? {
        guard let key = objects.last?.key.bytes else { return commonPrefixes.last }
        guard let prefix = commonPrefixes.last else { return key }
        return key.lexicographicallyPrecedes(prefix) ? prefix : key
    }
}

extension ListObjectsParameters {
    /// The `ListBucketResult` of either version.
    ///
    /// `owner` is that of every object, and written if the request wants it.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html#API_ListObjectsV2_ResponseSyntax
    package func document(_ listing: ObjectListing, bucket: BucketName, owner: Owner) -> [UInt8] {
        var document = XMLWriter(capacity: 1_024 + listing.objects.count * 420 + listing.commonPrefixes.count * 128)
        document.openRoot("ListBucketResult")
        document.element("Name", bucket.text)
        document.element("Prefix", prefix, encodesURL: encodesURL)
        position(listing, to: &document)
        document.element("MaxKeys", maxKeys)
        if let delimiter { document.element("Delimiter", delimiter, encodesURL: encodesURL) }
        if let encodingType { document.element("EncodingType", encodingType) }
        document.element("IsTruncated", listing.isTruncated)
        let ownerElement = fetchesOwner ? owner.rendered : []
        for object in listing.objects { contents(object, ownerElement, to: &document) }
        for prefix in listing.commonPrefixes { document.commonPrefix(prefix, encodesURL: encodesURL) }
        document.close("ListBucketResult")
        return document.bytes
    }

    /// The elements that tell where the page begins and where the next one does.
    private func position(_ listing: ObjectListing, to document: inout XMLWriter) {
        let next = listing.isTruncated ? listing.lastEntry : nil
        switch version {
        case .v1:
            document.element("Marker", marker, encodesURL: encodesURL)
            // Without a delimiter S3 leaves it to the client to take the last key.
            if let next, delimiter != nil { document.element("NextMarker", next, encodesURL: encodesURL) }
        case .v2:
            if let startAfter, continuationToken == nil {
                document.element("StartAfter", startAfter, encodesURL: encodesURL)
            }
            if let continuationToken { document.element("ContinuationToken", continuationToken) }
            if let next { document.element("NextContinuationToken", ContinuationToken.encode(next)) }
            document.element("KeyCount", listing.objects.count + listing.commonPrefixes.count)
        }
    }

    private func contents(_ object: ObjectListing.Object, _ owner: [UInt8], to document: inout XMLWriter) {
        document.markup("<Contents><Key>")
        document.text(object.key.bytes, encodesURL: encodesURL)
        document.markup("</Key>")
        document.facts(of: object, owner: owner)
        document.markup("</Contents>")
    }
}

extension XMLWriter {
    /// What follows the name of an object in a listing; `owner` is an element that is written already, or empty.
    mutating func facts(of object: ObjectListing.Object, owner: [UInt8]) {
        markup("<LastModified>")
        plain { object.lastModified.wholeSecond.appendISO8601(to: &$0) }
        markup("</LastModified><ETag>&quot;")
        plain(object.etag.text)
        markup("&quot;</ETag>")
        if let algorithm = object.checksumAlgorithm, let kind = object.checksumKind {
            markup("<ChecksumAlgorithm>")
            plain(algorithm.rawValue)
            markup("</ChecksumAlgorithm><ChecksumType>")
            plain(kind.rawValue)
            markup("</ChecksumType>")
        }
        markup("<Size>")
        number(Int(object.size))
        markup("</Size>")
        if !owner.isEmpty { plain { $0 += owner } }
        markup("<StorageClass>")
        plain(object.storageClass.rawValue)
        markup("</StorageClass>")
    }
}

extension Owner {
    /// The element once for all objects of a page.
    var rendered: [UInt8] {
        var fragment = XMLWriter()
        let start = fragment.bytes.count
        fragment.owner(self)
        return Array(fragment.bytes[start...])
    }
}
