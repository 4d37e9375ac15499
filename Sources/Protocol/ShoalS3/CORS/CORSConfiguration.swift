import ShoalHTTP

/// Which pages of other origins may use a bucket: rules, of which the first that matches counts.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
package struct CORSConfiguration: Sendable, Equatable {
    package static let ruleCountMax = 100

    package let rules: [CORSRule]

    package init(rules: [CORSRule]) { self.rules = rules }

    /// What a bucket without a configuration answers by. Differs from S3, which answers nothing then: a page under
    /// development should be able to PUT to a new bucket.
    package static let permissive = CORSConfiguration(rules: [
        CORSRule(
            allowedOrigins: ["*"], allowedMethods: ["GET", "PUT", "POST", "DELETE", "HEAD"], allowedHeaders: ["*"],
            exposeHeaders: ["ETag", "x-amz-request-id", "x-amz-id-2", "x-amz-version-id", "x-amz-checksum-type"]
                + ChecksumAlgorithm.allCases.map(\.headerName),
            maxAgeSeconds: 3_000)
    ])

    /// The first rule that allows `method` from `origin` with every one of `headers`.
    package func rule(
        origin: ArraySlice<UInt8>, method: ArraySlice<UInt8>, headers: [ArraySlice<UInt8>] = []
    ) -> CORSRule? {
        rules.first { rule in
            rule.allows(origin: origin) && rule.allowedMethods.contains { method.elementsEqual($0.utf8) }
                && headers.allSatisfy(rule.allows(header:))
        }
    }
}

/// One rule of a bucket's CORS configuration.
package struct CORSRule: Sendable, Equatable {
    package let id: String?
    /// Origins, each with at most one `*`, compared case by case.
    package let allowedOrigins: [String]
    /// Of `GET PUT POST DELETE HEAD`.
    package let allowedMethods: [String]
    /// Names, each with at most one `*`, compared without case.
    package let allowedHeaders: [String]
    package let exposeHeaders: [String]
    package let maxAgeSeconds: Int?

    package init(
        id: String? = nil, allowedOrigins: [String], allowedMethods: [String], allowedHeaders: [String] = [],
        exposeHeaders: [String] = [], maxAgeSeconds: Int? = nil
    ) {
        self.id = id
        self.allowedOrigins = allowedOrigins
        self.allowedMethods = allowedMethods
        self.allowedHeaders = allowedHeaders
        self.exposeHeaders = exposeHeaders
        self.maxAgeSeconds = maxAgeSeconds
    }

    func allows(origin: ArraySlice<UInt8>) -> Bool { matchingOrigin(origin) != nil }

    /// The allowed origin, as the rule spells it, that covers `origin`.
    func matchingOrigin(_ origin: ArraySlice<UInt8>) -> String? {
        allowedOrigins.first { Self.matches(origin, pattern: Array($0.utf8)) }
    }

    func allows(header: ArraySlice<UInt8>) -> Bool {
        let name = header.map(\.lowercasedASCII)
        return allowedHeaders.contains { Self.matches(name[...], pattern: $0.utf8.map(\.lowercasedASCII)) }
    }

    private static func matches(_ text: ArraySlice<UInt8>, pattern: [UInt8]) -> Bool {
        guard let star = pattern.firstIndex(of: UInt8(ascii: "*")) else { return text.elementsEqual(pattern) }
        let (before, after) = (pattern[..<star], pattern[(star + 1)...])
        return text.count >= before.count + after.count && text.starts(with: before)
            && text.suffix(after.count).elementsEqual(after)
    }
}
