import ShoalHTTP
import ShoalJSON
import ShoalS3

/// Exchanges as an HTTP archive, which browsers' tools and many viewers open.
///
/// It holds what the journal holds: no headers, no bodies, and URLs without their signatures. What is Shoal's own stands
/// in members that begin with `_`, as the format wants it.
/// http://www.softwareishard.com/blog/har-12-spec/
package enum HTTPArchive {
    /// `base` is where clients reach the server, such as `http://127.0.0.1:9000`; `version` is the server's.
    package static func document(_ history: JournalHistory, base: String, version: String) -> JSON {
        let operations = history.operations.flatMap { operation in operation.attempts.map { (operation.id, $0) } }
        let sorted = operations.sorted { ($0.1.mono, $0.1.seq) < ($1.1.mono, $1.1.seq) }
        return [
            "log": [
                "version": "1.2", "creator": ["name": "shoal", "version": .string(version)], "pages": [],
                "entries": .array(sorted.map { entry($0.1, of: $0.0, base: base) }),
            ]
        ]
    }

    private static func entry(_ attempt: Attempt, of operation: String, base: String) -> JSON {
        let times = Times(attempt)
        var members: [JSON.Member] = [
            .init("startedDateTime", .string(Timestamp(milliseconds: attempt.wall).iso8601)),
            .init("time", .number(times.total)), .init("request", request(attempt, base: base)),
            .init("response", response(attempt)), .init("cache", [:]),
            .init(
                "timings",
                ["send": .number(times.send), "wait": .number(times.wait), "receive": .number(times.receive)]),
            .init("connection", .string(String(attempt.number.connection))),
            .init("_operation", .string(operation)), .init("_attempt", .integer(Int64(attempt.ordinal))),
            .init("_s3", .string(attempt.operation.rawValue)),
            .init("_outcome", attempt.end == nil ? .null : .string(attempt.outcome.rawValue)),
            .init("_reached", .string(attempt.reached.rawValue)), .init("_committed", .bool(attempt.commit != nil)),
        ]
        if !attempt.faults.isEmpty {
            let faults = attempt.faults.map {
                JSON.string("\($0.fault.rule): \($0.fault.action) at \($0.fault.point.rawValue)")
            }
            members.append(.init("_faults", .array(faults)))
        }
        return .object(members)
    }

    private static func request(_ attempt: Attempt, base: String) -> JSON {
        var query: [(name: String, value: String)] = []
        if let number = attempt.head.partNumber { query.append(("partNumber", String(number))) }
        if let id = attempt.head.uploadID { query.append(("uploadId", String(decoding: id, as: UTF8.self))) }
        let path = attempt.target.utf8.reduce(into: "") { $0 += escaped($1, alsoPlain: "/") }
        let parameters = query.map { "\($0.name)=\($0.value.utf8.reduce(into: "") { $0 += escaped($1) })" }
        let suffix = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return [
            "method": .string(attempt.head.method), "url": .string("\(base)/\(path)\(suffix)"),
            "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "queryString": .array(query.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "headersSize": -1, "bodySize": .integer(Int64(clamping: attempt.bodyByteCount)),
        ]
    }

    /// Status 0 is what browsers write where no answer came.
    private static func response(_ attempt: Attempt) -> JSON {
        let status = attempt.answer?.status
        let bodySize = attempt.isAnswerWhole ? Int64(clamping: attempt.answerByteCount) : -1
        return [
            "status": .integer(Int64(status?.code ?? 0)), "statusText": .string(status?.reasonPhrase ?? ""),
            "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "content": ["size": .integer(max(0, bodySize)), "mimeType": ""], "redirectURL": "", "headersSize": -1,
            "bodySize": .integer(bodySize),
        ]
    }

    private static func escaped(_ byte: UInt8, alsoPlain: String = "") -> String {
        let character = Character(UnicodeScalar(byte))
        let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
        guard !isPlain && !alsoPlain.contains(character) else { return String(character) }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// In milliseconds: until the body was taken, until the answer was made, until its end.
    private struct Times {
        let send: Double
        let wait: Double
        let receive: Double

        var total: Double { send + wait + receive }

        init(_ attempt: Attempt) {
            let start = attempt.mono
            let sent = max(start, attempt.body?.lastAt ?? start)
            let end = max(sent, attempt.end ?? sent)
            let answered = min(end, max(sent, attempt.answeredAt ?? end))
            send = Double(sent - start) / 1e6
            wait = Double(answered - sent) / 1e6
            receive = Double(end - answered) / 1e6
        }
    }
}
