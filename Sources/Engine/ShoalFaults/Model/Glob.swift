/// A pattern over bytes: `*` is any run of bytes, `/` included; `?` is one character; `\` takes the next one literally.
///
/// S3 keys are flat, so `photos/*` covers `photos/2026/1.jpg`.
package struct Glob: Hashable, Sendable {
    package static let byteCountMax = 2_048

    /// Bytes as themselves; `anyRun` and `anyCharacter` beyond them.
    private let elements: [UInt16]
    private static let anyRun: UInt16 = 256
    private static let anyCharacter: UInt16 = 257

    /// Nil if the pattern ends in a lone `\`, is longer than 2,048 bytes or holds a control character.
    package init?(_ pattern: some Sequence<UInt8>) {
        var elements: [UInt16] = []
        var isEscaped = false
        for byte in pattern {
            guard byte >= 0x20, byte != 0x7F, elements.count < Self.byteCountMax else { return nil }
            if isEscaped {
                elements.append(UInt16(byte))
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                elements.append(Self.element(byte))
            }
        }
        guard !isEscaped else { return nil }
        // `**` says no more than `*` and costs a level of backtracking.
        self.elements = elements.enumerated()
            .filter { $0.element != Self.anyRun || $0.offset == 0 || elements[$0.offset - 1] != Self.anyRun }
            .map(\.element)
    }

    package init?(_ pattern: String) { self.init(pattern.utf8) }

    /// Exactly these bytes; nil where they could not be written as a pattern.
    package init?(literal text: String) {
        self.init(
            text.utf8.flatMap { byte -> [UInt8] in
                [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\")].contains(byte)
                    ? [UInt8(ascii: "\\"), byte] : [byte]
            })
    }

    package static let anything = Glob(elements: [anyRun])

    private init(elements: [UInt16]) { self.elements = elements }

    private static func element(_ byte: UInt8) -> UInt16 {
        switch byte {
        case UInt8(ascii: "*"): anyRun
        case UInt8(ascii: "?"): anyCharacter
        default: UInt16(byte)
        }
    }

    /// Whether no text is refused.
    package var matchesAnything: Bool { elements == [Self.anyRun] }

    /// The text, if the pattern has no wildcard.
    package var literal: String? {
        elements.allSatisfy { $0 < 256 } ? String(decoding: elements.map { UInt8($0) }, as: UTF8.self) : nil
    }

    /// The pattern as written, with `\` before every literal byte in `escaping`, `*`, `?` and `\` in any case.
    package func text(escaping marks: String = "") -> String {
        let escaped = Set("*?\\".utf8).union(marks.utf8)
        var bytes: [UInt8] = []
        for element in elements {
            switch element {
            case Self.anyRun: bytes.append(UInt8(ascii: "*"))
            case Self.anyCharacter: bytes.append(UInt8(ascii: "?"))
            default:
                let byte = UInt8(element)
                bytes += escaped.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the whole text fits. At worst the product of both lengths, each of which is bounded.
    package func matches(_ text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { text in
            elements.withUnsafeBufferPointer { Self.matches(text, $0) }
        }
    }

    /// Only the last `*` is ever taken back: an earlier one could not win anything by taking more.
    private static func matches(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt16>) -> Bool {
        var (at, wanted) = (0, 0)
        var retry: (pattern: Int, text: Int)?
        while true {
            if wanted < pattern.count && pattern[wanted] == anyRun {
                wanted += 1
                if wanted == pattern.count { return true }
                retry = (wanted, at)
            } else if wanted < pattern.count && at < text.count
                && (pattern[wanted] == anyCharacter || pattern[wanted] == UInt16(text[at]))
            {
                at = pattern[wanted] == anyCharacter ? end(ofCharacterAt: at, in: text) : at + 1
                wanted += 1
            } else if wanted == pattern.count && at == text.count {
                return true
            } else if let last = retry, last.text < text.count {
                (wanted, at) = (last.pattern, last.text + 1)
                retry = (last.pattern, at)
            } else {
                return false
            }
        }
    }

    /// Past the continuation bytes of UTF-8 that follow `index`.
    private static func end(ofCharacterAt index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var index = index + 1
        while index < text.count && text[index] & 0xC0 == 0x80 { index += 1 }
        return index
    }
}
