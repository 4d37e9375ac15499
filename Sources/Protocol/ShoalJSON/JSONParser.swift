/// Strict JSON: RFC 8259 to the letter, no member twice, bounded depth and size.
///
/// Lone surrogates are refused, because no Swift string can hold them.
package struct JSONParser {
    package static let byteCountMax = 1_048_576
    package static let depthMax = 32

    /// Where and why the bytes are no such JSON.
    package struct Flaw: Error, Equatable, Sendable {
        /// Of the first byte that cannot stand where it stands.
        package let offset: Int
        /// The innermost value being read, as a JSON pointer (RFC 6901).
        package let pointer: String
        package let message: String
    }

    private let bytes: [UInt8]
    private var index = 0
    private var path: [String] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `byteCountMax` is another bound for what does not come from a stranger.
    package static func parse(_ bytes: [UInt8], byteCountMax: Int = byteCountMax) throws(Flaw) -> JSON {
        guard bytes.count <= byteCountMax else {
            throw Flaw(offset: byteCountMax, pointer: "", message: "more than \(byteCountMax) bytes of JSON")
        }
        var parser = JSONParser(bytes)
        let value = try parser.value()
        parser.skipBlanks()
        guard parser.index == bytes.count else { throw parser.flaw("something follows the value") }
        return value
    }

    package static func parse(_ text: String) throws(Flaw) -> JSON { try parse(Array(text.utf8)) }

    private func flaw(_ message: String, at offset: Int? = nil) -> Flaw {
        Flaw(offset: offset ?? index, pointer: JSONPointer.text(path), message: message)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }
}

// MARK: - Values

extension JSONParser {
    private mutating func value() throws(Flaw) -> JSON {
        skipBlanks()
        guard let first = next else { throw flaw("the text ends where a value is due") }
        switch first {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw flaw("no value begins like this")
        }
    }

    private mutating func word(_ text: String, _ value: JSON) throws(Flaw) -> JSON {
        guard bytes[index...].starts(with: text.utf8) else { throw flaw("no value begins like this") }
        index += text.utf8.count
        return value
    }

    private mutating func enter(_ step: String) throws(Flaw) {
        guard path.count < Self.depthMax else { throw flaw("nested deeper than \(Self.depthMax)") }
        path.append(step)
    }

    private mutating func array() throws(Flaw) -> JSON {
        index += 1
        var values: [JSON] = []
        skipBlanks()
        if skip("]") { return .array([]) }
        repeat {
            try enter(String(values.count))
            values.append(try value())
            path.removeLast()
            skipBlanks()
        } while skip(",")
        guard skip("]") else { throw flaw("',' or ']' is due after an element") }
        return .array(values)
    }

    private mutating func object() throws(Flaw) -> JSON {
        index += 1
        var members: [JSON.Member] = []
        var names: Set<String> = []
        skipBlanks()
        if skip("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw flaw("a member's name in quotes is due") }
            let start = index
            let name = try string()
            try enter(name)
            guard names.insert(name).inserted else { throw flaw("the member is there twice", at: start) }
            skipBlanks()
            guard skip(":") else { throw flaw("':' is due after a member's name") }
            members.append(JSON.Member(name, try value()))
            path.removeLast()
            skipBlanks()
        } while skip(",")
        guard skip("}") else { throw flaw("',' or '}' is due after a member") }
        return .object(members)
    }
}

// MARK: - Numbers and strings

extension JSONParser {
    private mutating func digits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func number() throws(Flaw) -> JSON {
        let start = index
        _ = skip("-")
        let leadsWithZero = next == UInt8(ascii: "0")
        let count = digits()
        guard count == 1 || count > 1 && !leadsWithZero else {
            throw flaw("a number begins with one digit that is not 0, or is 0", at: start)
        }
        var isInteger = true
        if skip(".") {
            isInteger = false
            guard digits() > 0 else { throw flaw("digits are due after the point") }
        }
        if skip("e") || skip("E") {
            isInteger = false
            _ = skip("+") || skip("-")
            guard digits() > 0 else { throw flaw("digits are due in the exponent") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw flaw("the number is too large", at: start) }
        return .number(value)
    }

    private mutating func string() throws(Flaw) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw flaw("the string is no UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw flaw("a control character stands in a string unescaped")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw flaw("the string does not end", at: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Flaw) {
        let start = index
        index += 1
        guard let mark = next else { throw flaw("the string does not end", at: start) }
        index += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(mark)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try scalar(from: start)).utf8
        default: throw flaw("no escape is written like this", at: start)
        }
    }

    /// The scalar of `\uXXXX` or of a pair of surrogates; `index` is behind the first `u`.
    private mutating func scalar(from start: Int) throws(Flaw) -> Unicode.Scalar {
        var value = try codeUnit()
        if (0xD800..<0xDC00).contains(value), skip("\\"), skip("u") {
            let low = try codeUnit()
            guard (0xDC00..<0xE000).contains(low) else { throw flaw("half a surrogate pair", at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw flaw("half a surrogate pair", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(Flaw) -> UInt32 {
        let end = index + 4
        guard end <= bytes.count, bytes[index..<end].allSatisfy(Self.isHexadecimalDigit),
            let value = UInt32(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
        else { throw flaw("four hexadecimal digits are due after \\u") }
        index = end
        return value
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// A path into a JSON value: RFC 6901.
package enum JSONPointer {
    package static func text(_ steps: [String]) -> String {
        steps.map { "/" + escaped($0) }.joined()
    }

    private static func escaped(_ step: String) -> String {
        step.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
            ? String(
                decoding: step.utf8.flatMap { byte -> [UInt8] in
                    switch byte {
                    case UInt8(ascii: "~"): Array("~0".utf8)
                    case UInt8(ascii: "/"): Array("~1".utf8)
                    default: [byte]
                    }
                }, as: UTF8.self) : step
    }
}
