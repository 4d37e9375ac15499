import ShoalCrypto
import ShoalS3

/// A stored part of `size` bytes, which are never there: its tag and checksum are those of its number in digits.
func uploadedPart(
    _ number: Int, size: UInt64 = UploadedPart.byteCountMin, _ algorithm: ChecksumAlgorithm = .crc64nvme
) -> UploadedPart {
    let stand = Array("\(number)".utf8)
    return UploadedPart(
        number: PartNumber(number)!, etag: ETag(md5: Digest.of(stand, .md5)), size: size,
        lastModified: Timestamp(milliseconds: 1_700_049_760_987),
        checksum: Checksum(algorithm, digest: algorithm.value(of: stand)))
}

/// `<CompleteMultipartUpload>` around `parts`.
func completionBody(_ parts: String) -> [UInt8] {
    Array("<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>".utf8)
}

/// `<Part>` with a number, a tag and more elements.
func partElement(_ number: String, etag: String, _ more: String = "") -> String {
    "<Part><PartNumber>\(number)</PartNumber><ETag>\(etag)</ETag>\(more)</Part>"
}

/// The request that lists all of `stored`, as a client would who kept what it was told.
func completion(of stored: [UploadedPart], withChecksums: Bool = true) throws -> CompletedMultipartUpload {
    let parts = stored.map { part in
        let checksum = part.checksum.map {
            "<Checksum\($0.algorithm.rawValue)>\($0.text)</Checksum\($0.algorithm.rawValue)>"
        }
        return partElement(
            "\(part.number.value)", etag: "&quot;\(part.etag.text)&quot;", withChecksums ? checksum ?? "" : "")
    }
    return try CompletedMultipartUpload(completionBody(parts.joined()))
}
