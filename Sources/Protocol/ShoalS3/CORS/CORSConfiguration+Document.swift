import ShoalXML

/// The body of PutBucketCors and of GetBucketCors' answer.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CORSConfiguration.html
extension CORSConfiguration {
    /// Throws 400: `MissingRequestBodyError`, `MalformedXML` for what the schema does not know and for a rule without a
    /// method or an origin, and `InvalidRequest` for more than 100 rules, an unknown method, a second wildcard, or a
    /// wildcard in a header that is exposed.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "CORSConfiguration")
        try root.checkChildren(repeated: ["CORSRule"])
        guard !root.children.isEmpty else { throw S3Error(.malformedXML) }
        guard root.children.count <= Self.ruleCountMax else {
            throw S3Error(
                .invalidRequest,
                "The number of CORS rules should not exceed allowed limit of \(Self.ruleCountMax) rules.")
        }
        var rules: [CORSRule] = []
        for element in root.children { rules.append(try CORSRule(element)) }
        self.init(rules: rules)
    }

    package var document: [UInt8] {
        var document = XMLWriter(capacity: 128 + rules.count * 320)
        document.openRoot("CORSConfiguration")
        for rule in rules { rule.write(to: &document) }
        document.close("CORSConfiguration")
        return document.bytes
    }
}

extension CORSRule {
    /// UTF-16 units of an id.
    package static let idLengthMax = 255

    private static let methods = ["GET", "PUT", "POST", "DELETE", "HEAD"]

    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(
            once: ["ID", "MaxAgeSeconds"],
            repeated: ["AllowedHeader", "AllowedMethod", "AllowedOrigin", "ExposeHeader"])
        self.init(
            id: try element.optionalText("ID"), allowedOrigins: try element.texts("AllowedOrigin"),
            allowedMethods: try element.texts("AllowedMethod"), allowedHeaders: try element.texts("AllowedHeader"),
            exposeHeaders: try element.texts("ExposeHeader"), maxAgeSeconds: try element.integer("MaxAgeSeconds"))
        try check()
    }

    private func check() throws(S3Error) {
        guard !allowedMethods.isEmpty, !allowedOrigins.isEmpty, id?.utf16.count ?? 0 <= Self.idLengthMax,
            maxAgeSeconds ?? 0 >= 0
        else { throw S3Error(.malformedXML) }
        // These texts become header lines of answers.
        guard (allowedOrigins + exposeHeaders).allSatisfy({ !$0.utf8.contains(where: \.isControl) }) else {
            throw S3Error(.malformedXML)
        }
        if let method = allowedMethods.first(where: { !Self.methods.contains($0) }) {
            throw S3Error(
                .invalidRequest, "Found unsupported HTTP method in CORS config. Unsupported method is \(method)")
        }
        try Self.refuseSecondWildcard(in: allowedOrigins, "AllowedOrigin")
        try Self.refuseSecondWildcard(in: allowedHeaders, "AllowedHeader")
        if let header = exposeHeaders.first(where: { $0.utf8.contains(UInt8(ascii: "*")) }) {
            throw S3Error(
                .invalidRequest,
                "ExposeHeader \"\(header)\" contains wildcard. We currently do not support wildcard for ExposeHeader.")
        }
    }

    private static func refuseSecondWildcard(in patterns: [String], _ name: String) throws(S3Error) {
        for pattern in patterns where pattern.utf8.count(where: { $0 == UInt8(ascii: "*") }) > 1 {
            throw S3Error(.invalidRequest, "\(name) \"\(pattern)\" can not have more than one wildcard.")
        }
    }

    fileprivate func write(to document: inout XMLWriter) {
        document.open("CORSRule")
        if let id { document.element("ID", id) }
        for header in allowedHeaders { document.element("AllowedHeader", header) }
        for method in allowedMethods { document.element("AllowedMethod", method) }
        for origin in allowedOrigins { document.element("AllowedOrigin", origin) }
        for header in exposeHeaders { document.element("ExposeHeader", header) }
        if let maxAgeSeconds { document.element("MaxAgeSeconds", maxAgeSeconds) }
        document.close("CORSRule")
    }
}
