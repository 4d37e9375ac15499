import ShoalHTTP
import Testing

@Suite struct `A head parser` {
    private static let noRequestLine = HeadRefusal.malformed(
        "the request line does not begin with a method and one blank")
    private static let noTarget = HeadRefusal.malformed(
        "the request line has no target followed by one blank and a version")
    private static let noVersion = HeadRefusal.malformed("the request line does not end with an HTTP version")
    private static let unknownForm = HeadRefusal.malformed("the request target is neither a path nor an http URL")
    private static let bareLineFeed = HeadRefusal.malformed("a line ends with a bare LF")
    private static let noName = HeadRefusal.malformed(
        "a header line has no name that is a token, followed by a colon")
    private static let controlInValue = HeadRefusal.malformed("a header value holds a control character")

    @Test func `stops behind the request line where it is asked to, and goes on from there`() throws {
        let bytes = Array("\r\nPUT /photos/a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz".utf8)
        let lineEnd = 2 + "PUT /photos/a?b=c HTTP/1.1\r\n".utf8.count
        var parser = HeadParser()
        for count in 0..<lineEnd {
            #expect(try parser.parseRequestLine(Array(bytes[..<count]).span) == nil)
            #expect(!parser.hasRequestLine)
        }
        let line = try #require(try parser.parseRequestLine(Array(bytes[..<lineEnd]).span))
        #expect(
            line.method == .put && line.path.elementsEqual("/photos/a".utf8) && line.query.elementsEqual("b=c".utf8))
        #expect(line.fieldLines.isEmpty && line.framing == .none && parser.hasRequestLine)
        let (head, byteCount) = try #require(try parser.parse(bytes.span))
        #expect(head.first("host")?.elementsEqual("h".utf8) == true && head.framing == .length(3))
        #expect(head.path.elementsEqual("/photos/a".utf8) && byteCount == bytes.count - 3)
        var refusing = HeadParser()
        #expect(throws: HeadRefusal.versionNotSupported) {
            _ = try refusing.parseRequestLine(Array("GET / HTTP/2.0\r\n".utf8).span)
        }
    }

    @Test(
        arguments: [
            ("\n", bareLineFeed),
            ("GET / HTTP/1.1\n", bareLineFeed),
            ("\r\n\r\n", noRequestLine),
            (" GET / HTTP/1.1\r\n", noRequestLine),
            ("GET\r\n", noRequestLine),
            ("GET\t/ HTTP/1.1\r\n", noRequestLine),
            ("G(T / HTTP/1.1\r\n", noRequestLine),
            ("GET  / HTTP/1.1\r\n", noTarget),
            ("GET /\r\n", noTarget),
            ("GET /\tHTTP/1.1\r\n", noTarget),
            ("GET / \r\n", noVersion),
            ("GET /  HTTP/1.1\r\n", noVersion),
            ("GET /a b HTTP/1.1\r\n", noVersion),
            ("GET / HTTP/1.1 \r\n", noVersion),
            ("GET / HTTP/1.\r\n", noVersion),
            ("GET / HTTP/1.10\r\n", noVersion),
            ("GET / HTTP/1,1\r\n", noVersion),
            ("GET / HTTP/x.1\r\n", noVersion),
            ("GET / http/1.1\r\n", noVersion),
            ("GET / HTTP/0.9\r\n", .versionNotSupported),
            ("PRI * HTTP/2.0\r\n", .versionNotSupported),
            ("GET a HTTP/1.1\r\n", unknownForm),
            ("GET *a HTTP/1.1\r\n", unknownForm),
            ("GET ?a HTTP/1.1\r\n", unknownForm),
            ("GET http: HTTP/1.1\r\n", unknownForm),
            ("GET ftp://h/ HTTP/1.1\r\n", unknownForm),
            ("CONNECT h:443 HTTP/1.1\r\n", unknownForm),
        ] as [(String, HeadRefusal)])
    func `refuses a bad request line as soon as it ends`(line: String, expected: HeadRefusal) {
        #expect(HeadOutcome(line) == .refused(expected))
    }

    @Test(
        arguments: [
            ("Host: h\n", bareLineFeed),
            ("a\r\n", noName),
            ("a : b\r\n", noName),
            ("a\t: b\r\n", noName),
            (" a: b\r\n", noName),
            ("\ta: b\r\n", noName),
            ("(a): b\r\n", noName),
            ("ä: b\r\n", noName),
            ("a: b\r\n c\r\n", noName),
            (": b\r\n", .malformed("a header name is empty")),
            ("a: b\rc\r\n", controlInValue),
            ("a: b\r\r\n", controlInValue),
            ("a: \0\r\n", controlInValue),
            ("a: \u{7F}\r\n", controlInValue),
        ] as [(String, HeadRefusal)])
    func `refuses a bad header line as soon as it ends`(line: String, expected: HeadRefusal) {
        #expect(HeadOutcome("GET / HTTP/1.1\r\n" + line) == .refused(expected))
    }

    @Test func `allows exactly the bytes the RFC does in each place`() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max {
            let isVisible = byte > 0x20 && byte != 0x7F
            let places: [(String, String, Bool)] = [
                ("G", "T / HTTP/1.1\r\nHost: h\r\n\r\n", token.contains(byte)),
                ("GET /", "a HTTP/1.1\r\nHost: h\r\n\r\n", isVisible),
                ("GET / HTTP/1.1\r\nHost: h\r\na", "b: c\r\n\r\n", token.contains(byte) || byte == UInt8(ascii: ":")),
                ("GET / HTTP/1.1\r\nHost: h\r\na: b", "c\r\n\r\n", isVisible || byte == 0x20 || byte == 0x09),
            ]
            for (before, after, isAllowed) in places {
                let outcome = HeadOutcome(Array(before.utf8) + [byte] + Array(after.utf8))
                #expect(outcome.isHead == isAllowed, "byte \(byte) after \(before.debugDescription)")
            }
        }
    }

    @Test func `forgives one empty line before the request line and leaves it out of the head`() throws {
        let whole = headText()
        let bytes = Array(("\r\n" + whole).utf8)
        var parser = HeadParser()
        let (head, byteCount) = try #require(try parser.parse(bytes.span))
        #expect(text(head.bytes) == whole)
        #expect(byteCount == bytes.count)
        #expect(text(head.methodText) == "GET")
        #expect(head.first("host").map(text) == "h")
        #expect(HeadOutcome("\r\n\r\n" + whole) == .refused(Self.noRequestLine))
    }

    @Test func `takes no byte of what follows the head`() throws {
        let whole = headText("PUT /k HTTP/1.1", ["Content-Length: 3"])
        let bytes = Array((whole + "\r\nGET / HTTP/9.9\r\n\0").utf8)
        var parser = HeadParser()
        let (head, byteCount) = try #require(try parser.parse(bytes.span))
        #expect(text(head.bytes) == whole)
        #expect(byteCount == whole.utf8.count)
    }

    @Test(arguments: [
        headText(),
        "\r\n" + headText("PUT /b/k?a=b HTTP/1.1", ["Content-Length: 12", "Expect: 100-continue", "a:", "b: \t c \t"]),
        headText("POST / HTTP/1.1", ["Transfer-Encoding: chunked", "Connection: close"]),
    ])
    func `is incomplete at each byte before the last and complete there`(text: String) {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count {
            #expect(HeadOutcome(bytes, arrivingUpTo: Array(0...end)) == .incomplete)
        }
        let whole = HeadOutcome(bytes)
        #expect(whole.isHead)
        #expect(HeadOutcome(bytes, arrivingUpTo: Array(0...bytes.count)) == whole)
    }
}

@Suite struct `The bounds of a head` {
    /// A head of exactly `byteCount` bytes.
    private static func head(of byteCount: Int) -> [UInt8] {
        let rest = headText("GET / HTTP/1.1", ["a: "]).utf8.count
        return Array(headText("GET / HTTP/1.1", ["a: " + String(repeating: "x", count: byteCount - rest)]).utf8)
    }

    @Test func `let the largest head pass, whatever follows it`() {
        let bytes = Self.head(of: HeadParser.byteCountMax)
        #expect(bytes.count == HeadParser.byteCountMax)
        #expect(HeadOutcome(bytes).isHead)
        #expect(HeadOutcome(bytes + [0, 10]) == HeadOutcome(bytes))
    }

    @Test func `refuse one byte more`() {
        #expect(HeadOutcome(Self.head(of: HeadParser.byteCountMax + 1)) == .refused(.tooLarge))
    }

    @Test(arguments: [UInt8(ascii: "x"), UInt8(ascii: "\r"), 0])
    func `refuse a line without an end once they are reached and no sooner`(byte: UInt8) {
        let bytes = [UInt8](repeating: byte, count: HeadParser.byteCountMax)
        #expect(HeadOutcome(Array(bytes.dropLast())) == .incomplete)
        #expect(HeadOutcome(bytes) == .refused(.tooLarge))
    }

    @Test func `count header lines`() {
        let most = Array(repeating: "a:", count: HeadParser.fieldLineCountMax - 1)
        #expect(HeadOutcome(headText("GET / HTTP/1.1", most)).isHead)
        #expect(HeadOutcome(headText("GET / HTTP/1.1", most + ["a:"])) == .refused(.tooLarge))
    }

    /// Each byte is looked at once, or 64 KiB that come one by one would be two thousand million looks.
    @Test(.timeLimit(.minutes(1)))
    func `cost no more when bytes come one by one`() {
        let bytes = Self.head(of: HeadParser.byteCountMax)
        #expect(HeadOutcome(bytes, arrivingUpTo: Array(0...bytes.count)) == HeadOutcome(bytes))
    }

    @Test(
        arguments: [
            (.malformed("why"), .badRequest, "why"),
            (.tooLarge, .requestHeaderFieldsTooLarge, "the request head is larger than 65536 bytes"),
            (.transferCodingNotImplemented, .notImplemented, "only the transfer coding `chunked` is implemented"),
            (.versionNotSupported, .httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are spoken here"),
        ] as [(HeadRefusal, HTTPStatus, String)])
    func `and every other refusal have a status and a reason`(refusal: HeadRefusal, status: HTTPStatus, reason: String)
    {
        #expect(refusal.status == status)
        #expect(refusal.reason == reason)
    }
}
