/// `POST /_shoal/v1/explain`: would this request be accepted now?
package struct ExplainRequest: Codable, Sendable, Equatable {
    package let method: String
    package let url: String
    package let headers: [String: String]?

    package init(method: String, url: String, headers: [String: String]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

/// The verdict, S3's own words for a refusal, and what would have to change. Never holds a signature or a secret.
package struct ExplainResponse: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        case accepted, anonymous, refused
    }

    /// One thing that is wrong, in plain words.
    package struct Finding: Codable, Sendable, Equatable {
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
}
