/// What ListParts is asked for.
///
/// Making one throws what S3 answers before it reads a credential; `check()` throws the rest.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
package struct ListPartsParameters: Sendable {
    /// Parts that one page has at most, whatever is asked for.
    package static let partCountMax = 1_000

    private let maxParts: Int
    /// Parts are listed whose numbers are above this one; 0 for the beginning.
    package let marker: Int

    /// Throws 400 `InvalidArgument` for values that are no integers.
    package init(_ query: QueryParameters) throws(S3Error) {
        maxParts = try query.integer("max-parts") ?? Self.partCountMax
        marker = try query.integer("part-number-marker") ?? 0
    }

    /// Parts a page may have.
    package var pageSize: Int { Swift.min(Swift.max(maxParts, 0), Self.partCountMax) }

    /// To be called once the upload was found. Throws 400 `InvalidArgument` for negative values.
    package func check() throws(S3Error) {
        try maxParts.checkNotNegative(named: "max-parts")
        try marker.checkNotNegative(named: "part-number-marker")
    }

    /// The `ListPartsResult` of one page, in order of numbers; `isTruncated` if more follow.
    ///
    /// Parts show their checksums if the upload was begun with an algorithm.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html#API_ListParts_ResponseSyntax
    package func document(
        parts: [UploadedPart], isTruncated: Bool, bucket: BucketName, key: ObjectKey, uploadID: String, owner: Owner,
        initiator: Owner, storageClass: StorageClass, upload: MultipartChecksum?
    ) -> [UInt8] {
        var document = XMLWriter(capacity: 1_024 + parts.count * 260)
        document.openRoot("ListPartsResult")
        document.element("Bucket", bucket.text)
        document.element("Key", key.bytes)
        document.element("UploadId", uploadID)
        document.initiator(initiator)
        document.owner(owner)
        document.element("StorageClass", storageClass.rawValue)
        document.element("PartNumberMarker", marker)
        // Present on the last page too.
        document.element("NextPartNumberMarker", parts.last?.number.value ?? 0)
        document.element("MaxParts", pageSize)
        document.element("IsTruncated", isTruncated)
        if let upload { document.checksumKind(of: upload) }
        for part in parts { write(part, showsChecksum: upload != nil, to: &document) }
        document.close("ListPartsResult")
        return document.bytes
    }

    private func write(_ part: UploadedPart, showsChecksum: Bool, to document: inout XMLWriter) {
        document.open("Part")
        document.element("PartNumber", part.number.value)
        document.element("LastModified", part.lastModified)
        document.element("ETag", part.etag)
        document.element("Size", Int(clamping: part.size))
        if showsChecksum, let checksum = part.checksum { document.checksumValue(checksum) }
        document.close("Part")
    }
}

extension XMLWriter {
    /// `<ChecksumAlgorithm>` and `<ChecksumType>` of an upload.
    mutating func checksumKind(of upload: MultipartChecksum) {
        element("ChecksumAlgorithm", upload.algorithm.rawValue)
        element("ChecksumType", upload.kind.rawValue)
    }
}
