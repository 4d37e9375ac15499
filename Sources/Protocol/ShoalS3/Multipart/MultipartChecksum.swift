/// What CreateMultipartUpload says about the checksum of the object to come.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html#mpu-checksums
package struct MultipartChecksum: Hashable, Sendable {
    package let algorithm: ChecksumAlgorithm
    /// Over the values of the parts, or over all bytes.
    package let kind: Checksum.Kind

    /// A pair that was checked when the upload began.
    package init(stored algorithm: ChecksumAlgorithm, _ kind: Checksum.Kind) {
        self.algorithm = algorithm
        self.kind = kind
    }

    /// The checksum of `x-amz-checksum-algorithm` and `x-amz-checksum-type`; nil if neither is there, and the object gets
    /// a CRC64NVME over all bytes then.
    ///
    /// Throws 400 `InvalidRequest` for an unknown algorithm or type, for a type alone, and for a pair that does not go
    /// together: a digest over all bytes cannot be computed from parts, and CRC64NVME has no other form.
    package static func named(in fields: RequestFields) throws(S3Error) -> MultipartChecksum? {
        let algorithm = try ChecksumAlgorithm.named(in: fields)
        guard let algorithm else {
            guard fields.first("x-amz-checksum-type") == nil else {
                throw S3Error(
                    .invalidRequest,
                    "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.")
            }
            return nil
        }
        let kind = try Checksum.Kind.named(in: fields) ?? (algorithm == .crc64nvme ? .fullObject : .composite)
        let isPossible = kind == .composite ? algorithm != .crc64nvme : algorithm.polynomial != nil
        guard isPossible else {
            throw S3Error(
                .invalidRequest,
                "The \(kind.rawValue) checksum type cannot be used with the \(algorithm.lowercaseName) checksum "
                    + "algorithm.")
        }
        return MultipartChecksum(stored: algorithm, kind)
    }

    /// The algorithm to compute for each part, which a part of an upload without one has too.
    package static func partAlgorithm(of upload: MultipartChecksum?) -> ChecksumAlgorithm {
        upload?.algorithm ?? .crc64nvme
    }

    /// Judges the checksum that a part was sent with. Throws 400 `InvalidRequest` if it is of another algorithm.
    package func check(part expectation: ChecksumExpectation) throws(S3Error) {
        guard expectation.source != .none, expectation.algorithm != algorithm else { return }
        throw .checksumTypeMismatch(expected: algorithm, actual: expectation.algorithm)
    }
}

extension S3Error {
    /// 400 for a checksum of another algorithm than the upload's.
    static func checksumTypeMismatch(expected: ChecksumAlgorithm?, actual: ChecksumAlgorithm) -> S3Error {
        S3Error(
            .invalidRequest,
            "Checksum Type mismatch occurred, expected checksum Type: \(expected?.lowercaseName ?? "null"), actual "
                + "checksum Type: \(actual.lowercaseName)")
    }
}
