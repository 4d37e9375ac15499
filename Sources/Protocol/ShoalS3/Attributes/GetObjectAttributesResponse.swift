/// The answer of GetObjectAttributes.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html#API_GetObjectAttributes_ResponseSyntax
package struct GetObjectAttributesResponse: Sendable {
    /// The parts of an object that came in parts.
    package struct Parts: Sendable {
        package let totalCount: Int
        /// Those of one page, ascending.
        package let page: [UploadedPart]
        /// Whether parts follow behind this page.
        package let isTruncated: Bool

        package init(totalCount: Int, page: [UploadedPart], isTruncated: Bool) {
            self.totalCount = totalCount
            self.page = page
            self.isTruncated = isTruncated
        }

        /// The page that `selection` asks for, of all parts in ascending order.
        package init(_ all: [UploadedPart], _ selection: ObjectAttributeSelection) {
            let rest = all.drop { $0.number.value <= selection.partNumberMarker }
            self.init(
                totalCount: all.count, page: Array(rest.prefix(selection.pageSize)),
                isTruncated: selection.pageSize > 0 && rest.count > selection.pageSize)
        }
    }

    package let etag: ETag
    package let checksum: Checksum?
    /// Nil for an object that was uploaded in one piece.
    package let parts: Parts?
    package let storageClass: StorageClass
    /// Bytes.
    package let size: UInt64

    package init(etag: ETag, checksum: Checksum?, parts: Parts?, storageClass: StorageClass, size: UInt64) {
        self.etag = etag
        self.checksum = checksum
        self.parts = parts
        self.storageClass = storageClass
        self.size = size
    }

    /// What `selection` asks for. The tag stands without quotes here, and a composite checksum without its count of
    /// parts.
    package func document(_ selection: ObjectAttributeSelection) -> [UInt8] {
        let wanted = selection.attributes
        var document = XMLWriter(capacity: 512 + (parts?.page.count ?? 0) * 160)
        document.openRoot("GetObjectAttributesResponse")
        if wanted.contains(.etag) { document.element("ETag", etag.text) }
        if wanted.contains(.checksum), let checksum {
            document.open("Checksum")
            document.element(checksum.algorithm.elementName, checksum.textWithoutPartCount)
            document.element("ChecksumType", checksum.kind.rawValue)
            document.close("Checksum")
        }
        if wanted.contains(.objectParts), let parts { write(parts, selection, to: &document) }
        if wanted.contains(.storageClass) { document.element("StorageClass", storageClass.rawValue) }
        if wanted.contains(.objectSize) { document.element("ObjectSize", Int(clamping: size)) }
        document.close("GetObjectAttributesResponse")
        return document.bytes
    }

    /// The parts one by one are told only where each has a checksum of its own.
    private func write(_ parts: Parts, _ selection: ObjectAttributeSelection, to document: inout XMLWriter) {
        document.open("ObjectParts")
        document.element("PartsCount", parts.totalCount)
        if checksum?.kind == .composite {
            document.element("PartNumberMarker", selection.partNumberMarker)
            document.element("NextPartNumberMarker", parts.page.last?.number.value ?? 0)
            document.element("MaxParts", selection.pageSize)
            document.element("IsTruncated", parts.isTruncated)
            for part in parts.page {
                document.open("Part")
                document.element("PartNumber", part.number.value)
                document.element("Size", Int(clamping: part.size))
                if let checksum = part.checksum { document.checksumValue(checksum) }
                document.close("Part")
            }
        }
        document.close("ObjectParts")
    }
}
