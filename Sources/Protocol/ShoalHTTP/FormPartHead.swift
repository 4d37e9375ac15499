/// What the header lines of one part of a form say.
/// https://www.rfc-editor.org/rfc/rfc7578.html#section-4.2
package struct FormPartHead: Sendable, Equatable {
    package let name: [UInt8]
    /// As the client sent it, a path included; nil for a part that is no file. `filename*` does not count, which RFC 7578
    /// forbids.
    package let filename: [UInt8]?

    package init(name: [UInt8], filename: [UInt8]? = nil) {
        self.name = name
        self.filename = filename
    }

    /// `lines` end with CRLF each. Throws for a line that is no header, and without a name in `Content-Disposition`.
    init(lines: ArraySlice<UInt8>) throws(FormDataFlaw) {
        var disposition: ParameterizedValue?
        var rest = lines
        while !rest.isEmpty {
            let end = rest.firstIndex(of: .carriageReturn) ?? rest.endIndex
            let line = rest[..<end]
            guard rest[end...].starts(with: "\r\n".utf8) else { throw FormDataFlaw("a header line holds a CR") }
            rest = rest[(end + 2)...]
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(\.isToken), line[(colon + 1)...].allSatisfy(\.isFieldContent)
            else { throw FormDataFlaw("a line in front of a part is no header") }
            guard disposition == nil, line[..<colon].equalsIgnoringCase("content-disposition") else { continue }
            guard let value = ParameterizedValue(line[(colon + 1)...]), value.word.equalsIgnoringCase("form-data")
            else { throw FormDataFlaw("the Content-Disposition of a part is no form-data") }
            disposition = value
        }
        guard let name = disposition?.first("name") else { throw FormDataFlaw("a part has no name") }
        self.init(name: name, filename: disposition?.first("filename"))
    }
}

/// What separates the parts of a form.
/// https://www.rfc-editor.org/rfc/rfc2046.html#section-5.1.1
package struct FormBoundary: Sendable, Equatable {
    /// RFC 2046 allows 70 bytes; longer ones occur and do no harm.
    package static let byteCountMax = 256

    package let bytes: [UInt8]

    /// The boundary in the value of `Content-Type`; nil unless that is `multipart/form-data` with a good one.
    package init?(contentType: ArraySlice<UInt8>) {
        guard let type = ParameterizedValue(contentType), type.word.equalsIgnoringCase("multipart/form-data"),
            let boundary = type.first("boundary"), (1...Self.byteCountMax).contains(boundary.count),
            boundary.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), boundary.last != .space
        else { return nil }
        bytes = boundary
    }

    /// What ends the content of a part: CRLF, two hyphens and the boundary.
    var delimiter: [UInt8] { Array("\r\n--".utf8) + bytes }

    /// The fewest bytes that follow the content of a part: the delimiter, and two hyphens or a line end.
    package var delimiterLineByteCount: Int { delimiter.count + 2 }
}

/// Why the bytes are no `multipart/form-data`, in words for the log.
package struct FormDataFlaw: Error, Equatable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
