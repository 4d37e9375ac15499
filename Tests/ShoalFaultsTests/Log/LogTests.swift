import Glibc
import ShoalFaults
import ShoalJSON
import ShoalLog
import Testing

@Suite struct `A log` {
    /// What `use` writes at level `level`.
    private func lines(_ format: Log.Format, _ level: Log.Level = .debug, _ use: (Log) -> Void) -> [String] {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        use(Log(format: format, level: level, descriptor: ends[1], now: { 1_770_091_506_789 }))
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `writes text with fields behind the message`() {
        let lines = lines(.text) {
            $0.warning("the disk is full", ["path": "/srv/shoal", "said": "no \"room\"", "empty": ""])
        }
        #expect(
            lines == [#"2026-02-03T04:05:06.789Z warning the disk is full path=/srv/shoal said="no \"room\"" empty="""#]
        )
    }

    @Test func `writes JSON that a strict parser takes`() throws {
        let lines = lines(.json) { $0.error("a\nb \"c\" \u{1}", ["k\u{e9}y": "\\"]) }
        let json = try JSONParser.parse(try #require(lines.first))
        #expect(
            json == [
                "t": "2026-02-03T04:05:06.789Z", "level": "error", "message": "a\nb \"c\" \u{1}", "k\u{e9}y": "\\",
            ])
    }

    @Test(arguments: Log.Format.allCases)
    func `keeps one message on one line`(format: Log.Format) {
        #expect(lines(format) { $0.info("a\r\n2026-02-03 error forged", ["x": "1\n2"]) }.count == 1)
    }

    @Test(arguments: Log.Level.allCases)
    func `evaluates nothing below its level`(level: Log.Level) {
        var evaluated: [Log.Level] = []
        func message(_ level: Log.Level) -> String {
            evaluated.append(level)
            return "\(level)"
        }
        let lines = lines(.text, level) { log in
            log.debug(message(.debug))
            log.info(message(.info))
            log.warning(message(.warning))
            log.error(message(.error))
        }
        #expect(evaluated == Log.Level.allCases.filter { $0 >= level })
        #expect(lines.count == evaluated.count)
    }
}
