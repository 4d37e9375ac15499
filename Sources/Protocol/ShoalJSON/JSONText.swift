/// JSON tokens appended to bytes, for lines that are written far more often than they are read.
/// https://www.rfc-editor.org/rfc/rfc8259
package enum JSONText {
    /// Appends `bytes` as a string in quotes. Bytes that are no UTF-8 become replacement characters.
    package static func append(string bytes: some Collection<UInt8>, to out: inout [UInt8]) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { append(buffer: $0, to: &out) }
        if done == nil { Array(bytes).withUnsafeBufferPointer { append(buffer: $0, to: &out) } }
    }

    package static func append(string text: String, to out: inout [UInt8]) { append(string: text.utf8, to: &out) }

    package static func append(number: UInt64, to out: inout [UInt8]) {
        guard number >= 10 else {
            out.append(UInt8(ascii: "0") + UInt8(number))
            return
        }
        let start = out.count
        var rest = number
        while rest > 0 {
            out.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        out[start...].reverse()
    }

    package static func append(number: Int64, to out: inout [UInt8]) {
        if number < 0 { out.append(UInt8(ascii: "-")) }
        append(number: number.magnitude, to: &out)
    }

    /// Appends text that needs no escape, such as `{"seq":`.
    package static func append(_ text: StaticString, to out: inout [UInt8]) {
        text.withUTF8Buffer { out.append(contentsOf: $0) }
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    private static func append(buffer: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        // Nearly every string is plain ASCII and is copied in one go.
        let isPlain = buffer.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        out.append(UInt8(ascii: "\""))
        if isPlain {
            out.append(contentsOf: buffer)
        } else {
            for byte in String(decoding: buffer, as: UTF8.self).utf8 { append(escaping: byte, to: &out) }
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func append(escaping byte: UInt8, to out: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): append("\\n", to: &out)
        case UInt8(ascii: "\r"): append("\\r", to: &out)
        case UInt8(ascii: "\t"): append("\\t", to: &out)
        case 0..<0x20, 0x7F:
            append("\\u00", to: &out)
            out += [hexadecimalDigits[Int(byte >> 4)], hexadecimalDigits[Int(byte & 15)]]
        default: out.append(byte)
        }
    }
}
