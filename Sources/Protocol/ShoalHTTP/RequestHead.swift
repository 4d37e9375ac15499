/// The head of an HTTP/1.1 request exactly as it came: bytes, in wire order, duplicates kept.
///
/// Signatures depend on the raw target and on the order of header lines, so nothing is decoded or merged here; names and
/// values are slices of one buffer.
/// https://www.rfc-editor.org/rfc/rfc9112.html#section-2
package struct RequestHead: Sendable {
    /// One header line: where its name and its value (without surrounding blanks) lie in `bytes`.
    package struct FieldLine: Sendable {
        package let name: Range<Int32>
        package let value: Range<Int32>
    }

    /// From the first byte of the request line to the end of the empty line.
    package let bytes: [UInt8]
    package let method: Method
    /// The body's length as the framing fields give it.
    package let framing: BodyFraming
    /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    package let expectsContinue: Bool
    /// The connection may serve another request after this one (RFC 9112 §9.3).
    package let keepsAlive: Bool
    /// HTTP/1.0: it knows no transfer coding.
    package let isVersion1_0: Bool
    package let fieldLines: [FieldLine]

    private let methodRange: Range<Int>
    private let targetRange: Range<Int>
    /// Where the query begins, after its `?`; the end of the target if there is none.
    private let pathEnd: Int

    package enum Method: Sendable, Equatable {
        case get, head, put, post, delete, options, patch
        /// A token that no S3 operation uses.
        case other
    }

    init(
        bytes: [UInt8], methodRange: Range<Int>, targetRange: Range<Int>, fieldLines: [FieldLine], framing: BodyFraming,
        expectsContinue: Bool, keepsAlive: Bool, isVersion1_0: Bool
    ) {
        self.bytes = bytes
        self.methodRange = methodRange
        self.targetRange = targetRange
        self.fieldLines = fieldLines
        self.framing = framing
        self.expectsContinue = expectsContinue
        self.keepsAlive = keepsAlive
        self.isVersion1_0 = isVersion1_0
        method = Method(bytes[methodRange])
        pathEnd = bytes[targetRange].firstIndex(of: UInt8(ascii: "?")) ?? targetRange.upperBound
    }
}

extension RequestHead {
    /// The same head without the lines whose name is chosen.
    package func droppingFields(where isDropped: (_ name: ArraySlice<UInt8>) -> Bool) -> RequestHead {
        RequestHead(
            bytes: bytes, methodRange: methodRange, targetRange: targetRange,
            fieldLines: fieldLines.filter { !isDropped(name(of: $0)) }, framing: framing,
            expectsContinue: expectsContinue, keepsAlive: keepsAlive, isVersion1_0: isVersion1_0)
    }
}

// MARK: - Parts of the request line

extension RequestHead {
    /// The method's token as sent; methods are case-sensitive.
    package var methodText: ArraySlice<UInt8> { bytes[methodRange] }

    /// The request target as sent, absolute form included.
    package var target: ArraySlice<UInt8> { bytes[targetRange] }

    /// The target up to its `?`, still percent-encoded, without scheme and authority of an absolute form.
    package var path: ArraySlice<UInt8> {
        let whole = bytes[targetRange.lowerBound..<pathEnd]
        guard whole.first != UInt8(ascii: "/"), let scheme = whole.firstIndex(of: UInt8(ascii: ":")) else {
            return whole
        }
        let authority = whole[scheme...].dropFirst(3)
        return authority[(authority.firstIndex(of: UInt8(ascii: "/")) ?? whole.endIndex)...]
    }

    /// What follows the first `?`; empty if there is none.
    package var query: ArraySlice<UInt8> { bytes[min(pathEnd + 1, targetRange.upperBound)..<targetRange.upperBound] }
}

// MARK: - Header fields

extension RequestHead {
    package func name(of line: FieldLine) -> ArraySlice<UInt8> {
        bytes[Int(line.name.lowerBound)..<Int(line.name.upperBound)]
    }

    package func value(of line: FieldLine) -> ArraySlice<UInt8> {
        bytes[Int(line.value.lowerBound)..<Int(line.value.upperBound)]
    }

    /// Whether the line's name is `name`, which is written in lower case.
    package func isNamed(_ line: FieldLine, _ name: StaticString) -> Bool {
        let start = Int(line.name.lowerBound)
        let count = Int(line.name.upperBound) - start
        guard count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                for index in 0..<count where bytes[start + index].lowercasedASCII != wanted[index] { return false }
                return true
            }
        }
    }

    /// The value of the first line called `name` (in lower case), without surrounding blanks.
    package func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        for line in fieldLines where isNamed(line, name) { return value(of: line) }
        return nil
    }

    /// The same as text; bytes that are no UTF-8 become replacement characters, so use it for display and for tokens.
    package func text(_ name: StaticString) -> String? { first(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The values of all lines called `name` (in lower case), in wire order.
    package func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        fieldLines.filter { isNamed($0, name) }.map(value(of:))
    }
}

extension RequestHead.Method {
    init(_ token: ArraySlice<UInt8>) {
        self =
            switch token {
            case _ where token.elementsEqual("GET".utf8): .get
            case _ where token.elementsEqual("PUT".utf8): .put
            case _ where token.elementsEqual("HEAD".utf8): .head
            case _ where token.elementsEqual("POST".utf8): .post
            case _ where token.elementsEqual("DELETE".utf8): .delete
            case _ where token.elementsEqual("OPTIONS".utf8): .options
            case _ where token.elementsEqual("PATCH".utf8): .patch
            default: .other
            }
    }
}

/// How the end of a request body is found (RFC 9112 §6).
package enum BodyFraming: Sendable, Equatable {
    case none
    case length(UInt64)
    case chunked
}

extension UInt8 {
    /// The lower-case form of an ASCII letter; every other byte is itself.
    package var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }

    package var isDigitASCII: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
