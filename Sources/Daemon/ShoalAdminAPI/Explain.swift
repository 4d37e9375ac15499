import ShoalFaults
import ShoalJSON

/// `POST /_shoal/v1/explain`: would this request be accepted now?
package struct ExplainRequest: AdminMessage {
    package let method: String
    package let url: String
    package let headers: [(name: String, value: String)]

    package init(method: String, url: String, headers: [(name: String, value: String)] = []) {
        self.method = method
        self.url = url
        self.headers = headers
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["method", "url", "headers"])
        method = try reader.required("method").string()
        url = try reader.required("url").string()
        headers = try reader.member("headers")?.texts() ?? []
    }

    package var json: JSON { ["method": .string(method), "url": .string(url), "headers": .texts(headers)] }
}

/// The verdict, S3's own words for a refusal, and what would have to change. Never holds a signature or a secret.
package struct ExplainResponse: AdminMessage, Equatable {
    package enum Verdict: String, CaseIterable, Sendable {
        case accepted, anonymous, refused
    }

    /// One thing that is wrong, in plain words.
    package struct Finding: AdminMessage, Equatable {
        /// A stable name, such as `expired` or `header-differs`.
        package let kind: String
        package let text: String
        /// What to change, if that is known.
        package let fix: String?

        package init(kind: String, text: String, fix: String?) {
            self.kind = kind
            self.text = text
            self.fix = fix
        }

        package init(_ reader: MessageReader) throws(MalformedMessage) {
            kind = try reader.required("kind").string()
            text = try reader.required("text").string()
            fix = try reader.member("fix")?.string()
        }

        package var json: JSON {
            .members([("kind", .string(kind)), ("text", .string(text)), ("fix", .text(fix))])
        }
    }

    package let verdict: Verdict
    /// One sentence.
    package let summary: String
    /// What S3 would answer: status, `<Code>` and `<Message>`; nil for an accepted request.
    package let status: Int?
    package let code: String?
    package let message: String?
    package let findings: [Finding]

    package init(
        verdict: Verdict, summary: String, status: Int? = nil, code: String? = nil, message: String? = nil,
        findings: [Finding] = []
    ) {
        self.verdict = verdict
        self.summary = summary
        self.status = status
        self.code = code
        self.message = message
        self.findings = findings
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        verdict = try reader.required("verdict").choice()
        summary = try reader.required("summary").string()
        status = try reader.member("status")?.integer()
        code = try reader.member("code")?.string()
        message = try reader.member("message")?.string()
        findings = try reader.member("findings")?.list() ?? []
    }

    package var json: JSON {
        .members([
            ("verdict", .string(verdict.rawValue)), ("summary", .string(summary)),
            ("status", status.map { .count($0) }),
            ("code", .text(code)), ("message", .text(message)), ("findings", .list(findings)),
        ])
    }
}
