import ShoalHTTP
import Testing

@Suite struct `A request head` {
    @Test(arguments: [
        ("/", "/", ""),
        ("/b/k", "/b/k", ""),
        ("/b/k?", "/b/k", ""),
        ("/b/k?a=b&c", "/b/k", "a=b&c"),
        ("/b?a=b?c", "/b", "a=b?c"),
        ("/b/%2F%3Fk?%3F", "/b/%2F%3Fk", "%3F"),
        ("//b//k", "//b//k", ""),
        ("/http://h/k", "/http://h/k", ""),
        ("/b/ä", "/b/ä", ""),
        ("*", "*", ""),
        ("http://h/b/k?q", "/b/k", "q"),
        ("https://h:9000/b/k", "/b/k", ""),
        ("http://h/", "/", ""),
        ("http://h", "", ""),
        ("http://h?q", "", "q"),
        ("http://h?/q", "", "/q"),
        ("http://h/b?http://x/y", "/b", "http://x/y"),
        ("http://", "", ""),
        ("http:///k", "/k", ""),
    ])
    func `divides its target into path and query and decodes neither`(target: String, path: String, query: String)
        throws
    {
        // Behind an empty line too, so that places are those of the head and not those of the buffer.
        for before in ["", "\r\n"] {
            let head = try parsedHead(before + headText("GET \(target) HTTP/1.1"))
            #expect(text(head.target) == target)
            #expect(text(head.path) == path)
            #expect(text(head.query) == query)
        }
    }

    @Test(
        arguments: [
            ("GET", .get), ("HEAD", .head), ("PUT", .put), ("POST", .post), ("DELETE", .delete), ("OPTIONS", .options),
            ("PATCH", .patch), ("get", .other), ("Get", .other), ("GETT", .other), ("GE", .other), ("TRACE", .other),
            ("X-a!", .other),
        ] as [(String, RequestHead.Method)])
    func `knows a method only in its own case`(token: String, expected: RequestHead.Method) throws {
        let head = try parsedHead(headText("\(token) / HTTP/1.1"))
        #expect(head.method == expected)
        #expect(text(head.methodText) == token)
    }

    private static let lines = [
        "x-amz-meta-a: 1", "Other:two", "X-AMZ-Meta-A:\t 2, 3 \t", "x-amz-meta-ab: no", "x-amz-meta-: no",
        "X-Amz-meta-A:", "empty:  ", "inner: a  \t b",
    ]

    @Test func `finds fields whatever their case and keeps duplicates in wire order`() throws {
        let head = try parsedHead(headText("GET / HTTP/1.1", Self.lines))
        #expect(head.all("x-amz-meta-a").map(text) == ["1", "2, 3", ""])
        #expect(head.first("x-amz-meta-a").map(text) == "1")
        #expect(head.text("x-amz-meta-a") == "1")
        #expect(head.text("other") == "two")
        #expect(head.text("empty") == "")
        #expect(head.text("inner") == "a  \t b")
    }

    @Test func `has nothing under a name no line bears`() throws {
        let head = try parsedHead(headText("GET / HTTP/1.1", Self.lines))
        #expect(head.first("x-amz-meta") == nil)
        #expect(head.text("date") == nil)
        #expect(head.all("othe").isEmpty)
        #expect(head.all("others").isEmpty)
    }

    @Test func `gives names as they were written, in wire order`() throws {
        let head = try parsedHead(headText("GET / HTTP/1.1", Self.lines))
        let names = ["Host"] + Self.lines.map { String($0.prefix { $0 != ":" }) }
        #expect(head.fieldLines.map { text(head.name(of: $0)) } == names)
        #expect(head.fieldLines.filter { head.isNamed($0, "x-amz-meta-a") }.count == 3)
    }

    @Test func `gives bytes that are no UTF-8 as they are and their text with replacements`() throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\na: b".utf8) + [0xFF] + Array("c\r\n\r\n".utf8)
        var parser = HeadParser()
        let head = try #require(try parser.parse(bytes.span)).head
        #expect(head.first("a").map(Array.init) == [UInt8(ascii: "b"), 0xFF, UInt8(ascii: "c")])
        #expect(head.text("a") == "b\u{FFFD}c")
    }

    @Test func `lowers ASCII letters only`() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = (0x41...0x5A).contains(byte)
            #expect(byte.lowercasedASCII == (isCapital ? byte + 32 : byte))
            #expect(byte.isDigitASCII == (0x30...0x39).contains(byte))
        }
    }
}
