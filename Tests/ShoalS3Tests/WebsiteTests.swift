import ShoalHTTP
import ShoalS3
import Testing

@Suite struct `A website configuration` {
    private static func body(_ content: String) -> [UInt8] {
        Array("<WebsiteConfiguration>\(content)</WebsiteConfiguration>".utf8)
    }

    private static let index = "<IndexDocument><Suffix>index.html</Suffix></IndexDocument>"

    private static func body(rule: String) -> [UInt8] {
        body(index + "<RoutingRules><RoutingRule>\(rule)</RoutingRule></RoutingRules>")
    }

    private static let redirect = "<Redirect><ReplaceKeyWith>k</ReplaceKeyWith></Redirect>"

    @Test(arguments: [
        ("website-redirect", WebsiteConfiguration.redirectsAll(.init(hostName: "b.example", scheme: .https))),
        (
            "website",
            .pages(
                .init(
                    indexSuffix: "index.html", errorKey: "e/404.html",
                    rules: [
                        .init(
                            .init(keyPrefix: "docs/", errorCode: 404),
                            .init(
                                hostName: "b.example", scheme: .http, code: 302, replacement: .keyPrefix("d/"))),
                        .init(nil, .init(replacement: .key("k"))),
                    ]))
        ),
    ])
    func `is written as S3 writes it and read again`(golden: String, configuration: WebsiteConfiguration) throws {
        #expect(text(configuration.document) == (try goldenXML(golden)))
        #expect(try WebsiteConfiguration(configuration.document) == configuration)
    }

    private static let refused: [([UInt8], String)] = [
        (
            body(""),
            "InvalidArgument | A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty | "
                + "ArgumentName=IndexDocument | ArgumentValue=null"
        ),
        (
            body("<IndexDocument><Suffix>a/b</Suffix></IndexDocument>"),
            "InvalidArgument | The IndexDocument Suffix is not well formed | ArgumentName=IndexDocument | "
                + "ArgumentValue=a/b"
        ),
        (
            body("<IndexDocument><Suffix/></IndexDocument>"),
            "InvalidArgument | The IndexDocument Suffix is not well formed | ArgumentName=IndexDocument | ArgumentValue="
        ),
        (
            body(index + "<ErrorDocument><Key/></ErrorDocument>"),
            "InvalidArgument | The ErrorDocument Key is not well formed | ArgumentName=ErrorDocument | ArgumentValue="
        ),
        (
            body(index + "<RedirectAllRequestsTo><HostName>b</HostName></RedirectAllRequestsTo>"),
            "InvalidArgument | RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules. | "
                + "ArgumentName=RedirectAllRequestsTo | ArgumentValue=not null"
        ),
        (
            body("<RedirectAllRequestsTo><HostName>b</HostName><Protocol>ftp</Protocol></RedirectAllRequestsTo>"),
            "InvalidRequest | Invalid protocol, protocol can be http or https. If not defined the protocol will be "
                + "selected automatically."
        ),
        (
            body(rule: "<Redirect><Protocol>HTTP</Protocol></Redirect>"),
            "InvalidRequest | Invalid protocol, protocol can be http or https. If not defined the protocol will be "
                + "selected automatically."
        ),
        (
            body(
                rule:
                    "<Redirect><ReplaceKeyWith>a</ReplaceKeyWith><ReplaceKeyPrefixWith>b</ReplaceKeyPrefixWith></Redirect>"
            ),
            "InvalidRequest | You can only define ReplaceKeyPrefix or ReplaceKey but not both."
        ),
        (
            body(rule: "<Condition/>" + redirect),
            "InvalidRequest | Condition cannot be empty. To redirect all requests without a condition, the condition "
                + "element shouldn't be present."
        ),
        (
            body(rule: "<Redirect><HttpRedirectCode>200</HttpRedirectCode></Redirect>"),
            "InvalidRequest | The provided HTTP redirect code (200) is not valid. Valid codes are 3XX except 300."
        ),
        (
            body(rule: "<Redirect><HttpRedirectCode>300</HttpRedirectCode></Redirect>"),
            "InvalidRequest | The provided HTTP redirect code (300) is not valid. Valid codes are 3XX except 300."
        ),
        (
            body(
                rule: "<Condition><HttpErrorCodeReturnedEquals>200</HttpErrorCodeReturnedEquals></Condition>" + redirect
            ),
            "InvalidRequest | The provided HTTP error code (200) is not valid. Valid codes are 4XX or 5XX."
        ),
        (
            body(
                index + "<RoutingRules>" + String(repeating: "<RoutingRule>\(redirect)</RoutingRule>", count: 51)
                    + "</RoutingRules>"),
            "InvalidRequest | 51 routing rules provided, the number of routing rules in a website configuration is "
                + "limited to 50."
        ),
    ]

    @Test(arguments: refused)
    func `is refused in S3's words`(body: [UInt8], expected: String) {
        #expect(refusal { _ = try WebsiteConfiguration(body) } == expected)
    }

    private static let malformed: [[UInt8]] = [
        body("<RedirectAllRequestsTo/>"), body("<RedirectAllRequestsTo><HostName/></RedirectAllRequestsTo>"),
        body("<RedirectAllRequestsTo><HostName>a&#13;b</HostName></RedirectAllRequestsTo>"),
        body("<IndexDocument/>"), body(index + "<ErrorDocument/>"), body(index + "<RoutingRules/>"), body(rule: ""),
        body(rule: "<Redirect/>"), body(rule: redirect + redirect), body("<Index/>"),
        body(rule: "<Redirect><HostName>a b</HostName></Redirect>"),
    ]

    @Test(arguments: malformed)
    func `is malformed if something is missing or unknown`(body: [UInt8]) {
        #expect(refusal { _ = try WebsiteConfiguration(body) } == malformedXML)
    }
}

@Suite struct `A website` {
    private static func request(_ path: String, isSecure: Bool = false) -> WebsiteRequest {
        WebsiteRequest(path: Array(path.utf8), host: "w.example:9000", isSecure: isSecure)
    }

    private static func pages(_ rules: [WebsiteConfiguration.RoutingRule] = []) -> WebsiteConfiguration.Pages {
        .init(indexSuffix: "index.html", rules: rules)
    }

    @Test(
        arguments: [
            ("", "index.html", nil), ("a/", "a/index.html", nil), ("a", "a", "a/index.html"),
            ("a/b.html", "a/b.html", "a/b.html/index.html"),
        ] as [(String, String, String?)])
    func `shows index documents`(path: String, key: String, directoryKey: String?) {
        let path = Array(path.utf8)
        #expect(text(Self.pages().key(of: path)) == key)
        #expect(Self.pages().directoryIndexKey(of: path).map { text($0) } == directoryKey)
    }

    @Test func `leads from a directory to its slash`() {
        let redirect = Self.pages().directoryRedirect(of: Array("a b/é".utf8))
        #expect(redirect == WebsiteRedirect(status: HTTPStatus(302), location: "/a%20b/%C3%A9/"))
        #expect(Self.pages().directoryRedirect(of: Array("/b.example".utf8)).location == "/%2Fb.example/")
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1", "GetObject index.html"), ("HEAD /a%20b/ HTTP/1.1", "HeadObject a b/index.html"),
            ("GET /a?versionId=b&acl HTTP/1.1", "GetObject a"), ("GET /a?%zz HTTP/1.1", "GetObject a"),
            ("PUT /a HTTP/1.1", "405 OBJECT GET, HEAD"), ("BREW / HTTP/1.1", "405 OBJECT GET, HEAD"),
        ])
    func `is read, and nothing else`(line: String, expected: String) throws {
        var parser = HeadParser()
        let head = try #require(try parser.parse(Array("\(line)\r\nHost: w\r\n\r\n".utf8).span)).head
        let route = try Route(website: head, of: Array("bucket".utf8), indexSuffix: "index.html")
        #expect(route.style == .website && route.bucket?.text == "bucket" && route.query.isEmpty)
        let told =
            route.methodNotAllowed.map { error in
                "405 \(error.elements.last?.value ?? "") \(error.headers.first?.value ?? "")"
            } ?? "\(route.operation.rawValue) \(route.key?.description ?? "")"
        #expect(told == expected)
    }

    @Test func `without index documents has no key at its root`() throws {
        var parser = HeadParser()
        let head = try #require(try parser.parse(Array("GET / HTTP/1.1\r\nHost: w\r\n\r\n".utf8).span)).head
        #expect(try Route(website: head, of: Array("bucket".utf8), indexSuffix: nil).key == nil)
    }

    @Test func `redirects all requests`() {
        let website = WebsiteConfiguration.redirectsAll(.init(hostName: "b.example"))
        #expect(
            website.redirect(Self.request("a?b#c", isSecure: true))
                == WebsiteRedirect(status: .movedPermanently, location: "https://b.example/a%3Fb%23c"))
        #expect(website.redirect(Self.request("a"), insteadOf: .notFound) == nil)
    }

    private static let rules: [WebsiteConfiguration.RoutingRule] = [
        .init(.init(keyPrefix: "docs/"), .init(replacement: .keyPrefix("d/"))),
        .init(.init(keyPrefix: "old", errorCode: 404), .init(code: 307, replacement: .key("new?a=1"))),
        .init(.init(errorCode: 404), .init(hostName: "b.example", scheme: .https, replacement: .keyPrefix("#!/"))),
        .init(.init(keyPrefix: "host/"), .init(hostName: "b.example")),
    ]

    @Test(
        arguments: [
            ("docs/a b", nil, "301 http://w.example:9000/d/a%20b"), ("doc", nil, nil),
            ("host/x", nil, "301 http://b.example/host/x"), ("old/x", nil, nil),
            ("old/x", 404, "307 http://w.example:9000/new?a=1"), ("x/y", 404, "301 https://b.example/#!/x/y"),
            ("x", 403, nil), ("docs/", 404, "301 https://b.example/#!/docs/"),
        ] as [(String, Int?, String?)])
    func `follows the first rule that fits`(path: String, error: Int?, expected: String?) {
        let website = WebsiteConfiguration.pages(Self.pages(Self.rules))
        let redirect =
            error.map { website.redirect(Self.request(path), insteadOf: HTTPStatus($0)) }
            ?? website.redirect(Self.request(path))
        #expect(redirect.map { "\($0.status.code) \($0.location)" } == expected)
    }

    @Test func `lets no line break into a header`() {
        let website = WebsiteConfiguration.pages(
            Self.pages([.init(nil, .init(replacement: .keyPrefix("a\r\nb")))]))
        #expect(
            website.redirect(Self.request("c\r\nd"))?.location == "http://w.example:9000/a%0D%0Abc%0D%0Ad")
    }

    @Test func `shows errors as pages`() {
        let identifiers = RequestIdentifiers(requestID: "R", hostID: "H")
        let error = S3Error(.noSuchKey, elements: [.init("Key", "<x>")])
        let head =
            "<html>\n<head><title>404 Not Found</title></head>\n<body>\n<h1>404 Not Found</h1>\n<ul>\n"
            + "<li>Code: NoSuchKey</li>\n<li>Message: The specified key does not exist.</li>\n<li>Key: &lt;x&gt;</li>\n"
            + "<li>RequestId: R</li>\n<li>HostId: H</li>\n</ul>\n"
        let tail = "<hr/>\n</body>\n</html>\n"
        #expect(text(error.websitePage(identifiers)) == head + tail)
        let failure = S3Error(.noSuchKey, elements: [.init("Key", "404.html")])
        #expect(
            text(error.websitePage(identifiers, errorDocumentFailure: failure))
                == head + "<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>\n<ul>\n"
                + "<li>Code: NoSuchKey</li>\n<li>Message: The specified key does not exist.</li>\n"
                + "<li>Key: 404.html</li>\n</ul>\n" + tail)
    }
}
