/// Writes an XML 1.0 document as UTF-8 bytes, without indentation, as S3 does.
///
/// The caller balances its elements; what the writer guards is text. Listings run through here, so that text is copied
/// in runs and nothing becomes a String.
package struct XMLWriter {
    package private(set) var bytes: [UInt8] = []

    /// Begins with the declaration and a line feed; `capacity` is a guess of the document's bytes.
    package init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
        markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// Begins in the middle of a document, with a capacity in bytes.
    init(fragmentCapacity: Int) { bytes.reserveCapacity(fragmentCapacity) }

    /// Puts `head` before everything written so far.
    mutating func prepend(_ head: XMLWriter) { bytes.insert(contentsOf: head.bytes, at: 0) }

    /// The value of `xmlns` of every document but errors.
    package static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    /// `<name xmlns="…">`, the start of a document that is no error.
    package mutating func openRoot(_ name: StaticString) {
        root(name)
        bytes.append(UInt8(ascii: ">"))
    }

    /// `<name xmlns="…"/>`, a document that says nothing.
    package mutating func emptyRoot(_ name: StaticString) {
        root(name)
        markup("/>")
    }

    private mutating func root(_ name: StaticString) {
        bytes.append(UInt8(ascii: "<"))
        markup(name)
        markup(" xmlns=\"")
        plain(Self.namespace)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Markup as it stands, such as `<Contents><Key>`.
    package mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func open(_ name: StaticString) {
        bytes.append(UInt8(ascii: "<"))
        markup(name)
        bytes.append(UInt8(ascii: ">"))
    }

    package mutating func close(_ name: StaticString) {
        markup("</")
        markup(name)
        bytes.append(UInt8(ascii: ">"))
    }

    /// `<name/>`.
    package mutating func empty(_ name: StaticString) {
        bytes.append(UInt8(ascii: "<"))
        markup(name)
        markup("/>")
    }

    /// Whatever `write` appends, which must need no escaping: digits, dates, base 64.
    package mutating func plain(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

    /// Text of our own making that needs no escaping, such as a storage class.
    package mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

// MARK: - Elements

extension XMLWriter {
    package mutating func element(_ name: StaticString, _ text: ArraySlice<UInt8>) {
        open(name)
        self.text(text)
        close(name)
    }

    package mutating func element(_ name: StaticString, _ text: [UInt8]) { element(name, text[...]) }

    package mutating func element(_ name: StaticString, _ text: String) {
        open(name)
        self.text(text)
        close(name)
    }

    package mutating func element(_ name: StaticString, _ flag: Bool) {
        open(name)
        markup(flag ? "true" : "false")
        close(name)
    }

    package mutating func element(_ name: StaticString, _ number: Int) {
        open(name)
        self.number(number)
        close(name)
    }

    /// As S3 writes when something happened: the second it was in, with three zeros for milliseconds.
    package mutating func element(_ name: StaticString, _ time: Timestamp) {
        open(name)
        time.wholeSecond.appendISO8601(to: &bytes)
        close(name)
    }

    /// The tag in quotes, which S3 escapes here.
    package mutating func element(_ name: StaticString, _ etag: ETag) {
        open(name)
        markup("&quot;")
        text(etag.text)
        markup("&quot;")
        close(name)
    }
}

// MARK: - Character data

extension XMLWriter {
    package mutating func number(_ value: Int) { bytes.appendDecimal(value) }

    package mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Character data: `&`, `<`, `>` and CR are escaped, and characters that XML 1.0 has no room for become `&#xN;`, as
    /// S3 writes them. Bytes that are no UTF-8 become U+FFFD, so that every document is UTF-8.
    package mutating func text(_ text: ArraySlice<UInt8>) { text.withUnsafeBufferPointer { append($0) } }

    /// The same from borrowed memory.
    mutating func text(_ text: UnsafeRawBufferPointer) { text.withMemoryRebound(to: UInt8.self) { append($0) } }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        var suspects: UInt8 = 0
        for byte in text {
            // No short cut inside the loop, so that it runs over many bytes at once.
            suspects |= byte < 0x20 ? 1 : 0
            suspects |= byte == UInt8(ascii: "&") ? 1 : 0
            suspects |= byte & 0xFD == UInt8(ascii: "<") ? 1 : 0
            suspects |= byte & 0x80
        }
        let hasHighBytes = suspects & 0x80 != 0
        if hasHighBytes && !Self.isCleanUTF8(text) {
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { append(scalar) }
        } else if suspects & 1 != 0 {
            appendEscaping(text)
        } else {
            bytes.append(contentsOf: text)
        }
    }

    private mutating func appendEscaping(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<text.count where Self.needsEscape(text[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            escape(text[index])
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII, Self.needsEscape(UInt8(scalar.value)) {
            escape(UInt8(scalar.value))
        } else if scalar.value == 0xFFFE || scalar.value == 0xFFFF {
            reference(scalar.value)
        } else {
            bytes.append(contentsOf: String(scalar).utf8)
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): markup("&amp;")
        case UInt8(ascii: "<"): markup("&lt;")
        case UInt8(ascii: ">"): markup("&gt;")
        case UInt8(ascii: "\r"): markup("&#13;")
        default: reference(UInt32(byte))
        }
    }

    /// `&#xN;`, N in hexadecimal.
    private mutating func reference(_ value: UInt32) {
        markup("&#x")
        bytes.append(contentsOf: String(value, radix: 16).utf8)
        bytes.append(UInt8(ascii: ";"))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">")
    }

    /// UTF-8 in which U+FFFE and U+FFFF, the noncharacters that XML excludes, do not occur.
    private static func isCleanUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (try? UTF8Span(validating: text.span)) != nil else { return false }
        for index in 0..<text.count
        where text[index] == 0xEF && text[index + 1] == 0xBF && text[index + 2] >= 0xBE {
            return false
        }
        return true
    }
}

extension [UInt8] {
    /// A number in decimal, without leading zeros.
    mutating func appendDecimal(_ value: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value.magnitude
            var index = digits.count
            repeat {
                index -= 1
                digits.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            if value < 0 {
                index -= 1
                digits.initializeElement(at: index, to: UInt8(ascii: "-"))
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[index...]))
        }
    }
}
