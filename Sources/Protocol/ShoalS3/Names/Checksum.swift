import ShoalCrypto

/// An additional checksum S3 computes, verifies and returns.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
package enum ChecksumAlgorithm: String, CaseIterable, Sendable {
    case crc32 = "CRC32"
    case crc32c = "CRC32C"
    case crc64nvme = "CRC64NVME"
    case sha1 = "SHA1"
    case sha256 = "SHA256"

    /// Bytes of the value before base 64.
    package var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// `x-amz-checksum-crc32` and so on: request and response header, and trailer.
    package var headerName: String { "x-amz-checksum-" + rawValue.lowercased() }
}

/// A checksum of one object: its value is base 64 of the big-endian digest, with `-N` behind a composite one.
package struct Checksum: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case fullObject = "FULL_OBJECT"
        case composite = "COMPOSITE"
    }

    package let algorithm: ChecksumAlgorithm
    package let kind: Kind
    /// As S3 writes it in headers and XML.
    package let text: String

    package init(_ algorithm: ChecksumAlgorithm, digest: [UInt8]) {
        self.init(algorithm, kind: .fullObject, text: Base64.string(digest))
    }

    package init(_ algorithm: ChecksumAlgorithm, kind: Kind, text: String) {
        self.algorithm = algorithm
        self.kind = kind
        self.text = text
    }
}
