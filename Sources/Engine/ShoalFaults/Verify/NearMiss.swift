import ShoalS3

/// Why a rule never struck: the request that came closest, and what about it was not as the rule wants it.
package struct NearMiss: Sendable {
    package struct Difference: Sendable, Equatable {
        package let field: String
        /// As the one-line form writes it.
        package let wanted: String
        /// Nil if the request had nothing of the kind.
        package let found: String?
    }

    /// Of the rule.
    package let id: String
    package let line: String
    /// In one sentence.
    package let reason: String
    /// What came closest; nil if nothing came since the rule was added.
    package let attempt: Attempt?
    /// The fewest there were; empty if all fields fit, and the rule's point was not reached or its count passed.
    package let differences: [Difference]

    /// One for each rule that never struck, in their order.
    package static func of(_ rules: [RuleStatus], in history: JournalHistory) -> [NearMiss] {
        rules.filter { $0.fired == 0 }.map { NearMiss($0, among: history) }
    }

    private init(_ status: RuleStatus, among history: JournalHistory) {
        id = status.rule.id ?? ""
        line = status.rule.line
        let since = history.ruleSeqs[id] ?? 0
        // Of several that are as close, the latest.
        let candidates = history.attempts.reversed().filter { $0.seq > since }
            .map { ($0, Self.differences(status.rule.match, JournalledRequest($0))) }
        guard let (closest, differences) = candidates.min(by: { $0.1.count < $1.1.count }) else {
            (attempt, self.differences, reason) = (nil, [], "no request came since the rule is in force")
            return
        }
        (attempt, self.differences) = (closest, differences)
        reason = Self.reason(status, closest, differences)
    }

    private static func reason(_ status: RuleStatus, _ closest: Attempt, _ differences: [Difference]) -> String {
        guard differences.isEmpty else {
            let fields = differences.map { "\($0.field) is \($0.found ?? "absent"), not \($0.wanted)" }
            return "\(closest.operation.rawValue) \(closest.target) came closest: \(fields.joined(separator: " and "))"
        }
        if status.matched > 0 {
            return
                "\(status.matched) \(status.matched == 1 ? "request" : "requests") arrived at its point, and its count let them pass"
        }
        let unkept = Matcher.Field.allCases.filter { !$0.isKept && status.rule.match.asksFor($0) }.map(\.rawValue)
        guard unkept.isEmpty else {
            return "all fits but perhaps \(unkept.joined(separator: ", ")), of which the journal does not know enough"
        }
        return "\(closest.operation.rawValue) \(closest.target) fits, and ended at \(closest.reached.rawValue), "
            + "so that \(status.rule.site.text) was not reached"
    }

    private static func differences(_ matcher: Matcher, _ request: JournalledRequest) -> [Difference] {
        Matcher.Field.allCases.compactMap { field in
            guard let (wanted, part) = matcher.part(field), !part.matchesJournalled(request) else { return nil }
            return Difference(field: field.rawValue, wanted: wanted, found: request.text(of: field))
        }
    }
}

extension Matcher.Field {
    /// Whether the journal keeps what the field asks for.
    fileprivate var isKept: Bool {
        switch self {
        case .operation, .bucket, .key, .uploadId, .partNumber, .size, .presigned, .attempt, .sdkAttempt, .connection,
            .exchange, .expectContinue:
            true
        case .version, .range, .ageOfUrl, .header, .query, .userAgent, .invocation, .client, .tls, .sni, .alpn, .after,
            .any, .not:
            false
        }
    }
}

extension Matcher {
    fileprivate func asksFor(_ field: Field) -> Bool {
        switch field {
        case .version: version != nil
        case .range: range != nil
        case .ageOfUrl: ageOfUrl != nil
        case .header: !headers.isEmpty
        case .query: !parameters.isEmpty
        case .userAgent: userAgent != nil
        case .invocation: invocation != nil
        case .client: client != nil
        case .tls: isSecure != nil
        case .sni: serverName != nil
        case .alpn: protocols != nil
        case .after: after != nil
        case .any: !alternatives.isEmpty
        case .not: !exclusions.isEmpty
        default: part(field) != nil
        }
    }

    /// The matcher with that field alone, and the field's text; nil if it asks nothing of the field, or for something the
    /// journal does not keep.
    fileprivate func part(_ field: Field) -> (text: String, matcher: Matcher)? {
        var part = Matcher()
        var text: String?
        switch field {
        case .operation:
            part.operations = operations
            text = operations.isEmpty ? nil : operations.map(\.text).joined(separator: ",")
        case .bucket: (part.bucket, text) = (bucket, bucket?.lineText)
        case .key: (part.key, text) = (key, key?.lineText)
        case .uploadId: (part.uploadId, text) = (uploadId, uploadId?.lineText)
        case .partNumber: (part.partNumber, text) = (partNumber, partNumber?.lineText)
        case .size: (part.size, text) = (size, size?.lineText)
        case .presigned: (part.presigned, text) = (presigned, presigned.map { "\($0)" })
        case .attempt: (part.attempt, text) = (attempt, attempt?.lineText)
        case .sdkAttempt: (part.sdkAttempt, text) = (sdkAttempt, sdkAttempt?.lineText)
        case .connection: (part.connection, text) = (connection, connection?.rawValue)
        case .exchange: (part.exchange, text) = (exchange, exchange?.lineText)
        case .expectContinue: (part.expectContinue, text) = (expectContinue, expectContinue.map { "\($0)" })
        case .version, .range, .ageOfUrl, .header, .query, .userAgent, .invocation, .client, .tls, .sni, .alpn, .after,
            .any, .not:
            return nil
        }
        return text.map { ($0, part) }
    }

    fileprivate func matchesJournalled(_ request: JournalledRequest) -> Bool {
        operationSet.contains(request.operation) && fits(request)
    }
}

/// A request as a rule would have seen it, from what the journal kept of it.
private struct JournalledRequest: FaultSubject {
    private let journalled: Attempt

    init(_ attempt: Attempt) { journalled = attempt }

    var operation: S3Operation { journalled.operation }
    var bucket: ArraySlice<UInt8>? { journalled.head.bucket.map { Array($0.utf8)[...] } }
    var key: ArraySlice<UInt8>? { journalled.key.map { $0.bytes[...] } }
    var contentLength: UInt64? { journalled.head.contentLength }
    var isPresigned: Bool { journalled.head.isPresigned }
    var signature: ArraySlice<UInt8>? { nil }
    var accessKeyID: ArraySlice<UInt8>? { nil }
    var signedAt: Timestamp? { nil }
    var now: Timestamp { Timestamp(milliseconds: journalled.wall) }
    var connection: UInt64 { journalled.number.connection }
    var exchange: UInt64 { UInt64(journalled.number.exchange) }

    var client: ArraySlice<UInt8> { [] }
    var attempt: UInt64 { UInt64(journalled.number.attempt) }
    var expectsContinue: Bool { journalled.head.expectsContinue }

    func header(_ name: String) -> ArraySlice<UInt8>? {
        guard name == "amz-sdk-request" else { return nil }
        return journalled.head.sdkAttempt.map { Array("attempt=\($0)".utf8)[...] }
    }

    func query(_ name: String) -> ArraySlice<UInt8>? {
        switch name {
        case "uploadId": journalled.head.uploadID.map { $0[...] }
        case "partNumber": journalled.head.partNumber.map { Array(String($0).utf8)[...] }
        default: nil
        }
    }

    func text(of field: Matcher.Field) -> String? {
        switch field {
        case .operation: operation.rawValue
        case .bucket: journalled.head.bucket
        case .key: journalled.key?.description
        case .uploadId: journalled.head.uploadID.map { String(decoding: $0, as: UTF8.self) }
        case .partNumber: journalled.head.partNumber.map { String($0) }
        case .size: contentLength.map { String($0) }
        case .presigned: isPresigned ? "true" : "false"
        case .connection: (exchange > 1 ? Matcher.ConnectionAge.reused : .fresh).rawValue
        case .exchange: String(exchange)
        case .attempt: String(attempt)
        case .sdkAttempt: sdkAttempt.map { String($0) }
        case .expectContinue: expectsContinue ? "true" : "false"
        case .version, .range, .ageOfUrl, .header, .query, .userAgent, .invocation, .client, .tls, .sni, .alpn, .after,
            .any, .not:
            nil
        }
    }
}
