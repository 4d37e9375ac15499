import ShoalCrypto

extension ChecksumAlgorithm {
    /// The polynomial of a CRC; nil for a digest, whose values of pieces cannot be combined.
    package var polynomial: CyclicRedundancyCheck.Polynomial? {
        switch self {
        case .crc32: .crc32
        case .crc32c: .crc32c
        case .crc64nvme: .crc64nvme
        case .sha1, .sha256: nil
        }
    }

    /// The value of a short message, before base 64.
    package func value(of message: [UInt8]) -> [UInt8] {
        switch self {
        case .crc32, .crc32c, .crc64nvme:
            var check = CyclicRedundancyCheck(polynomial ?? .crc64nvme)
            check.update(message)
            return check.bigEndianBytes
        case .sha1: return Digest.of(message, .sha1)
        case .sha256: return Digest.of(message, .sha256)
        }
    }

    /// The algorithm that `x-amz-checksum-algorithm` names, in any case; nil if it is absent.
    ///
    /// Throws 400 `InvalidRequest` with the algorithms there are. Differs from S3: since 2026 its list is longer.
    package static func named(in fields: RequestFields) throws(S3Error) -> ChecksumAlgorithm? {
        guard let value = fields.first("x-amz-checksum-algorithm") else { return nil }
        guard let known = ChecksumAlgorithm(rawValue: value.text.uppercased()) else {
            throw S3Error(
                .invalidRequest,
                "Checksum algorithm provided is unsupported. Please try again with any of the valid types: "
                    + "[CRC32, CRC32C, CRC64NVME, SHA1, SHA256]")
        }
        return known
    }

    /// As S3 writes it inside of error messages about multipart uploads.
    var lowercaseName: String { rawValue.lowercased() }

    /// The element that holds a value in a document, in requests and in answers.
    var elementName: StaticString {
        switch self {
        case .crc32: "ChecksumCRC32"
        case .crc32c: "ChecksumCRC32C"
        case .crc64nvme: "ChecksumCRC64NVME"
        case .sha1: "ChecksumSHA1"
        case .sha256: "ChecksumSHA256"
        }
    }
}

extension Checksum.Kind {
    /// The type that `x-amz-checksum-type` names, in any case; nil if it is absent. Throws 400 `InvalidRequest`.
    package static func named(in fields: RequestFields) throws(S3Error) -> Checksum.Kind? {
        guard let value = fields.first("x-amz-checksum-type") else { return nil }
        guard let known = Checksum.Kind(rawValue: value.text.uppercased()) else {
            throw S3Error(.invalidRequest, "Value for x-amz-checksum-type header is invalid.")
        }
        return known
    }
}

extension Checksum {
    /// The text without the count of parts that a composite one ends in.
    package var textWithoutPartCount: String { String(text.prefix { $0 != "-" }) }

    /// The value before base 64; nil if the text is none of the algorithm.
    package var value: [UInt8]? {
        if let digest { return digest }
        guard let bytes = Base64.decode(textWithoutPartCount.utf8), bytes.count == algorithm.byteCount else {
            return nil
        }
        return bytes
    }
}

extension XMLWriter {
    /// `<ChecksumCRC32>…</ChecksumCRC32>` and so on.
    package mutating func checksumValue(_ checksum: Checksum) {
        element(checksum.algorithm.elementName, checksum.text)
    }

    /// The value, and `<ChecksumType>` behind it.
    package mutating func checksum(_ checksum: Checksum) {
        checksumValue(checksum)
        element("ChecksumType", checksum.kind.rawValue)
    }
}
