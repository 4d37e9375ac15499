import ShoalS3

/// Written out for plain bytes: every row of a listing passes here, and a generic encoder of another module costs more
/// than the row itself.
extension ETag {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The tag of an MD5 as stored: lower-case digits.
    init(storedMD5 bytes: UnsafeRawBufferPointer) {
        let text = String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[index * 2] = Self.digits[Int(byte >> 4)]
                text[index * 2 + 1] = Self.digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
        self.init(unquoted: text)
    }

    /// Appends the tag of an MD5 as stored.
    static func append(storedMD5 md5: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: md5.count * 2) { text in
            for (index, byte) in md5.enumerated() {
                text.initializeElement(at: index * 2, to: digits[Int(byte >> 4)])
                text.initializeElement(at: index * 2 + 1, to: digits[Int(byte & 15)])
            }
            bytes.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    /// The 16 bytes of an MD5 tag in lower-case digits; nil for the tag of a multipart upload or a foreign one.
    var md5: [UInt8]? {
        var text = text
        return text.withUTF8 { digits in
            guard digits.count == 32 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 16)
            for index in 0..<32 {
                guard let value = Self.value(of: digits[index]) else { return nil }
                bytes[index / 2] = bytes[index / 2] << 4 | value
            }
            return bytes
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A checksum as the store keeps it: the algorithm's number, 128 added for a composite one, then the digest, or 64 added
/// and the text if the text is more than the base 64 of a digest.
extension Checksum {
    fileprivate static let compositeFlag: UInt8 = 0x80
    fileprivate static let textFlag: UInt8 = 0x40

    var stored: [UInt8] {
        let head = algorithm.storedNumber | (kind == .composite ? Self.compositeFlag : 0)
        return if let digest { [head] + digest } else { [head | Self.textFlag] + text.utf8 }
    }

    /// Nil for bytes that `stored` did not make.
    init?(stored: UnsafeRawBufferPointer) {
        guard let head = stored.first, let form = Form(stored: stored) else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: stored[1...])
        guard head & Self.textFlag == 0 else {
            self.init(form.algorithm, kind: form.kind, text: String(decoding: value, as: UTF8.self))
            return
        }
        guard value.count == form.algorithm.byteCount else { return nil }
        self.init(form.algorithm, kind: form.kind, digest: Array(value))
    }
}

extension Checksum.Form {
    /// Of the bytes that `Checksum.stored` made; nil for none.
    init?(stored: UnsafeRawBufferPointer) {
        guard let head = stored.first,
            let algorithm = ChecksumAlgorithm(storedNumber: head & ~(Checksum.compositeFlag | Checksum.textFlag))
        else { return nil }
        self.init(algorithm: algorithm, kind: head & Checksum.compositeFlag == 0 ? .fullObject : .composite)
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
        switch storedNumber {
        case 1: self = .crc32
        case 2: self = .crc32c
        case 3: self = .crc64nvme
        case 4: self = .sha1
        case 5: self = .sha256
        default: return nil
        }
    }
}
