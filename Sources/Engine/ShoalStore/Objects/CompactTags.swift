import ShoalCrypto
import ShoalS3

extension ETag {
    /// The 16 bytes of an MD5 tag in lower-case digits; nil for the tag of a multipart upload or a foreign one.
    var md5: [UInt8]? {
        let digits = text.utf8
        guard digits.count == 32, digits.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) else {
            return nil
        }
        return Hexadecimal.decode(digits)
    }
}

/// A checksum as the store keeps it: the algorithm's number, 128 added for a composite one, then the digest, or 64 added
/// and the text if the text is more than the base 64 of a digest.
extension Checksum {
    private static let compositeFlag: UInt8 = 0x80
    private static let textFlag: UInt8 = 0x40

    var stored: [UInt8] {
        let head = algorithm.storedNumber | (kind == .composite ? Self.compositeFlag : 0)
        guard let digest = Base64.decode(text.utf8), digest.count == algorithm.byteCount else {
            return [head | Self.textFlag] + text.utf8
        }
        return [head] + digest
    }

    /// Nil for bytes that `stored` did not make.
    init?(stored: some Collection<UInt8>) {
        guard let head = stored.first,
            let algorithm = ChecksumAlgorithm(storedNumber: head & ~(Self.compositeFlag | Self.textFlag))
        else { return nil }
        let value = Array(stored.dropFirst())
        let text = head & Self.textFlag == 0 ? Base64.string(value) : String(decoding: value, as: UTF8.self)
        self.init(algorithm, kind: head & Self.compositeFlag == 0 ? .fullObject : .composite, text: text)
    }
}

extension ChecksumAlgorithm {
    /// Part of the format on disk: numbers are never given again.
    fileprivate var storedNumber: UInt8 {
        switch self {
        case .crc32: 1
        case .crc32c: 2
        case .crc64nvme: 3
        case .sha1: 4
        case .sha256: 5
        }
    }

    fileprivate init?(storedNumber: UInt8) {
        guard let match = Self.allCases.first(where: { $0.storedNumber == storedNumber }) else { return nil }
        self = match
    }
}
