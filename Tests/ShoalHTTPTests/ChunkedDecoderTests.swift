import ShoalHTTP
import Testing

@Suite struct `A chunked decoder` {
    @Test(arguments: [
        ("0\r\n\r\n", ""),
        ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
        ("a\r\n0123456789\r\nA\r\n0123456789\r\n000\r\n\r\n", "01234567890123456789"),
        ("0000000000000003\r\nabc\r\n0000000000000000\r\n\r\n", "abc"),
        ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
        ("3;a\r\nabc\r\n0;b=c\r\n\r\n", "abc"),
        ("3;chunk-signature=abc;\td=\"é;\"\r\nabc\r\n0;\r\n\r\n", "abc"),
        ("3\r\nabc\r\n0\r\na: b\r\n\r\n", "abc"),
        ("3\r\nabc\r\n0\r\nx-amz-checksum-crc32: AAAA\r\nc: é\t\r\n\r\n", "abc"),
    ])
    func `gives the same payload however its bytes are cut`(body: String, payload: String) {
        let bytes = Array(body.utf8)
        let whole = ChunkedOutcome(bytes)
        #expect(text(whole.payload) == payload)
        #expect(whole.end == .ended(byteCount: bytes.count))
        #expect(ChunkedOutcome(bytes, cutAt: Array(0...bytes.count)) == whole)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                #expect(ChunkedOutcome(bytes, cutAt: [first, second]) == whole)
            }
            if first < bytes.count { #expect(ChunkedOutcome(Array(bytes[..<first])).end == .incomplete) }
        }
    }

    @Test func `takes no byte of what follows the body`() {
        let body = "1\r\na\r\n0\r\nb: c\r\n\r\n"
        let outcome = ChunkedOutcome(body + "GET / HTTP/1.1\r\n\0")
        #expect(text(outcome.payload) == "a")
        #expect(outcome.end == .ended(byteCount: body.utf8.count))
    }

    @Test func `counts what it consumed from the start of the buffer`() throws {
        let buffer = Array("skip0\r\n\r\nmore".utf8)
        var decoder = ChunkedDecoder()
        #expect(try decoder.next(buffer.span, from: 4) == .end(consumed: 9))
    }

    @Test func `hands out ranges of the buffer and asks for more between them`() throws {
        let buffer = Array("3\r\nabc\r\n8\r\nde".utf8)
        var decoder = ChunkedDecoder()
        #expect(try decoder.next(buffer.span, from: 0) == .payload(3..<6))
        #expect(try decoder.next(buffer.span, from: 6) == .payload(11..<13))
        #expect(try decoder.next(buffer.span, from: 13) == .needsMore)
        let rest = Array("fghijk\r\n0\r\n\r\n".utf8)
        #expect(try decoder.next(rest.span, from: 0) == .payload(0..<6))
        #expect(!decoder.isDone)
        #expect(try decoder.next(rest.span, from: 6) == .end(consumed: rest.count))
        #expect(decoder.isDone)
    }

    private static let notHexadecimal = "a chunk size is not hexadecimal"
    private static let notAnExtension = "a chunk size is followed by something else than CRLF or an extension"
    private static let badSizeLine = "a chunk-size line does not end with CRLF"
    private static let badTrailerLine = "a trailer line does not end with CRLF"

    @Test(arguments: [
        ("\r\n", "", notHexadecimal),
        ("\n", "", notHexadecimal),
        (";a\r\n", "", notHexadecimal),
        (" 1\r\na\r\n", "", notHexadecimal),
        ("-1\r\na\r\n", "", notHexadecimal),
        ("+1\r\na\r\n", "", notHexadecimal),
        ("g\r\n", "", notHexadecimal),
        ("1\r\na\r\n\r\n", "a", notHexadecimal),
        ("0x1\r\na\r\n", "", notAnExtension),
        ("1 \r\na\r\n", "", notAnExtension),
        ("1 ;a\r\na\r\n", "", notAnExtension),
        ("1\na\r\n", "", notAnExtension),
        ("1_0\r\n", "", notAnExtension),
        ("00000000000000001\r\n", "", "a chunk size has more than 16 digits"),
        ("10000000000000000\r\n", "", "a chunk size has more than 16 digits"),
        ("1;\n", "", "a chunk extension holds a control character"),
        ("1;a\0\r\n", "", "a chunk extension holds a control character"),
        ("1;a\u{7F}\r\n", "", "a chunk extension holds a control character"),
        ("1\ra", "", badSizeLine),
        ("1\r\r\n", "", badSizeLine),
        ("1;a\ra\r\n", "", badSizeLine),
        ("1\r\nab\r\n", "a", "a chunk is longer than its size"),
        ("1\r\na\n", "a", "a chunk is longer than its size"),
        ("1\r\na0\r\n\r\n", "a", "a chunk is longer than its size"),
        ("1\r\na\r0\r\n\r\n", "a", "a chunk does not end with CRLF"),
        ("1\r\na\r\r\n", "a", "a chunk does not end with CRLF"),
        ("3\r\na\r\n0\r\n\r\n", "a\r\n", "a chunk is longer than its size"),
        ("0\r\n\ra", "", "the chunked body does not end with CRLF"),
        ("0\r\na: b\r\n\r\r", "", "the chunked body does not end with CRLF"),
        ("0\r\n\n", "", "a trailer line holds a control character"),
        ("0\r\na: b\n\r\n", "", "a trailer line holds a control character"),
        ("0\r\na: \0\r\n\r\n", "", "a trailer line holds a control character"),
        ("0\r\na: b\rc\r\n\r\n", "", badTrailerLine),
        ("0\r\na: b\r\r\n\r\n", "", badTrailerLine),
    ])
    func `refuses what is not the coding, wherever it is cut`(body: String, payload: String, reason: String) {
        let bytes = Array(body.utf8)
        let whole = ChunkedOutcome(bytes)
        #expect(text(whole.payload) == payload)
        #expect(whole.end == .refused(.malformed(reason)))
        #expect(ChunkedOutcome(bytes, cutAt: Array(0...bytes.count)) == whole)
    }

    @Test func `passes on the largest size without adding it up`() {
        let outcome = ChunkedOutcome("FFFFffffFFFFffff\r\nabc")
        #expect(outcome.end == .incomplete)
        #expect(text(outcome.payload) == "abc")
    }
}

@Suite struct `The bounds of chunk framing` {
    private static let tooLongLine = ChunkedOutcome.End.refused(.malformed("a chunk-size line is too long"))
    private static let tooLongTrailer = ChunkedOutcome.End.refused(.malformed("the trailer section is too long"))

    /// A chunk of one byte whose size line has `byteCount` bytes.
    private static func chunk(sizeLine byteCount: Int) -> String {
        "1;" + String(repeating: "a", count: byteCount - 4) + "\r\nx\r\n"
    }

    @Test func `hold for each size line by itself`() {
        let most = Self.chunk(sizeLine: ChunkedDecoder.sizeLineByteCountMax)
        let outcome = ChunkedOutcome(most + most + "0\r\n\r\n")
        #expect(text(outcome.payload) == "xx")
        #expect(outcome.end == .ended(byteCount: 2 * most.utf8.count + 5))
        let more = Self.chunk(sizeLine: ChunkedDecoder.sizeLineByteCountMax + 1)
        #expect(ChunkedOutcome(more + "0\r\n\r\n").end == Self.tooLongLine)
        #expect(ChunkedOutcome(most + more + "0\r\n\r\n").end == Self.tooLongLine)
    }

    @Test func `refuse an extension without an end once they are reached and no sooner`() {
        let bytes = Array(("1;" + String(repeating: "a", count: ChunkedDecoder.sizeLineByteCountMax)).utf8)
        #expect(ChunkedOutcome(Array(bytes[..<ChunkedDecoder.sizeLineByteCountMax])).end == .incomplete)
        #expect(ChunkedOutcome(Array(bytes[...ChunkedDecoder.sizeLineByteCountMax])).end == Self.tooLongLine)
    }

    @Test func `hold for all trailer lines together`() {
        let lines = String(repeating: "a: b\r\n", count: 100)
        let count = ChunkedDecoder.trailerByteCountMax - lines.utf8.count - 4
        let most = lines + String(repeating: "a", count: count) + "\r\n\r\n"
        #expect(ChunkedOutcome("0\r\n" + most).end == .ended(byteCount: 3 + ChunkedDecoder.trailerByteCountMax))
        #expect(ChunkedOutcome("0\r\na" + most).end == Self.tooLongTrailer)
    }
}
