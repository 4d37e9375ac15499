import ShoalCrypto
import ShoalHTTP

/// The words in which a header carries text that is not ASCII: `=?UTF-8?Q?caf=C3=A9?=`.
///
/// S3 decodes them in the values of user metadata and encodes such values again when it returns them.
/// https://www.rfc-editor.org/rfc/rfc2047.html
enum EncodedWord {
    /// The text of a value as UTF-8: encoded words are decoded, blanks between two of them vanish, and bytes that are no
    /// UTF-8 are taken for ISO 8859-1. A word of another character set stays as it is.
    static func decode(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(value.count)
        var rest = value
        while let start = indexOfWord(in: rest) {
            guard let word = word(at: start, of: rest) else {
                decoded += rest[...start]
                rest = rest[(start + 1)...]
                continue
            }
            decoded += rest[..<start]
            decoded += word.text
            rest = rest[word.end...]
            let next = rest.drop(while: \.isBlank)
            if next.startIndex > rest.startIndex, self.word(at: next.startIndex, of: next) != nil { rest = next }
        }
        decoded += rest
        return text(decoded)
    }

    /// Bytes as UTF-8: those that are none are taken for ISO 8859-1.
    static func text(_ bytes: [UInt8]) -> [UInt8] { bytes[...].isUTF8 ? bytes : utf8(latin1: bytes) }

    /// The value as a header may carry it: as it is if all of it is visible ASCII, else one encoded word.
    ///
    /// Q where most characters are ASCII and B where not. S3 counts as JavaMail does: UTF-16 units, and control
    /// characters but tab, CR and LF are not among the ASCII ones.
    static func append(_ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        guard value.contains(where: { $0 >= 0x80 || $0.isControl }) else {
            bytes += value
            return
        }
        var (asciiCount, otherCount) = (0, 0)
        for byte in value {
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20..<0x7F: asciiCount += 1
            case 0..<0x20, 0x7F, 0xC0..<0xF0: otherCount += 1
            case 0xF0...: otherCount += 2
            default: break
            }
        }
        if asciiCount > otherCount {
            bytes += "=?UTF-8?Q?".utf8
            for byte in value { appendQ(byte, to: &bytes) }
        } else {
            bytes += "=?UTF-8?B?".utf8
            bytes += Base64.encode(Array(value))
        }
        bytes += "?=".utf8
    }

    private static func appendQ(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: " "): bytes.append(UInt8(ascii: "_"))
        case 0...0x1F, 0x7F..., UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "_"):
            bytes.append(UInt8(ascii: "="))
            bytes.appendHexadecimalUpper(byte)
        default: bytes.append(byte)
        }
    }

    private static func indexOfWord(in value: ArraySlice<UInt8>) -> Int? {
        var index = value.startIndex
        while index + 1 < value.endIndex {
            if value[index] == UInt8(ascii: "="), value[index + 1] == UInt8(ascii: "?") { return index }
            index += 1
        }
        return nil
    }

    /// The word that begins at `start`; nil if none does.
    private static func word(at start: Int, of value: ArraySlice<UInt8>) -> (text: [UInt8], end: Int)? {
        let question = UInt8(ascii: "?")
        guard value[start...].hasPrefix("=?"), let second = value[(start + 2)...].firstIndex(of: question),
            second + 2 < value.endIndex, value[second + 2] == question,
            let last = value[(second + 3)...].firstIndex(of: question), last + 1 < value.endIndex,
            value[last + 1] == UInt8(ascii: "=")
        else { return nil }
        let content = value[(second + 3)..<last]
        let decoded: [UInt8]? =
            switch value[second + 1].lowercasedASCII {
            case UInt8(ascii: "q"): decodeQ(content)
            case UInt8(ascii: "b"): Base64.decode(content)
            default: nil
            }
        guard let decoded, let text = utf8(decoded, of: value[(start + 2)..<second]) else { return nil }
        return (text, last + 2)
    }

    private static func decodeQ(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var index = content.startIndex
        while index < content.endIndex {
            switch content[index] {
            case UInt8(ascii: "_"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "="):
                guard index + 2 < content.endIndex, let high = Hexadecimal.value(of: content[index + 1]),
                    let low = Hexadecimal.value(of: content[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            default: decoded.append(content[index])
            }
            index += 1
        }
        return decoded
    }

    private static func utf8(_ bytes: [UInt8], of characterSet: ArraySlice<UInt8>) -> [UInt8]? {
        if characterSet.equalsIgnoringCase("utf-8") || characterSet.equalsIgnoringCase("us-ascii") {
            return bytes[...].isUTF8 ? bytes : nil
        }
        return characterSet.equalsIgnoringCase("iso-8859-1") ? utf8(latin1: bytes) : nil
    }

    private static func utf8(latin1 bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }
}

extension [UInt8] {
    /// Two digits of base 16 in upper case, as percent escapes and encoded words want them.
    mutating func appendHexadecimalUpper(_ byte: UInt8) {
        let digits: StaticString = "0123456789ABCDEF"
        append(digits.utf8Start[Int(byte >> 4)])
        append(digits.utf8Start[Int(byte & 15)])
    }
}
