/// What GetObjectAttributes is asked for.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html
package struct ObjectAttributeSelection: Sendable {
    package enum Attribute: String, CaseIterable, Sendable {
        case etag = "ETag"
        case checksum = "Checksum"
        case objectParts = "ObjectParts"
        case storageClass = "StorageClass"
        case objectSize = "ObjectSize"
    }

    /// Parts that one page has at most, whatever is asked for.
    package static let partCountMax = 1_000

    package let attributes: Set<Attribute>
    private let maxParts: Int
    /// Parts are listed whose numbers are above this one; 0 for the beginning.
    package let partNumberMarker: Int

    /// Reads `x-amz-object-attributes`, a list with commas in one line or several, `x-amz-max-parts` and
    /// `x-amz-part-number-marker`.
    ///
    /// Throws 400: `InvalidRequest` if the list is missing or empty, `InvalidArgument` for a name that is none and for
    /// numbers that are none or negative.
    package init(_ fields: RequestFields) throws(S3Error) {
        attributes = try Self.attributes(fields.all("x-amz-object-attributes"))
        maxParts = try Int(fields.first("x-amz-max-parts"), named: "x-amz-max-parts") ?? Self.partCountMax
        partNumberMarker =
            try Int(fields.first("x-amz-part-number-marker"), named: "x-amz-part-number-marker") ?? 0
        try maxParts.checkNotNegative(named: "x-amz-max-parts")
        try partNumberMarker.checkNotNegative(named: "x-amz-part-number-marker")
    }

    /// Parts a page may have.
    package var pageSize: Int { min(max(maxParts, 0), Self.partCountMax) }

    private static func attributes(_ lines: [ArraySlice<UInt8>]) throws(S3Error) -> Set<Attribute> {
        var items = lines.flatMap { line in
            line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(\.trimmed)
        }
        while let last = items.last, last.isEmpty { items.removeLast() }
        guard !items.isEmpty else {
            throw S3Error(
                .invalidRequest,
                "The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or empty"
            )
        }
        var attributes: Set<Attribute> = []
        for item in items {
            guard let known = Attribute(rawValue: item.text) else {
                throw .invalidArgument(
                    "Invalid attribute name specified.", name: "x-amz-object-attributes", value: item.text)
            }
            attributes.insert(known)
        }
        return attributes
    }
}
