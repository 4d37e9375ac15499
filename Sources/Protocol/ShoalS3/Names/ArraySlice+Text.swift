import ShoalHTTP

// Comparisons of header and query bytes with known words, without a String on the way.

extension ArraySlice<UInt8> {
    /// Whether the bytes are `text`, to the letter.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && hasPrefix(text)
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        return text.withUTF8Buffer { wanted in
            withUnsafeBufferPointer { bytes in
                for index in 0..<length where bytes[index] != wanted[index] { return false }
                return true
            }
        }
    }

    func hasSuffix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && suffix(text.utf8CodeUnitCount).hasPrefix(text)
    }

    /// Whether the bytes begin with `text`, which is written in lower case, in any case.
    func hasPrefixIgnoringCase(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        return text.withUTF8Buffer { wanted in
            withUnsafeBufferPointer { bytes in
                for index in 0..<length where bytes[index].lowercasedASCII != wanted[index] { return false }
                return true
            }
        }
    }

    /// For error texts; bytes that are no UTF-8 become replacement characters.
    var text: String { String(decoding: self, as: UTF8.self) }

    var isUTF8: Bool { (try? UTF8Span(validating: span)) != nil }
}

extension UInt8 {
    /// SP or HTAB.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == 0x09 }

    /// What may stand in no header value: C0 but HTAB, and DEL.
    var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
