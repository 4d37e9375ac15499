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

    /// What a checksum is without its value, as listings tell it.
    package struct Form: Hashable, Sendable {
        package let algorithm: ChecksumAlgorithm
        package let kind: Kind

        package init(algorithm: ChecksumAlgorithm, kind: Kind) {
            self.algorithm = algorithm
            self.kind = kind
        }
    }

    /// A text that is the base 64 of a digest is always kept as the digest: half as long, and ready for the disk.
    private enum Content: Hashable, Sendable {
        case digest([UInt8])
        case text(String)
    }

    package let algorithm: ChecksumAlgorithm
    package let kind: Kind
    private let content: Content

    /// `digest` has the algorithm's length.
    package init(_ algorithm: ChecksumAlgorithm, kind: Kind = .fullObject, digest: [UInt8]) {
        self.algorithm = algorithm
        self.kind = kind
        content = .digest(digest)
    }

    package init(_ algorithm: ChecksumAlgorithm, kind: Kind, text: String) {
        self.algorithm = algorithm
        self.kind = kind
        let digest = Base64.decode(text.utf8).flatMap { $0.count == algorithm.byteCount ? $0 : nil }
        content = digest.map(Content.digest) ?? .text(text)
    }

    package var form: Form { Form(algorithm: algorithm, kind: kind) }

    /// As S3 writes it in headers and XML.
    package var text: String {
        switch content {
        case .digest(let digest): Base64.string(digest)
        case .text(let text): text
        }
    }

    /// What `text` is the base 64 of; nil if it is more than that, or something else.
    package var digest: [UInt8]? {
        if case .digest(let digest) = content { digest } else { nil }
    }
}
