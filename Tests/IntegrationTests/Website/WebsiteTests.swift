import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `The website of a bucket` {
    @Test func `shows index documents, and leads from a folder to its slash`() throws {
        let site = try WebsiteSite(objects: [
            "index.html": "home", "docs/index.html": "docs", "a b/é/index.html": "deep", "page": "page",
        ])
        #expect(try site.get("/").text == "home")
        #expect(try site.get("/index.html").text == "home")
        #expect(try site.get("/docs/").text == "docs")
        #expect(try site.get("/page")["Content-Type"] == "text/html")
        #expect(try site.get("/docs").redirect == "302 /docs/")
        #expect(try site.get("/a%20b/%C3%A9").redirect == "302 /a%20b/%C3%A9/")
        #expect(try site.get("/a%20b/%C3%A9/").text == "deep")
        // An object by the folder's own name goes first.
        try site.s3.put("docs", "an object")
        #expect(try site.get("/docs").text == "an object")
        let head = try site.head("/")
        #expect(head.status == 200 && head["Content-Length"] == "4" && head.body.isEmpty)
    }

    @Test func `says what is missing on a page, to the letter`() throws {
        let site = try WebsiteSite()
        let missing = try site.get("/a%3Cb")
        #expect(missing.status == 404 && missing["Content-Type"] == "text/html; charset=utf-8")
        #expect(
            missing.isPage(
                "404 Not Found",
                [("Code", "NoSuchKey"), ("Message", "The specified key does not exist."), ("Key", "a&lt;b")]),
            "\(missing.text)")
        #expect(missing["x-amz-error-code"] == "NoSuchKey")
        #expect(missing["x-amz-error-message"] == "The specified key does not exist.")
        #expect(missing["x-amz-error-detail-Key"] == "a<b")
        #expect(try site.get("/docs/")["x-amz-error-detail-Key"] == "docs/index.html")
        #expect(try site.head("/a").status == 404)
    }

    @Test func `lets no line break of a path into its headers`() throws {
        let site = try WebsiteSite()
        let answer = try site.get("/a%0D%0ASet-Cookie:%20b")
        #expect(answer.status == 404 && answer["Set-Cookie"] == nil && answer["x-amz-error-detail-Key"] == nil)
    }

    @Test func `of a bucket without one, or of no bucket, is a page of its own`() throws {
        var site = try WebsiteSite(nil, objects: ["index.html": "home"])
        let none = try site.get("/")
        #expect(none.status == 404)
        #expect(
            none.isPage(
                "404 Not Found",
                [
                    ("Code", "NoSuchWebsiteConfiguration"),
                    ("Message", "The specified bucket does not have a website configuration"), ("BucketName", "photos"),
                ]), "\(none.text)")
        site.host = "nowhere.s3-website.localhost"
        #expect(try site.get("/").text.contains("<li>Code: NoSuchBucket</li>\n<li>Message: "))
        site.host = "x.s3-website.localhost"
        #expect(try site.get("/").text.contains("<li>Code: InvalidBucketName</li>"))
    }

    @Test func `shows the bucket's own page for errors with the error's status`() throws {
        let site = try WebsiteSite(
            WebsiteSite.index + WebsiteSite.errorDocument, objects: ["error.html": "sorry"])
        // Conditions and ranges are about the page that was asked for.
        let answer = try site.get("/a", headers: [("Range", "bytes=0-1"), ("If-None-Match", "*")])
        #expect(answer.status == 404 && answer.text == "sorry" && answer["Content-Type"] == "text/html")
        #expect(answer["x-amz-error-code"] == "NoSuchKey")
        let head = try site.head("/a")
        #expect(head.status == 404 && head["Content-Length"] == "5")
    }

    @Test func `says why the page for errors is missing`() throws {
        let site = try WebsiteSite(WebsiteSite.index + WebsiteSite.errorDocument)
        let items = [("Code", "NoSuchKey"), ("Message", "The specified key does not exist.")]
        #expect(
            try site.get("/a").isPage(
                "404 Not Found", items + [("Key", "a")],
                tail: "<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>\n<ul>\n"
                    + "<li>Code: NoSuchKey</li>\n<li>Message: The specified key does not exist.</li>\n"
                    + "<li>Key: error.html</li>\n</ul>\n"))
    }

    @Test func `knows reading only`() throws {
        let site = try WebsiteSite(
            WebsiteSite.index + WebsiteSite.errorDocument, objects: ["a": "x", "error.html": "sorry"])
        for method in ["PUT", "POST", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            let answer = try site.s3.send(site.request(method, "/a"))
            #expect(answer.status == 405 && answer["Allow"] == "GET, HEAD", "\(method)")
            #expect(
                answer.isPage(
                    "405 Method Not Allowed",
                    [
                        ("Code", "MethodNotAllowed"),
                        ("Message", "The specified method is not allowed against this resource."),
                        ("Method", method), ("ResourceType", "OBJECT"),
                    ]), "\(answer.text)")
        }
        #expect(try site.get("/a").text == "x")
    }

    @Test func `answers conditions and ranges as GetObject does`() throws {
        let site = try WebsiteSite(objects: ["index.html": "home"])
        let etag = try #require(try site.get("/")["ETag"])
        let unchanged = try site.get("/", headers: [("If-None-Match", etag)])
        #expect(unchanged.status == 304 && unchanged["ETag"] == etag && unchanged.body.isEmpty)
        let modified = try #require(try site.get("/")["Last-Modified"])
        #expect(try site.get("/", headers: [("If-Modified-Since", modified)]).status == 304)
        let failed = try site.get("/", headers: [("If-Match", "\"other\"")])
        #expect(failed.status == 412 && failed.text.contains("<li>Code: PreconditionFailed</li>"))
        let part = try site.get("/", headers: [("Range", "bytes=1-2")])
        #expect(part.status == 206 && part.text == "om")
        #expect(try site.get("/", headers: [("Range", "bytes=9-")]).status == 416)
    }

    @Test func `takes neither signatures nor parameters nor headers of the API`() throws {
        let site = try WebsiteSite(objects: ["index.html": "home"])
        for target in [
            "/?versionId=garbage", "/?acl", "/?website", "/?response-content-type=text/x", "/?X-Amz-Signature=0",
            "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&Signature=a", "/?a=%zz",
        ] {
            let answer = try site.get(target)
            #expect(answer.text == "home" && answer["Content-Type"] == "text/html", "\(target)")
        }
        let headers = [
            ("Authorization", "AWS4-HMAC-SHA256 nonsense"), ("x-amz-expected-bucket-owner", "123456789012"),
            ("x-amz-checksum-mode", "nonsense"),
        ]
        for header in headers { #expect(try site.get("/", headers: [header]).text == "home", "\(header)") }
        #expect(try site.get("/%zz").text.contains("<li>Code: InvalidURI</li>"))
        let long = String(repeating: "a", count: 1_020) + "/"
        #expect(try site.get("/" + long).text.contains("<li>Code: KeyTooLongError</li>"))
    }

    @Test func `is the same under AWS's names, and under those alone`() throws {
        var site = try WebsiteSite(objects: ["index.html": "home"]) { options in
            options.domains = ["localhost"]
            options.websiteDomains = ["s3-website.localhost", "s3-website-eu-west-1.amazonaws.com"]
        }
        #expect(try site.get("/").text == "home")
        for host in ["photos.s3-website-eu-west-1.amazonaws.com", "PHOTOS.S3-Website.LocalHost:80"] {
            site.host = host
            #expect(try site.get("/").text == "home", "\(host)")
        }
        for host in ["photos.localhost", "photos.s3-website-us-east-1.amazonaws.com"] {
            site.host = host
            #expect(try site.get("/").text.contains("<?xml"), "\(host)")
        }
    }

    @Test func `has no admin API and no Security Token Service`() throws {
        let site = try WebsiteSite(objects: ["_shoal/health": "mine"]) { $0.adminListen = nil }
        #expect(try site.get("/_shoal/health").text == "mine")
        let form = [("Content-Type", "application/x-www-form-urlencoded")]
        #expect(try site.s3.send(site.request("POST", "/", headers: form)).status == 405)
    }
}

@Suite struct `Who may read a website` {
    @Test func `is nobody until a policy or a list says so`() throws {
        let site = try WebsiteSite(policy: nil, objects: ["index.html": "home"])
        let refused = try site.get("/")
        #expect(refused.status == 403)
        #expect(
            refused.isPage("403 Forbidden", [("Code", "AccessDenied"), ("Message", "Access Denied")]),
            "\(refused.text)")
        try site.s3.put("open", "x", headers: [("x-amz-acl", "public-read")])
        #expect(try site.get("/open").text == "x")
    }

    @Test func `is told nothing about missing objects without the right to list, and is led to folders all the same`()
        throws
    {
        let site = try WebsiteSite(policy: WebsiteSite.readable, objects: ["docs/index.html": "docs"])
        #expect(try site.get("/a").status == 403)
        #expect(try site.get("/docs").redirect == "302 /docs/")
    }

    @Test func `may depend on the page that links to it`() throws {
        let condition = #","Condition":{"StringLike":{"aws:Referer":"http://a.test/*"}}}"#
        let policy = WebsiteSite.readable.dropLast() + condition
        let site = try WebsiteSite(policy: String(policy), objects: ["index.html": "home"])
        #expect(try site.get("/").status == 403)
        #expect(try site.get("/", headers: [("Referer", "http://a.test/b")]).text == "home")
    }

    @Test func `is nobody where a customer's key is needed, which no browser sends`() throws {
        let site = try WebsiteSite()
        #expect(try site.s3.put("index.html", "home", headers: TestKey.own.headers()).status == 200)
        for headers in [[], TestKey.own.headers()] {
            let answer = try site.get("/", headers: headers)
            #expect(answer.status == 400 && answer.text.contains("<li>Code: InvalidRequest</li>"), "\(answer.text)")
        }
    }

    @Test func `is nobody where public access is blocked`() throws {
        let site = try WebsiteSite(objects: ["index.html": "home"])
        let block =
            "<PublicAccessBlockConfiguration><RestrictPublicBuckets>true</RestrictPublicBuckets>"
            + "</PublicAccessBlockConfiguration>"
        let put = S3Call("PUT", "photos", query: [("publicAccessBlock", "")], body: block)
        #expect(try site.s3.send(put).status == 200)
        #expect(try site.get("/").status == 403)
    }

    @Test func `gets no page for errors that is not public either`() throws {
        let deny =
            #",{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::photos/error.html"}"#
        let site = try WebsiteSite(
            WebsiteSite.index + WebsiteSite.errorDocument, policy: WebsiteSite.listable + deny,
            objects: ["error.html": "sorry"])
        let answer = try site.get("/a")
        #expect(answer.status == 404)
        #expect(answer.text.contains("</h3>\n<ul>\n<li>Code: AccessDenied</li>\n<li>Message: Access Denied</li>\n"))
    }
}
