/// Parses a request head as its bytes arrive, line by line, so that a bad line is refused when it ends and not when the
/// head does.
///
/// Stricter than most servers on purpose: whatever two parsers could read in two ways is refused (bare LF, obs-fold,
/// blank before a colon, repeated Content-Length, Content-Length beside Transfer-Encoding).
/// https://www.rfc-editor.org/rfc/rfc9112.html
package struct HeadParser {
    /// Bytes a head may have, request line and empty line included.
    package static let byteCountMax = 64 * 1024
    /// Header lines a head may have.
    package static let fieldLineCountMax = 1_000

    private var lineStart = 0
    private var scanned = 0
    private var headStart = 0
    private var requestLine: RequestLine?
    private var fields: [RequestHead.FieldLine] = []
    private var framing = FramingFields()

    package init() {}

    /// The request line has been read.
    package var hasRequestLine: Bool { requestLine != nil }

    /// The request line as a head without header lines; nil while it is incomplete. `parse` goes on behind it, with the
    /// same bytes and more.
    package mutating func parseRequestLine(_ buffer: Span<UInt8>) throws(HeadRefusal) -> RequestHead? {
        while true {
            if let requestLine {
                // Whether a Host is due, the header lines say.
                return RequestHead(
                    bytes: buffer.extracting(headStart..<lineStart).withUnsafeBufferPointer { Array($0) },
                    methodRange: requestLine.method.shifted(down: headStart),
                    targetRange: requestLine.target.shifted(down: headStart), fieldLines: [], framing: .none,
                    expectsContinue: false, keepsAlive: true, isVersion1_0: requestLine.minorVersion == 0)
            }
            guard let line = try nextLine(in: buffer) else {
                if buffer.count >= Self.byteCountMax { throw .tooLarge }
                return nil
            }
            try takeRequestLine(buffer, line)
        }
    }

    /// The head that begins `buffer`, with the number of bytes it takes; nil while it is incomplete.
    ///
    /// Call again with the same bytes and more behind them. After a result or a refusal the parser is spent.
    package mutating func parse(_ buffer: Span<UInt8>) throws(HeadRefusal) -> (head: RequestHead, byteCount: Int)? {
        while let line = try nextLine(in: buffer) {
            if requestLine == nil {
                try takeRequestLine(buffer, line)
            } else if line.isEmpty {
                guard let requestLine else { throw .malformed("there is no request line") }
                let head = try Self.head(
                    in: buffer.extracting(headStart..<lineStart), requestLine, startingAt: headStart, fields: fields,
                    framing: framing)
                return (head, lineStart)
            } else {
                try addField(buffer, line)
            }
        }
        if buffer.count >= Self.byteCountMax { throw .tooLarge }
        return nil
    }

    /// The next whole line, without its end.
    private mutating func nextLine(in buffer: Span<UInt8>) throws(HeadRefusal) -> Range<Int>? {
        guard let lineFeed = nextLineFeed(in: buffer, upTo: min(buffer.count, Self.byteCountMax)) else { return nil }
        guard lineFeed > lineStart, buffer[lineFeed - 1] == .carriageReturn else {
            throw .malformed("a line ends with a bare LF")
        }
        defer { lineStart = lineFeed + 1 }
        return lineStart..<(lineFeed - 1)
    }

    private mutating func takeRequestLine(_ buffer: Span<UInt8>, _ line: Range<Int>) throws(HeadRefusal) {
        // One empty line before the request line is forgiven (RFC 9112 §2.2).
        if line.isEmpty && headStart == 0 {
            headStart = lineStart
        } else {
            requestLine = try RequestLine(buffer, line)
        }
    }

    private mutating func nextLineFeed(in buffer: Span<UInt8>, upTo limit: Int) -> Int? {
        var index = scanned
        while index < limit {
            if buffer[unchecked: index] == .lineFeed {
                scanned = index + 1
                return index
            }
            index += 1
        }
        scanned = index
        return nil
    }

    private mutating func addField(_ buffer: Span<UInt8>, _ line: Range<Int>) throws(HeadRefusal) {
        guard fields.count < Self.fieldLineCountMax else { throw .tooLarge }
        var colon = line.lowerBound
        while colon < line.upperBound, buffer[colon].isToken { colon += 1 }
        guard colon < line.upperBound, buffer[colon] == UInt8(ascii: ":") else {
            throw .malformed("a header line has no name that is a token, followed by a colon")
        }
        guard colon > line.lowerBound else { throw .malformed("a header name is empty") }
        var (start, end) = (colon + 1, line.upperBound)
        while start < end, buffer[start].isBlank { start += 1 }
        while end > start, buffer[end - 1].isBlank { end -= 1 }
        for index in start..<end where !buffer[index].isFieldContent {
            throw .malformed("a header value holds a control character")
        }
        let field = RequestHead.FieldLine(
            name: Int32(line.lowerBound - headStart)..<Int32(colon - headStart),
            value: Int32(start - headStart)..<Int32(end - headStart))
        if fields.isEmpty { fields.reserveCapacity(16) }
        fields.append(field)
        try framing.note(buffer, name: line.lowerBound..<colon, value: start..<end)
    }

    private static func head(
        in buffer: Span<UInt8>, _ requestLine: RequestLine, startingAt start: Int, fields: [RequestHead.FieldLine],
        framing: FramingFields
    ) throws(HeadRefusal) -> RequestHead {
        let isVersion1_0 = requestLine.minorVersion == 0
        let framingResult = try framing.resolve(isVersion1_0: isVersion1_0)
        return RequestHead(
            bytes: buffer.withUnsafeBufferPointer { Array($0) }, methodRange: requestLine.method.shifted(down: start),
            targetRange: requestLine.target.shifted(down: start), fieldLines: fields, framing: framingResult,
            expectsContinue: framing.expectsContinue && !isVersion1_0,
            keepsAlive: framing.keepsAlive(isVersion1_0: isVersion1_0), isVersion1_0: isVersion1_0)
    }
}

/// `method SP target SP HTTP/1.x` (RFC 9112 §3).
private struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    let minorVersion: UInt8

    init(_ buffer: Span<UInt8>, _ line: Range<Int>) throws(HeadRefusal) {
        var index = line.lowerBound
        while index < line.upperBound, buffer[index].isToken { index += 1 }
        method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, buffer[index] == .space else {
            throw .malformed("the request line does not begin with a method and one blank")
        }
        let targetStart = index + 1
        index = targetStart
        while index < line.upperBound, buffer[index].isTargetByte { index += 1 }
        target = targetStart..<index
        guard !target.isEmpty, index < line.upperBound, buffer[index] == .space else {
            throw .malformed("the request line has no target followed by one blank and a version")
        }
        minorVersion = try Self.version(buffer, (index + 1)..<line.upperBound)
        guard Self.isKnownForm(buffer, target) else {
            throw .malformed("the request target is neither a path nor an http URL")
        }
    }

    private static func version(_ buffer: Span<UInt8>, _ range: Range<Int>) throws(HeadRefusal) -> UInt8 {
        let prefix: StaticString = "HTTP/"
        guard range.count == 8, buffer.hasPrefix(prefix, at: range.lowerBound),
            buffer[range.lowerBound + 6] == UInt8(ascii: "."),
            buffer[range.lowerBound + 5].isDigitASCII, buffer[range.lowerBound + 7].isDigitASCII
        else { throw .malformed("the request line does not end with an HTTP version") }
        guard buffer[range.lowerBound + 5] == UInt8(ascii: "1") else { throw .versionNotSupported }
        return buffer[range.lowerBound + 7] - UInt8(ascii: "0")
    }

    /// Origin form, absolute form, or the asterisk of OPTIONS (RFC 9112 §3.2).
    private static func isKnownForm(_ buffer: Span<UInt8>, _ target: Range<Int>) -> Bool {
        buffer[target.lowerBound] == UInt8(ascii: "/")
            || buffer.hasPrefix("http://", at: target.lowerBound) || buffer.hasPrefix("https://", at: target.lowerBound)
            || (target.count == 1 && buffer[target.lowerBound] == UInt8(ascii: "*"))
    }
}

extension Span<UInt8> {
    fileprivate func hasPrefix(_ prefix: StaticString, at start: Int) -> Bool {
        guard start + prefix.utf8CodeUnitCount <= count else { return false }
        return prefix.withUTF8Buffer { wanted in
            for index in 0..<wanted.count where self[start + index] != wanted[index] { return false }
            return true
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(down distance: Int) -> Range<Int> {
        (lowerBound - distance)..<(upperBound - distance)
    }
}
