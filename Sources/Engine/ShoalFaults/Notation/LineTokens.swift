/// The words of a one-line rule.
///
/// Blanks divide words, except after `\` and inside quotes. Before the `@` a quote counts only where a word begins and a
/// parenthesis not at all, because keys contain both; behind it both hold a word together.
struct LineTokens {
    struct Word {
        let bytes: ArraySlice<UInt8>

        /// Offset of the first byte in the line.
        var offset: Int { bytes.startIndex }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A place in the line and what is wrong there.
    struct Flaw: Error {
        let offset: Int
        let message: String
    }

    static let byteCountMax = 65_536

    let words: [Word]

    init(_ line: [UInt8]) throws(Flaw) {
        guard line.count <= Self.byteCountMax else {
            throw Flaw(offset: 0, message: "the rule is longer than \(Self.byteCountMax) bytes")
        }
        try self.init(line, from: 0, groups: false)
    }

    /// The words from `start` to the end of `line`; `groups` says that they stand behind the `@`.
    init(_ line: [UInt8], from start: Int, groups: Bool) throws(Flaw) {
        var words: [Word] = []
        var index = start
        var isBehindPoint = groups
        while true {
            while index < line.count && Self.isBlank(line[index]) { index += 1 }
            guard index < line.count else { break }
            if line[index] == UInt8(ascii: "@") { isBehindPoint = true }
            let end = try Self.end(ofWordAt: index, in: line, groups: isBehindPoint)
            words.append(Word(bytes: line[index..<end]))
            index = end
        }
        self.words = words
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }

    private static func end(ofWordAt start: Int, in line: [UInt8], groups: Bool) throws(Flaw) -> Int {
        var index = start
        var opened: [Int] = []
        // A word's quote may stand behind the sign of a negated pattern.
        let firstQuote = line[start] == UInt8(ascii: "!") ? start + 1 : start
        while index < line.count {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "\"") where groups || index == firstQuote:
                index = try closingQuote(ofQuoteAt: index, in: line)
            case UInt8(ascii: "(") where groups: opened.append(index)
            case UInt8(ascii: ")") where groups:
                guard opened.popLast() != nil else {
                    throw Flaw(offset: index, message: "nothing is open to close here")
                }
            case let byte where isBlank(byte) && opened.isEmpty: return index
            default: break
            }
            index += 1
        }
        if let open = opened.last { throw Flaw(offset: open, message: "the parenthesis does not close") }
        return min(index, line.count)
    }

    /// The index of the parenthesis that closes the one at `start`.
    static func closingParenthesis(ofOneAt start: Int, in line: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        var index = start
        while index < line.endIndex {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "\""):
                // Quotes close: the line was divided into words before.
                index += 1
                while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
                    index += line[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The index of the quote that closes the one at `start`.
    static func closingQuote(ofQuoteAt start: Int, in line: [UInt8]) throws(Flaw) -> Int {
        var index = start + 1
        while index < line.count {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index
            default: index += 1
            }
        }
        throw Flaw(offset: start, message: "the quote does not close")
    }
}

// MARK: - Quoted text

/// Text in quotes: `\"` and `\\` are literal, `\n`, `\r` and `\t` as in most languages.
enum QuotedText {
    /// The text of a value that may stand in quotes; nil for an unknown escape and for something behind the quotes.
    static func value(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.first == UInt8(ascii: "\"") else { return String(validating: bytes, as: UTF8.self) }
        guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if isEscaped {
                guard let literal = literal(ofEscape: byte) else { return nil }
                text.append(literal)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                // An unescaped quote would have ended the text.
                guard byte != UInt8(ascii: "\"") else { return nil }
                text.append(byte)
            }
        }
        return isEscaped ? nil : String(validating: text, as: UTF8.self)
    }

    private static func literal(ofEscape byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The text in quotes, unless it is made of letters, digits and marks that mean nothing in a rule.
    static func text(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { FaultRule.isNameByte($0) || "/:+%".utf8.contains($0) }
        return isPlain ? value : quoted(value)
    }

    static func quoted(_ value: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }
}
