import ShoalFaults
import ShoalJSON
import ShoalS3

/// One attempt of an operation, as the journal tells it.
package struct AttemptView: AdminMessage, Equatable {
    /// Among the attempts of its operation, from 1.
    package let attempt: Int
    /// An object with what is known of the attempt.
    package let json: JSON

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        attempt = try reader.required("attempt").integer()
        json = reader.value
    }

    package init(_ attempt: Attempt) {
        self.attempt = attempt.ordinal
        let store = attempt.commit?.store
        let faults = attempt.faults.map { fault -> JSON in
            [
                "rule": .string(fault.fault.rule), "point": .string(fault.fault.point.rawValue),
                "action": .string(fault.fault.action),
            ]
        }
        json = .members([
            ("attempt", .count(attempt.ordinal)), ("sdkAttempt", attempt.head.sdkAttempt.map { .count($0) }),
            ("operation", .string(attempt.operation.rawValue)), ("seq", .count(attempt.seq)),
            ("t", .string(Timestamp(milliseconds: attempt.wall).iso8601)),
            ("conn", .count(attempt.number.connection)), ("exchange", .count(attempt.number.exchange)),
            ("connection", .string(attempt.head.isConnectionReused ? "reused" : "fresh")),
            ("reached", .string(attempt.reached.rawValue)), ("faults", .array(faults)),
            ("bodyBytes", .count(attempt.bodyByteCount)), ("committed", .bool(attempt.commit != nil)),
            ("etag", .text(store?.etag)), ("versionId", .text(store?.versionID)),
            ("status", attempt.answer.map { .count($0.status.code) }), ("code", .text(attempt.answer?.code?.rawValue)),
            ("answerBytes", .count(attempt.answerByteCount)),
            // Nothing can be known of what is under way.
            ("outcome", attempt.end == nil ? .null : .string(attempt.outcome.rawValue)),
            ("gapMs", attempt.gap.map { .integer($0 / 1_000_000) }),
            ("ms", attempt.end.map { .count(($0 - min($0, attempt.mono)) / 1_000_000) }),
        ])
    }

    /// `status`, `outcome`, `gapMs` and the like.
    package subscript(name: String) -> JSON? { json[name] }
}

/// `GET …/scopes/{s}/operations/{id}`: what the app was doing once, with all its attempts.
package struct OperationView: AdminMessage, Equatable {
    package let id: String
    /// Other names of it in the journal, such as those of its signed URLs.
    package let aliases: [String]
    package let operation: String
    package let bucket: String?
    package let key: String?
    package let uploadId: String?
    package let partNumber: UInt32?
    package let commits: Int
    package let attempts: [AttemptView]
    /// The attempts, drawn along the time they took.
    package let timeline: [String]

    package init(_ operation: OperationHistory) {
        id = operation.id
        aliases = operation.aliases
        self.operation = operation.operation.rawValue
        bucket = operation.bucket
        key = operation.key?.description
        uploadId = operation.uploadID
        partNumber = operation.partNumber
        commits = operation.commitCount
        attempts = operation.attempts.map(AttemptView.init)
        timeline = Timeline(operation).lines
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        id = try reader.required("id").string()
        aliases = try reader.required("aliases").strings()
        operation = try reader.required("operation").string()
        bucket = try reader.member("bucket")?.string()
        key = try reader.member("key")?.string()
        uploadId = try reader.member("uploadId")?.string()
        partNumber = try reader.member("partNumber")?.integer()
        commits = try reader.required("commits").integer()
        attempts = try reader.required("attempts").list()
        timeline = try reader.required("timeline").strings()
    }

    package var json: JSON {
        .members([
            ("id", .string(id)), ("aliases", .strings(aliases)), ("operation", .string(operation)),
            ("bucket", .text(bucket)), ("key", .text(key)), ("uploadId", .text(uploadId)),
            ("partNumber", partNumber.map { .count($0) }), ("commits", .count(commits)), ("attempts", .list(attempts)),
            ("timeline", .strings(timeline)),
        ])
    }
}

/// `GET …/scopes/{s}/operations?since=SEQ`, by first arrival.
package struct OperationList: AdminMessage, Equatable {
    package let operations: [OperationView]
    /// Whether events were dropped from the journal, so that operations or attempts may be missing.
    package let incomplete: Bool

    package init(_ history: JournalHistory) {
        operations = history.operations.map(OperationView.init)
        incomplete = !history.isComplete
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        operations = try reader.required("operations").list()
        incomplete = try reader.required("incomplete").bool()
    }

    package var json: JSON { ["operations": .list(operations), "incomplete": .bool(incomplete)] }
}

extension MessageReader {
    package func strings() throws(MalformedMessage) -> [String] {
        var strings: [String] = []
        for element in try elements() { strings.append(try element.string()) }
        return strings
    }
}

extension JSON {
    package static func strings(_ strings: [String]) -> JSON { .array(strings.map { .string($0) }) }
}
