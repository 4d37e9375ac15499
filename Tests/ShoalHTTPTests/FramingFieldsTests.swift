import ShoalHTTP
import Testing

@Suite struct `The framing of a request` {
    @Test(
        arguments: [
            ([], .none),
            (["Content-Length: 0"], .length(0)),
            (["content-LENGTH:\t 0042 \t"], .length(42)),
            (["Content-Length: 18446744073709551615"], .length(.max)),
            (["Content-Length-: 1", "X-Transfer-Encoding: chunked"], .none),
            (["Transfer-Encoding: chunked"], .chunked),
            (["TRANSFER-encoding:Chunked "], .chunked),
        ] as [([String], BodyFraming)])
    func `follows from its fields`(fields: [String], expected: BodyFraming) throws {
        #expect(try parsedHead(headText("PUT /k HTTP/1.1", fields)).framing == expected)
    }

    @Test(
        arguments: [
            (["Content-Length:"], .malformed("Content-Length is empty")),
            (["Content-Length: +1"], notDigits),
            (["Content-Length: -1"], notDigits),
            (["Content-Length: 0x1"], notDigits),
            (["Content-Length: 1 2"], notDigits),
            (["Content-Length: 1, 1"], notDigits),
            (["Content-Length: ١"], notDigits),
            (["Content-Length: 18446744073709551616"], tooLong),
            (["Content-Length: 18446744073709551620"], tooLong),
            (["Content-Length: 100000000000000000000000"], tooLong),
            (["Content-Length: 1", "Content-Length: 1"], .malformed("there are two Content-Length fields")),
            (["Content-Length: 1", "content-length: 2"], .malformed("there are two Content-Length fields")),
            (["Content-Length: 1", "Transfer-Encoding: chunked"], besides),
            (["Transfer-Encoding: chunked", "Content-Length: 1"], besides),
            (["Transfer-Encoding:"], .transferCodingNotImplemented),
            (["Transfer-Encoding: identity"], .transferCodingNotImplemented),
            (["Transfer-Encoding: gzip, chunked"], .transferCodingNotImplemented),
            (["Transfer-Encoding: chunked, chunked"], .transferCodingNotImplemented),
            (["Transfer-Encoding: chunked,"], .transferCodingNotImplemented),
            (["Transfer-Encoding: chunked;a=b"], .transferCodingNotImplemented),
            (["Transfer-Encoding: xchunked"], .transferCodingNotImplemented),
            (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], .transferCodingNotImplemented),
            (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], .transferCodingNotImplemented),
            (["Transfer-Encoding: gzip", "Content-Length: 1"], .transferCodingNotImplemented),
            (["host: h"], .malformed("there are two Host fields")),
            (["Host: other"], .malformed("there are two Host fields")),
        ] as [([String], HeadRefusal)])
    func `is refused where two readers could differ`(fields: [String], expected: HeadRefusal) {
        #expect(HeadOutcome(headText("PUT /k HTTP/1.1", fields)) == .refused(expected))
    }

    @Test(arguments: ["Expect:", "Expect: 200-ok", "Expect: 100-continue, 100-continue"])
    func `ignores expectations that nobody can meet`(field: String) {
        #expect(HeadOutcome(headText("PUT /k HTTP/1.1", [field, "Content-Length: 1"])).isHead)
    }

    @Test func `needs a host unless the version is older than that field`() {
        #expect(HeadOutcome("GET / HTTP/1.1\r\n\r\n") == .refused(.malformed("there is no Host field")))
        #expect(HeadOutcome("GET / HTTP/1.0\r\n\r\n").isHead)
        #expect(HeadOutcome("GET / HTTP/1.1\r\nHost:\r\n\r\n").isHead)
        let two = "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n"
        #expect(HeadOutcome(two) == .refused(.malformed("there are two Host fields")))
    }

    @Test func `has no transfer coding in HTTP 1.0`() {
        let outcome = HeadOutcome(headText("PUT /k HTTP/1.0", ["Transfer-Encoding: chunked"]))
        #expect(outcome == .refused(.malformed("HTTP/1.0 has no Transfer-Encoding")))
    }

    @Test(
        arguments: [
            ("HTTP/1.1", [], true),
            ("HTTP/1.2", [], true),
            ("HTTP/1.1", ["Connection: keep-alive"], true),
            ("HTTP/1.1", ["Connection:"], true),
            ("HTTP/1.1", ["Connection: closed, xclose, clos"], true),
            ("HTTP/1.1", ["Connection: close"], false),
            ("HTTP/1.1", ["CONNECTION: CLOSE"], false),
            ("HTTP/1.1", ["Connection: keep-alive ,\tclose\t, upgrade"], false),
            ("HTTP/1.1", ["Connection: ,,close"], false),
            ("HTTP/1.1", ["Connection: close", "Connection: keep-alive"], false),
            ("HTTP/1.1", ["Connection: keep-alive", "Connection: close"], false),
            ("HTTP/1.0", [], false),
            ("HTTP/1.0", ["Connection: keep-alive"], false),
        ] as [(String, [String], Bool)])
    func `tells whether the connection serves another`(version: String, fields: [String], expected: Bool) throws {
        #expect(try parsedHead(headText("GET / " + version, fields)).keepsAlive == expected)
    }

    @Test(
        arguments: [
            ("HTTP/1.1", [], false),
            ("HTTP/1.1", ["Expect: 100-continue"], true),
            ("HTTP/1.1", ["eXPECT: 100-Continue"], true),
            ("HTTP/1.0", ["Expect: 100-continue"], false),
        ] as [(String, [String], Bool)])
    func `tells whether the client waits to be asked`(version: String, fields: [String], expected: Bool) throws {
        #expect(try parsedHead(headText("PUT /k " + version, fields)).expectsContinue == expected)
    }

    private static let notDigits = HeadRefusal.malformed("Content-Length is not a row of digits")
    private static let tooLong = HeadRefusal.malformed("Content-Length does not fit into 64 bits")
    private static let besides = HeadRefusal.malformed("Content-Length stands beside Transfer-Encoding")
}
