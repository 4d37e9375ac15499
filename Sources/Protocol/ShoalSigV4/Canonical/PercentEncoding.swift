import ShoalCrypto

/// Percent-encoding as a signature sees it: everything but unreserved bytes becomes `%XX` with upper-case digits, and a
/// raw `+` is a blank.
/// https://www.rfc-editor.org/rfc/rfc3986.html#section-2
enum PercentEncoding {
    private static let slash = UInt8(ascii: "/")
    private static let percent = UInt8(ascii: "%")

    /// One bit for each of `- . 0-9` below 64 and `A-Z _ a-z ~` from 64 on.
    private static let unreservedBelow64: UInt64 = 0x03FF_6000_0000_0000
    private static let unreservedFrom64: UInt64 = 0x47FF_FFFE_87FF_FFFE

    /// A letter, a digit or one of `- . _ ~` (RFC 3986 §2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte < 64
            ? unreservedBelow64 >> UInt64(byte) & 1 == 1
            : byte < 128 && unreservedFrom64 >> UInt64(byte & 63) & 1 == 1
    }

    /// Decodes `bytes[range]` once and encodes the result canonically onto `buffer`.
    static func appendCanonical(
        _ bytes: [UInt8], _ range: Range<Int>, keepingSlash: Bool, to buffer: inout [UInt8]
    ) {
        var runStart = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if isUnreserved(byte) || (keepingSlash && byte == slash) {
                index += 1
                continue
            }
            let (decoded, width) = decodedByte(bytes, at: index, before: range.upperBound)
            let isPlain = isUnreserved(decoded) || (keepingSlash && decoded == slash)
            if width == 3 && !isPlain && !isLowercase(bytes[index + 1]) && !isLowercase(bytes[index + 2]) {
                index += 3
                continue
            }
            buffer.append(contentsOf: bytes[runStart..<index])
            if isPlain { buffer.append(decoded) } else { appendEscape(decoded, to: &buffer) }
            index += width
            runStart = index
        }
        buffer.append(contentsOf: bytes[runStart..<range.upperBound])
    }

    /// Encodes plain bytes, such as a key, for a target or a query.
    static func appendEncoded(_ bytes: some Sequence<UInt8>, keepingSlash: Bool, to buffer: inout [UInt8]) {
        for byte in bytes {
            if isUnreserved(byte) || (keepingSlash && byte == slash) {
                buffer.append(byte)
            } else {
                appendEscape(byte, to: &buffer)
            }
        }
    }

    static func encoded(_ bytes: some Sequence<UInt8>, keepingSlash: Bool = false) -> [UInt8] {
        var buffer: [UInt8] = []
        appendEncoded(bytes, keepingSlash: keepingSlash, to: &buffer)
        return buffer
    }

    /// `%XX` and `+` resolved; a `%` without two digits behind it stands for itself.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        text.withUnsafeBufferPointer { text in
            var index = 0
            while index < text.count {
                let (byte, width) = decodedByte(text, at: index, before: text.count)
                result.append(byte)
                index += width
            }
        }
        return result
    }

    /// Whether every `%` has two digits behind it and the decoded bytes are UTF-8.
    static func isDecodable(_ text: ArraySlice<UInt8>) -> Bool {
        var needsDecoding = false
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == percent {
                guard index + 2 < text.endIndex, Hexadecimal.value(of: text[index + 1]) != nil,
                    Hexadecimal.value(of: text[index + 2]) != nil
                else { return false }
                needsDecoding = true
                index += 2
            } else if byte >= 0x80 {
                needsDecoding = true
            }
            index += 1
        }
        return !needsDecoding || String(validating: decoded(text), as: UTF8.self) != nil
    }

    /// The byte that begins at `index`, and how many bytes of text it takes.
    static func decodedByte<Bytes: RandomAccessCollection>(
        _ bytes: Bytes, at index: Int, before end: Int
    ) -> (byte: UInt8, width: Int) where Bytes.Element == UInt8, Bytes.Index == Int {
        switch bytes[index] {
        case UInt8(ascii: "+"): return (UInt8(ascii: " "), 1)
        case percent where index + 2 < end:
            guard let high = Hexadecimal.value(of: bytes[index + 1]), let low = Hexadecimal.value(of: bytes[index + 2])
            else { return (percent, 1) }
            return (high << 4 | low, 3)
        case let byte: return (byte, 1)
        }
    }

    private static func appendEscape(_ byte: UInt8, to buffer: inout [UInt8]) {
        buffer.append(percent)
        buffer.append(uppercaseDigit(byte >> 4))
        buffer.append(uppercaseDigit(byte & 15))
    }

    private static func uppercaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") }
}
