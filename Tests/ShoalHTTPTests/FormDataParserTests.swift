import ShoalHTTP
import ShoalSeeded
import Testing

/// What came of a form that was given in pieces.
private struct FormOutcome: Equatable {
    struct Part: Equatable {
        let head: FormPartHead
        var content: [UInt8] = []
        var hasEnded = false

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    var parts: [Part] = []
    var flaw: String?
    var isClosed = false

    init(_ body: [UInt8], boundary: String = "b", cutAt cuts: [Int] = []) throws {
        var parser = FormDataParser(
            try #require(FormBoundary(contentType: Array("multipart/form-data; boundary=\(boundary)".utf8)[...])))
        var start = 0
        for end in cuts + [body.count] {
            guard take(Array(body[start..<end]), &parser) else { break }
            start = end
        }
        isClosed = parser.isClosed
    }

    /// False after a flaw.
    private mutating func take(_ piece: [UInt8], _ parser: inout FormDataParser) -> Bool {
        var index = 0
        while true {
            do {
                switch try parser.next(piece.span, from: &index) {
                case .needsMore:
                    #expect(index == piece.count)
                    return true
                case .part(let head): parts.append(Part(head: head))
                case .content(let range): parts[parts.count - 1].content += piece[range]
                case .heldContent(let bytes): parts[parts.count - 1].content += bytes
                case .partEnd: parts[parts.count - 1].hasEnded = true
                }
            } catch {
                flaw = error.reason
                return false
            }
        }
    }
}

@Suite struct `A multipart form` {
    private static func part(_ parameters: String, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n\(content)\r\n"
    }

    @Test func `gives its parts with their names and contents`() throws {
        let text =
            "preamble\r\n" + Self.part("name=\"key\"", "a/b") + Self.part("name=empty", "")
            + "--b  \r\nContent-Type: text/plain\r\nCONTENT-DISPOSITION:form-data;name=\"file\" ; filename=\"C:\\x\\\"y.txt\""
            + "\r\n\r\n\r\n--c\r\n-b\r\r\n--\r\n--b--\r\nepilogue --b\r\n--b\r\nx"
        let outcome = try FormOutcome(Array(text.utf8))
        #expect(outcome.flaw == nil && outcome.isClosed)
        #expect(outcome.parts.map { String(decoding: $0.head.name, as: UTF8.self) } == ["key", "empty", "file"])
        #expect(outcome.parts.map(\.text) == ["a/b", "", "\r\n--c\r\n-b\r\r\n--"])
        #expect(outcome.parts.map(\.hasEnded) == [true, true, true])
        #expect(outcome.parts[2].head.filename == Array("C:\\x\"y.txt".utf8))
        #expect(outcome.parts[0].head.filename == nil)
    }

    @Test(arguments: [
        "--bx\r\n", "--b-x", "--b\rx", "--b\n", "--b\r\n\r\n", "--b\r\n\n", "--b\r\nx\r\n\r\n", "--b\r\n: x\r\n\r\n",
        "--b\r\nContent-Disposition: form-data\r\n\r\n", "--b\r\nContent-Disposition: attachment; name=a\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"a\"x\r\n\r\n", "--b\r\nA: b\r\n\r\n",
        "--b\r\nA: \r\u{1}\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name=a\rX: y\r\n\r\n",
    ])
    func `is refused where its framing is broken`(text: String) throws {
        #expect(try FormOutcome(Array(text.utf8)).flaw != nil)
    }

    @Test func `bounds the header lines of a part`() throws {
        let long = "--b\r\nX: " + String(repeating: "y", count: FormDataParser.headByteCountMax)
        #expect(try FormOutcome(Array(long.utf8)).flaw == "the header lines of a part are too long")
    }

    @Test(
        arguments: [
            ("multipart/form-data; boundary=x", "x"), ("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a b\"", "a b"),
            ("multipart/form-data; boundary=----WebKit/:=?x", "----WebKit/:=?x"), ("multipart/form-data", nil),
            ("multipart/form-data; boundary=", nil), ("multipart/form-data; boundary=\"x", nil),
            ("multipart/mixed; boundary=x", nil), ("multipart/form-data; boundary=\"x \"", nil),
            ("multipart/form-data; boundary=é", nil),
            ("multipart/form-data; boundary=" + String(repeating: "x", count: 257), nil),
        ] as [(String, String?)])
    func `has the boundary its type names`(type: String, boundary: String?) {
        #expect(FormBoundary(contentType: Array(type.utf8)[...])?.bytes == boundary.map { Array($0.utf8) })
    }

    /// Contents of bytes that look like the delimiter.
    private static func form(using random: inout SeededGenerator) -> (body: [UInt8], contents: [[UInt8]]) {
        var body = Array(["", "x\r\n", "\r\n", "\r\n--\r\n"].randomElement(using: &random)!.utf8)
        var contents: [[UInt8]] = []
        for number in 0..<Int.random(in: 1...4, using: &random) {
            var content: [UInt8] = []
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                content += ["\r", "\n", "\r\n", "\r\n-", "\r\n--", "-", "a", "--b"].randomElement(using: &random)!.utf8
            }
            // What holds the delimiter itself cannot be sent.
            if content.firstRange(of: Array("\r\n--b".utf8)) != nil { content = [0x0D, 0x0A] }
            body += Array("--b\r\nContent-Disposition: form-data; name=\"n\(number)\"\r\n\r\n".utf8) + content
            body += "\r\n".utf8
            contents.append(content)
        }
        return (body + Array("--b--\r\n".utf8), contents)
    }

    @Test(arguments: 0..<20)
    func `gives the same however its bytes are cut, and its contents to the byte`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let (body, contents) = Self.form(using: &random)
            let whole = try FormOutcome(body)
            #expect(whole.flaw == nil && whole.isClosed && whole.parts.map(\.content) == contents, "seed \(seed)")
            #expect(try FormOutcome(body, cutAt: body.cuts(using: &random)) == whole, "seed \(seed)")
            #expect(try FormOutcome(body, cutAt: Array(0...body.count)) == whole, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<20)
    func `never traps on changed bytes, and refuses the same however they are cut`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let bytes = Self.form(using: &random).body.mutated(using: &random)
            let whole = try FormOutcome(bytes)
            #expect(try FormOutcome(bytes, cutAt: bytes.cuts(using: &random)) == whole, "seed \(seed)")
        }
    }
}
