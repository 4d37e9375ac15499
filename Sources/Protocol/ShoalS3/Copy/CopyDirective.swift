/// Whether a copy takes something over from its source or from the request.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_RequestSyntax
package enum CopyDirective: String, Sendable {
    case copy = "COPY"
    case replace = "REPLACE"

    /// `x-amz-metadata-directive`, about metadata and system headers; `copy` if absent. Throws 400 `InvalidArgument`.
    package static func metadata(in fields: RequestFields) throws(S3Error) -> CopyDirective {
        guard let value = fields.first("x-amz-metadata-directive") else { return .copy }
        guard let known = CopyDirective(rawValue: value.text) else {
            throw .invalidArgument(
                "Unknown metadata directive.", name: "x-amz-metadata-directive", value: value.text)
        }
        return known
    }

    /// `x-amz-tagging-directive`; `copy` if absent. Throws 400 `InvalidArgument`.
    package static func tagging(in fields: RequestFields) throws(S3Error) -> CopyDirective {
        guard let value = fields.first("x-amz-tagging-directive") else { return .copy }
        guard let known = CopyDirective(rawValue: value.text) else {
            throw .invalidArgument("Unknown tagging directive.", name: "x-amz-tagging-directive", value: value.text)
        }
        return known
    }
}
