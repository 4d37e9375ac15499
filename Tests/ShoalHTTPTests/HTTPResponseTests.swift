import ShoalHTTP
import Testing

@Suite struct `The head of an answer` {
    private struct Slice: FileSlice {
        let byteCount: UInt64

        func run(at position: UInt64) -> FileRun {
            FileRun(descriptor: -1, offset: 7 + position, byteCount: byteCount - position)
        }
    }

    private static func written(_ response: HTTPResponse, closes: Bool = false) -> String {
        var buffer: [UInt8] = []
        response.writeHead(into: &buffer, closes: closes)
        return text(buffer)
    }

    @Test(
        arguments: [
            (200, .none, .ofBody, "0"),
            (200, .bytes(Array("abc".utf8)), .ofBody, "3"),
            (206, .file(Slice(byteCount: 12_345_678_901)), .ofBody, "12345678901"),
            (200, .file(Slice(byteCount: .max)), .ofBody, "18446744073709551615"),
            (200, .none, .declared(0), "0"),
            (200, .none, .declared(10), "10"),
            (200, .bytes([1]), .declared(99), "99"),
            (304, .none, .declared(5), "5"),
            (404, .none, .ofBody, "0"),
            (204, .none, .ofBody, nil),
            (304, .none, .ofBody, nil),
            (100, .none, .ofBody, nil),
            (200, .bytes([1]), .omitted, nil),
            (204, .none, .omitted, nil),
        ] as [(Int, HTTPResponse.Body, HTTPResponse.Length, String?)])
    func `has the length that its status and its body call for`(
        code: Int, body: HTTPResponse.Body, length: HTTPResponse.Length, expected: String?
    ) {
        var response = HTTPResponse(HTTPStatus(code), body: body)
        response.length = length
        let lines = Self.written(response).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "HTTP/1.1 \(code) \(HTTPStatus(code).reasonPhrase)")
        #expect(lines.dropFirst() == (expected.map { ["Content-Length: \($0)"] } ?? []) + ["", ""])
    }

    @Test func `says when the connection closes, after the caller's lines`() {
        var response = HTTPResponse(.ok, body: .bytes([1, 2]))
        response.add("a", "b")
        #expect(Self.written(response) == "HTTP/1.1 200 OK\r\na: b\r\nContent-Length: 2\r\n\r\n")
        #expect(
            Self.written(response, closes: true)
                == "HTTP/1.1 200 OK\r\na: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
        response.length = .omitted
        #expect(Self.written(response, closes: true) == "HTTP/1.1 200 OK\r\na: b\r\nConnection: close\r\n\r\n")
    }

    @Test func `keeps lines in the order they were added, whichever way`() {
        var response = HTTPResponse(.noContent)
        let value = "two"
        response.add("A", "one")
        response.add("B", value)
        response.add("C", Array("three".utf8))
        response.add(name: "D", value: "four")
        response.add("E") { $0.appendDecimal(5) }
        response.addLines("F: six\r\n".utf8)
        response.withFieldLines { $0 += Array("A: seven\r\n".utf8) }
        let lines = "A: one\r\nB: two\r\nC: three\r\nD: four\r\nE: 5\r\nF: six\r\nA: seven\r\n"
        #expect(text(response.fieldLines) == lines)
        #expect(Self.written(response) == "HTTP/1.1 204 No Content\r\n" + lines + "\r\n")
    }

    @Test func `goes behind what the buffer holds already`() {
        var buffer = Array("before".utf8)
        HTTPResponse(.noContent).writeHead(into: &buffer, closes: false)
        #expect(text(buffer) == "beforeHTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test(arguments: [0, 9, 10, 99, 100, 1_000_000_007, UInt64.max])
    func `writes numbers in decimal`(value: UInt64) {
        var buffer: [UInt8] = []
        buffer.appendDecimal(value)
        #expect(text(buffer) == String(value))
    }

    @Test func `forbids a body where the RFC does`() {
        let forbidding = (100...599).filter { HTTPStatus($0).forbidsBody }
        #expect(forbidding == Array(100..<200) + [204, 304])
    }
}
