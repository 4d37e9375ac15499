import Testing

@testable import shoal

@Suite struct `A size` {
    @Test(
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"), (1_048_575, "1.0 MiB"),
            (10 << 30, "10.0 GiB"), (UInt64.max, "16.0 EiB"),
        ] as [(UInt64, String)])
    func `is written in its unit`(count: UInt64, text: String) {
        #expect(ByteCountText.of(count) == text)
    }
}

@Suite struct `A table` {
    private static var table: Table {
        var table = Table([.init("ID"), .init("FIRED", .right), .init("RULE")])
        table.add(["lost", "2", "PutObject * @commit.after reset"])
        table.add(["a-longer-id", "1000000", ""])
        return table
    }

    @Test func `aligns its columns on a terminal`() {
        #expect(
            Self.table.text(forTerminal: true) == """
                ID             FIRED  RULE
                lost               2  PutObject * @commit.after reset
                a-longer-id  1000000

                """)
    }

    @Test func `separates values by tabs, without headings, elsewhere`() {
        #expect(
            Self.table.text(forTerminal: false) == """
                lost\t2\tPutObject * @commit.after reset
                a-longer-id\t1000000\t

                """)
    }

    @Test(arguments: [
        ("a\tb\nc\r", "a\\tb\\nc\\r"), ("\u{1B}[31mred", "\\x1b[31mred"), ("\u{9B}1m", "\\x9b1m"), ("é 日", "é 日"),
    ])
    func `lets no control character through`(text: String, printed: String) {
        var table = Table([.init("KEY")])
        table.add([text])
        #expect(table.text(forTerminal: false) == printed + "\n")
    }
}

@Suite struct `A progress bar` {
    @Test(
        arguments: [
            (0, 100, "seed [..............................]   0% 0 B of 100 B"),
            (50, 100, "seed [###############...............]  50% 50 B of 100 B"),
            (100, 100, "seed [##############################] 100% 100 B of 100 B"),
            (0, 0, "seed [##############################] 100% 0 B of 0 B"),
        ] as [(UInt64, UInt64, String)])
    func `shows share and bytes`(done: UInt64, total: UInt64, line: String) {
        #expect(ProgressBar.line(label: "seed", done: done, total: total) == line)
    }
}

@Suite struct `A header argument` {
    @Test(arguments: [
        ("Content-Type: image/png", "Content-Type", "image/png"), ("x-amz-meta-a:b", "x-amz-meta-a", "b"),
        ("A:  b: c \t", "A", "b: c"), ("A:", "A", ""),
    ])
    func `is a name and a value`(text: String, name: String, value: String) throws {
        let pair = try HeaderText.pair(text)
        #expect(pair.name == name)
        #expect(pair.value == value)
    }

    @Test(arguments: ["", "no colon", ": value", "two words: x", "A: x\r\nB: y", "A: \u{7F}"])
    func `is refused when a request could not carry it`(text: String) {
        #expect(throws: UsageError("'\(text)' is no header; write it as 'Name: value'")) { try HeaderText.pair(text) }
    }
}

@Suite struct `A base URL` {
    @Test(arguments: [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("https://s3.localhost/", "https://s3.localhost"),
        ("localhost:9000", "http://localhost:9000"), ("http://[::1]:9000", "http://[::1]:9000"),
        ("HTTP://A", "http://A"),
    ])
    func `is a scheme and an authority`(text: String, expected: String) throws {
        #expect(try BaseURL(text, in: "--endpoint").description == expected)
    }

    @Test(arguments: ["", "http://", "ftp://a", "http://a/b", "http://a?b", "http://user@host", "a b"])
    func `is refused with more or less than that`(text: String) {
        #expect(throws: UsageError.self) { try BaseURL(text, in: "--endpoint") }
    }
}

@Suite struct `A stream of lines` {
    @Test(arguments: [1, 2, 3, 7, 100])
    func `is cut the same however it arrives`(stride step: Int) {
        let bytes = Array("data: {\"seq\":1}\r\n\r\n: still here\ndata:x\n".utf8)
        var splitter = LineSplitter()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            let piece = bytes[start..<min(bytes.count, start + step)]
            let goesOn = piece.withUnsafeBytes { buffer in
                splitter.feed(buffer) { line in
                    lines.append(String(decoding: line, as: UTF8.self))
                    return true
                }
            }
            #expect(goesOn)
        }
        #expect(lines == ["data: {\"seq\":1}", "", ": still here", "data:x"])
        let data = lines.compactMap { ServerSentEvent.data(Array($0.utf8)[...]) }
        #expect(data.map { String(decoding: $0, as: UTF8.self) } == ["{\"seq\":1}", "x"])
    }

    @Test func `ends where the receiver says so`() {
        var splitter = LineSplitter()
        var count = 0
        let goesOn = Array("a\nb\nc\n".utf8).withUnsafeBytes { buffer in
            splitter.feed(buffer) { _ in
                count += 1
                return count < 2
            }
        }
        #expect(!goesOn)
        #expect(count == 2)
    }
}
