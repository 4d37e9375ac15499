import ShoalXML

/// The body of PutBucketWebsite and of GetBucketWebsite's answer.
extension WebsiteConfiguration {
    /// Throws 400: `MissingRequestBodyError`; `MalformedXML` for what the schema does not know; `InvalidArgument` for
    /// documents that are missing or not well formed, and `InvalidRequest` for the redirects.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "WebsiteConfiguration")
        try root.checkChildren(once: ["RedirectAllRequestsTo", "IndexDocument", "ErrorDocument", "RoutingRules"])
        if let redirect = root.child("RedirectAllRequestsTo") {
            guard root.children.count == 1 else {
                throw .invalidArgument(
                    "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.",
                    name: "RedirectAllRequestsTo", value: "not null")
            }
            self = .redirectsAll(try RedirectAll(redirect))
        } else {
            self = .pages(try Pages(root))
        }
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("WebsiteConfiguration")
        switch self {
        case .redirectsAll(let redirect):
            document.open("RedirectAllRequestsTo")
            document.element("HostName", redirect.hostName)
            if let scheme = redirect.scheme { document.element("Protocol", scheme.rawValue) }
            document.close("RedirectAllRequestsTo")
        case .pages(let pages): pages.write(to: &document)
        }
        document.close("WebsiteConfiguration")
        return document.bytes
    }
}

extension WebsiteConfiguration.RedirectAll {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: ["HostName", "Protocol"])
        let host = try element.requiredText("HostName")
        guard !host.isEmpty else { throw S3Error(.malformedXML) }
        try host.checkHeaderText()
        self.init(hostName: host, scheme: try WebsiteConfiguration.Scheme(of: element))
    }
}

extension WebsiteConfiguration.Scheme {
    fileprivate init?(of element: XMLElement) throws(S3Error) {
        guard let text = try element.optionalText("Protocol") else { return nil }
        guard let known = Self(rawValue: text) else {
            throw S3Error(
                .invalidRequest,
                "Invalid protocol, protocol can be http or https. If not defined the protocol will be selected "
                    + "automatically.")
        }
        self = known
    }
}

extension WebsiteConfiguration.Pages {
    fileprivate init(_ root: XMLElement) throws(S3Error) {
        guard let index = root.child("IndexDocument") else {
            throw .invalidArgument(
                "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty",
                name: "IndexDocument", value: "null")
        }
        try index.checkChildren(once: ["Suffix"])
        let suffix = try index.requiredText("Suffix")
        guard !suffix.isEmpty, !suffix.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument("The IndexDocument Suffix is not well formed", name: "IndexDocument", value: suffix)
        }
        let errorKey = try root.child("ErrorDocument").map(Self.errorKey)
        self.init(
            indexSuffix: suffix, errorKey: errorKey, rules: try root.child("RoutingRules").map(Self.rules) ?? [])
    }

    private static func errorKey(_ element: XMLElement) throws(S3Error) -> String {
        try element.checkChildren(once: ["Key"])
        let key = try element.requiredText("Key")
        guard !key.isEmpty else {
            throw .invalidArgument("The ErrorDocument Key is not well formed", name: "ErrorDocument", value: key)
        }
        return key
    }

    private static func rules(_ element: XMLElement) throws(S3Error) -> [WebsiteConfiguration.RoutingRule] {
        try element.checkChildren(repeated: ["RoutingRule"])
        let count = element.children.count
        guard count > 0 else { throw S3Error(.malformedXML) }
        guard count <= WebsiteConfiguration.routingRuleCountMax else {
            throw S3Error(
                .invalidRequest,
                "\(count) routing rules provided, the number of routing rules in a website configuration is limited to "
                    + "\(WebsiteConfiguration.routingRuleCountMax).")
        }
        var rules: [WebsiteConfiguration.RoutingRule] = []
        for child in element.children {
            try child.checkChildren(once: ["Condition", "Redirect"])
            guard let redirect = child.child("Redirect") else { throw S3Error(.malformedXML) }
            let condition = try child.child("Condition").map { element throws(S3Error) in
                try WebsiteConfiguration.Condition(element)
            }
            rules.append(.init(condition, try WebsiteConfiguration.Redirect(redirect)))
        }
        return rules
    }

    fileprivate func write(to document: inout XMLWriter) {
        document.open("IndexDocument")
        document.element("Suffix", indexSuffix)
        document.close("IndexDocument")
        if let errorKey {
            document.open("ErrorDocument")
            document.element("Key", errorKey)
            document.close("ErrorDocument")
        }
        guard !rules.isEmpty else { return }
        document.open("RoutingRules")
        for rule in rules {
            document.open("RoutingRule")
            rule.condition?.write(to: &document)
            rule.redirect.write(to: &document)
            document.close("RoutingRule")
        }
        document.close("RoutingRules")
    }
}

extension WebsiteConfiguration.Condition {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: ["HttpErrorCodeReturnedEquals", "KeyPrefixEquals"])
        let codeText = try element.optionalText("HttpErrorCodeReturnedEquals")
        guard !element.children.isEmpty else {
            throw S3Error(
                .invalidRequest,
                "Condition cannot be empty. To redirect all requests without a condition, the condition element "
                    + "shouldn't be present.")
        }
        self.init(
            keyPrefix: try element.optionalText("KeyPrefixEquals"),
            errorCode: try codeText.map { text throws(S3Error) in
                guard let code = Int(text), 400...599 ~= code, text.utf8.count == 3 else {
                    throw S3Error(
                        .invalidRequest,
                        "The provided HTTP error code (\(text)) is not valid. Valid codes are 4XX or 5XX.")
                }
                return code
            })
    }

    fileprivate func write(to document: inout XMLWriter) {
        document.open("Condition")
        if let errorCode { document.element("HttpErrorCodeReturnedEquals", errorCode) }
        if let keyPrefix { document.element("KeyPrefixEquals", keyPrefix) }
        document.close("Condition")
    }
}

extension WebsiteConfiguration.Redirect {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(
            once: ["HostName", "HttpRedirectCode", "Protocol", "ReplaceKeyPrefixWith", "ReplaceKeyWith"])
        guard !element.children.isEmpty else { throw S3Error(.malformedXML) }
        let scheme = try WebsiteConfiguration.Scheme(of: element)
        let (key, prefix) = (
            try element.optionalText("ReplaceKeyWith"), try element.optionalText("ReplaceKeyPrefixWith")
        )
        guard key == nil || prefix == nil else {
            throw S3Error(.invalidRequest, "You can only define ReplaceKeyPrefix or ReplaceKey but not both.")
        }
        let code = try element.optionalText("HttpRedirectCode").map { text throws(S3Error) in
            guard let code = Int(text), 301...399 ~= code, text.utf8.count == 3 else {
                throw S3Error(
                    .invalidRequest,
                    "The provided HTTP redirect code (\(text)) is not valid. Valid codes are 3XX except 300.")
            }
            return code
        }
        let host = try element.optionalText("HostName")
        try host?.checkHeaderText()
        self.init(
            hostName: host, scheme: scheme, code: code,
            replacement: key.map(Replacement.key) ?? prefix.map(Replacement.keyPrefix))
    }

    fileprivate func write(to document: inout XMLWriter) {
        document.open("Redirect")
        if let scheme { document.element("Protocol", scheme.rawValue) }
        if let hostName { document.element("HostName", hostName) }
        switch replacement {
        case .key(let key): document.element("ReplaceKeyWith", key)
        case .keyPrefix(let prefix): document.element("ReplaceKeyPrefixWith", prefix)
        case nil: break
        }
        if let code { document.element("HttpRedirectCode", code) }
        document.close("Redirect")
    }
}

extension String {
    /// Throws 400 `MalformedXML` for what cannot stand in a `Location` header.
    fileprivate func checkHeaderText() throws(S3Error) {
        guard utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw S3Error(.malformedXML) }
    }
}
