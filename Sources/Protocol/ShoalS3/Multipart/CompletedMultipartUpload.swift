import ShoalXML

/// The body of CompleteMultipartUpload: the parts that become the object.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
package struct CompletedMultipartUpload: Sendable {
    package struct Part: Sendable, Equatable {
        package let number: PartNumber
        package let etag: ETag
        /// As sent, in base 64.
        package let checksums: [ChecksumAlgorithm: String]

        package init(number: PartNumber, etag: ETag, checksums: [ChecksumAlgorithm: String] = [:]) {
            self.number = number
            self.etag = etag
            self.checksums = checksums
        }
    }

    /// In the order they were sent; never empty.
    package let parts: [Part]

    /// Throws 400: `MalformedXML`; `InvalidRequest` for a list without parts and for no body at all; `InvalidArgument`
    /// for a part's number below 1 or beyond 10,000.
    package init(_ body: [UInt8]) throws(S3Error) {
        let noParts = S3Error(.invalidRequest, "You must specify at least one part")
        guard !body.isEmpty else { throw noParts }
        let root = try XMLBody.root(body, named: "CompleteMultipartUpload")
        try root.checkChildren(repeated: ["Part"])
        guard !root.children.isEmpty else { throw noParts }
        var parts: [Part] = []
        parts.reserveCapacity(root.children.count)
        for element in root.children { parts.append(try Part(element)) }
        self.parts = parts
    }

    /// Throws 400 `InvalidPartOrder` unless each part's number is above the one before it.
    package func checkOrder(uploadID: String) throws(S3Error) {
        guard zip(parts, parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw S3Error(.invalidPartOrder, elements: [.init("UploadId", uploadID)])
        }
    }
}

extension CompletedMultipartUpload.Part {
    private static let checksumElements: [(name: String, algorithm: ChecksumAlgorithm)] =
        ChecksumAlgorithm.allCases.map { ("\($0.elementName)", $0) }
    private static let elements = ["PartNumber", "ETag"] + checksumElements.map(\.name)

    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: Self.elements)
        let number = try Self.number(try element.requiredText("PartNumber"))
        let etag = Array(try element.requiredText("ETag").utf8)[...].trimmed
        var checksums: [ChecksumAlgorithm: String] = [:]
        for (name, algorithm) in Self.checksumElements {
            guard let value = try element.child(name)?.leafText(), !value.isEmpty else { continue }
            checksums[algorithm] = value
        }
        self.init(number: number, etag: ETag(unquoted: ETagList.unquoted(etag).text), checksums: checksums)
    }

    private static func number(_ text: String) throws(S3Error) -> PartNumber {
        guard let value = Int(digits: Array(text.utf8)[...].trimmed) else { throw S3Error(.malformedXML) }
        guard value >= 1 else {
            throw .invalidArgument("PartNumber must be >= 1", name: "PartNumber", value: "\(value)")
        }
        guard let number = PartNumber(value) else { throw PartNumber.invalid("\(value)") }
        return number
    }
}
