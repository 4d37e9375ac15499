import Glibc
import ShoalJSON
import ShoalS3

/// Lines about the daemon itself, for people and for collectors of logs.
///
/// A line is one `write(2)`, so lines of several threads do not mix. Callers pass text that is already redacted: no
/// signed URL, signature, secret or token. Below the level nothing is evaluated, because the arguments are closures.
package struct Log: Sendable {
    package enum Level: Int, CaseIterable, Comparable, Sendable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        fileprivate var name: StaticString {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    package enum Format: String, CaseIterable, Sendable {
        /// `2026-02-03T04:05:06.789Z warning the disk is full path=/srv/shoal`
        case text
        /// `{"t":"2026-02-03T04:05:06.789Z","level":"warning","message":"the disk is full","path":"/srv/shoal"}`
        case json
    }

    package typealias Fields = KeyValuePairs<String, String>

    package let format: Format
    /// Nothing below this is written.
    package let level: Level
    private let descriptor: Int32
    private let now: @Sendable () -> Int64

    /// `descriptor` is standard error unless given, and is not closed; `now` gives milliseconds since 1970.
    package init(
        format: Format = .text, level: Level = .info, descriptor: Int32 = STDERR_FILENO,
        now: @escaping @Sendable () -> Int64 = SystemClock.wallMilliseconds
    ) {
        self.format = format
        self.level = level
        self.descriptor = descriptor
        self.now = now
    }

    package func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        if level <= .debug { write(.debug, message(), fields()) }
    }

    package func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        if level <= .info { write(.info, message(), fields()) }
    }

    package func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        if level <= .warning { write(.warning, message(), fields()) }
    }

    package func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.error, message(), fields())
    }
}

// MARK: - Lines

extension Log {
    private func write(_ level: Level, _ message: String, _ fields: Fields) {
        var line: [UInt8] = []
        line.reserveCapacity(160)
        switch format {
        case .text: appendText(level, message, fields, to: &line)
        case .json: appendJSON(level, message, fields, to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        // A log that cannot be written has nowhere to complain, so the result is not looked at; a signal is retried.
        while Glibc.write(descriptor, line, line.count) < 0 && errno == EINTR {}
    }

    private func appendText(_ level: Level, _ message: String, _ fields: Fields, to line: inout [UInt8]) {
        Timestamp(milliseconds: now()).appendISO8601(to: &line)
        line.append(UInt8(ascii: " "))
        JSONText.append(level.name, to: &line)
        line.append(UInt8(ascii: " "))
        // A line break inside would let a client's text look like a line of its own.
        line += message.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        for (name, value) in fields {
            line.append(UInt8(ascii: " "))
            line += name.utf8
            line.append(UInt8(ascii: "="))
            let isPlain =
                !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
            if isPlain { line += value.utf8 } else { JSONText.append(string: value, to: &line) }
        }
    }

    private func appendJSON(_ level: Level, _ message: String, _ fields: Fields, to line: inout [UInt8]) {
        JSONText.append("{\"t\":\"", to: &line)
        Timestamp(milliseconds: now()).appendISO8601(to: &line)
        JSONText.append("\",\"level\":\"", to: &line)
        JSONText.append(level.name, to: &line)
        JSONText.append("\",\"message\":", to: &line)
        JSONText.append(string: message, to: &line)
        for (name, value) in fields {
            line.append(UInt8(ascii: ","))
            JSONText.append(string: name, to: &line)
            line.append(UInt8(ascii: ":"))
            JSONText.append(string: value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
    }
}
