/// The bytes of the source that UploadPartCopy copies.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html#API_UploadPartCopy_RequestSyntax
package enum CopySourceRange {
    /// The range of `x-amz-copy-source-range`, nil if it is absent: all of the `size` bytes then.
    ///
    /// Stricter than `Range`: both ends must be there, and lie inside of the source. Throws 400: `InvalidArgument` for
    /// another form and for an end outside, `InvalidRequest` for a start outside.
    package static func named(in fields: RequestFields, ofSize size: UInt64) throws(S3Error) -> Range<UInt64>? {
        guard let header = fields.first("x-amz-copy-source-range") else { return nil }
        guard header.hasPrefix("bytes="), case .closed(let first, let last)? = ByteRange(header) else {
            throw .invalidArgument(
                "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the "
                    + "zero-based offsets of the first and last bytes to copy",
                name: "x-amz-copy-source-range", value: header.text)
        }
        guard first < size else {
            throw S3Error(.invalidRequest, "The specified copy range is invalid for the source object size")
        }
        guard last < size else {
            throw .invalidArgument(
                "Range specified is not valid for source object of size: \(size)", name: "x-amz-copy-source-range",
                value: header.text)
        }
        return first..<(last + 1)
    }
}
