/// A part of a multipart upload as the server keeps it.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Part.html
package struct UploadedPart: Hashable, Sendable {
    /// Bytes that every part but the last must have.
    package static let byteCountMin: UInt64 = 5 * 1_024 * 1_024
    /// Bytes that a part may have.
    package static let byteCountMax: UInt64 = 5 * 1_024 * 1_024 * 1_024

    package let number: PartNumber
    /// The MD5 of its bytes.
    package let etag: ETag
    /// Bytes.
    package let size: UInt64
    package let lastModified: Timestamp
    /// Over the part's bytes: of the upload's algorithm, CRC64NVME if it has none.
    package let checksum: Checksum?

    package init(number: PartNumber, etag: ETag, size: UInt64, lastModified: Timestamp, checksum: Checksum?) {
        self.number = number
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.checksum = checksum
    }
}

extension S3Error {
    /// 400 for a part that was not uploaded, or not as the client says.
    static func invalidPart(_ number: PartNumber, _ etag: ETag, uploadID: String) -> S3Error {
        S3Error(
            .invalidPart,
            elements: [
                Element("UploadId", uploadID), Element("PartNumber", "\(number.value)"), Element("ETag", etag.text),
            ])
    }
}
