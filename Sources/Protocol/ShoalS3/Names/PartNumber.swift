/// The number of a part of a multipart upload: 1 to 10,000.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
package struct PartNumber: Hashable, Comparable, Sendable {
    package static let valueMax = 10_000

    package let value: Int

    package init?(_ value: Int) {
        guard (1...Self.valueMax).contains(value) else { return nil }
        self.value = value
    }

    package static func < (left: PartNumber, right: PartNumber) -> Bool { left.value < right.value }

    /// The `partNumber` of a request; nil if there is none. Throws 400 `InvalidArgument`.
    package static func named(in query: QueryParameters) throws(S3Error) -> PartNumber? {
        guard let text = query.first("partNumber") else { return nil }
        guard let number = Int(digits: text).flatMap(PartNumber.init) else { throw invalid(text.text) }
        return number
    }

    /// What S3 judges before it reads a credential: that the number is one at all. Throws 400 `InvalidArgument`.
    static func checkSyntax(_ query: QueryParameters) throws(S3Error) {
        guard let text = query.first("partNumber"), Int(digits: text) == nil else { return }
        throw invalid(text.text)
    }

    /// 400 for a number that no part can have.
    static func invalid(_ text: String) -> S3Error {
        .invalidArgument(
            "Part number must be an integer between 1 and 10000, inclusive", name: "partNumber", value: text)
    }
}
