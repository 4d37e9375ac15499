import ShoalJSON
import ShoalWire
import Testing

@Suite struct `A website's redirects` {
    private static func rules(_ rules: String...) -> String {
        let all = rules.map { "<RoutingRule>\($0)</RoutingRule>" }.joined()
        return WebsiteSite.index + WebsiteSite.errorDocument + "<RoutingRules>\(all)</RoutingRules>"
    }

    @Test func `send everything to another host`() throws {
        let site = try WebsiteSite(
            "<RedirectAllRequestsTo><HostName>b.example</HostName></RedirectAllRequestsTo>", policy: nil)
        let answer = try site.get("/a/b%20c?d=e")
        #expect(answer.redirect == "301 http://b.example/a/b%20c" && answer.body.isEmpty)
        #expect(try site.head("/").redirect == "301 http://b.example/")
        try site.put(
            "<RedirectAllRequestsTo><HostName>b.example</HostName><Protocol>https</Protocol></RedirectAllRequestsTo>")
        #expect(try site.get("/").redirect == "301 https://b.example/")
        #expect(try site.s3.send(site.request("PUT", "/a")).status == 405)
    }

    @Test func `follow a prefix before anything is looked for, existing objects too`() throws {
        let site = try WebsiteSite(
            Self.rules(
                "<Condition><KeyPrefixEquals>docs/</KeyPrefixEquals></Condition>"
                    + "<Redirect><ReplaceKeyPrefixWith>documents/</ReplaceKeyPrefixWith></Redirect>",
                "<Condition><KeyPrefixEquals>old</KeyPrefixEquals></Condition><Redirect><HostName>b.example</HostName>"
                    + "<Protocol>https</Protocol><HttpRedirectCode>307</HttpRedirectCode>"
                    + "<ReplaceKeyWith>new.html</ReplaceKeyWith></Redirect>"), objects: ["docs/a": "x", "b": "b"])
        #expect(try site.get("/docs/a").redirect == "301 http://\(site.host)/documents/a")
        #expect(try site.get("/docs/").redirect == "301 http://\(site.host)/documents/")
        #expect(try site.get("/old/x").redirect == "307 https://b.example/new.html")
        #expect(try site.get("/b").text == "b")
    }

    @Test func `follow an error behind the lookup, instead of the page for errors`() throws {
        let site = try WebsiteSite(
            Self.rules(
                "<Condition><KeyPrefixEquals>app/</KeyPrefixEquals>"
                    + "<HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals></Condition>"
                    + "<Redirect><ReplaceKeyPrefixWith>#!/</ReplaceKeyPrefixWith></Redirect>",
                "<Condition><HttpErrorCodeReturnedEquals>403</HttpErrorCodeReturnedEquals></Condition>"
                    + "<Redirect><ReplaceKeyWith>login.html</ReplaceKeyWith></Redirect>"),
            policy: WebsiteSite.listable
                + #",{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::photos/own/*"}"#,
            objects: ["app/there": "there", "error.html": "sorry", "own/a": "secret"])
        #expect(try site.get("/app/there").text == "there")
        #expect(try site.get("/app/x").redirect == "301 http://\(site.host)/#!/x")
        #expect(try site.get("/own/a").redirect == "301 http://\(site.host)/login.html")
        #expect(try site.get("/elsewhere").text == "sorry")
    }

    @Test func `are an object's own, on the website and nowhere else`() throws {
        let site = try WebsiteSite()
        for (key, location) in [("a", "/b?c#d"), ("index.html", "https://b.example/")] {
            try site.s3.put(key, "x", headers: [("x-amz-website-redirect-location", location)])
        }
        #expect(try site.get("/a").redirect == "301 /b?c#d")
        #expect(try site.head("/a").redirect == "301 /b?c#d")
        #expect(try site.get("/").redirect == "301 https://b.example/")
        let api = try site.s3.get("a")
        #expect(api.status == 200 && api["x-amz-website-redirect-location"] == "/b?c#d" && api.text == "x")
    }

    @Test func `are the page for errors' own too`() throws {
        let site = try WebsiteSite(WebsiteSite.index + WebsiteSite.errorDocument)
        try site.s3.put("error.html", "sorry", headers: [("x-amz-website-redirect-location", "/elsewhere.html")])
        #expect(try site.get("/absent").redirect == "301 /elsewhere.html")
    }

    @Test func `of an object are for those who may read it`() throws {
        let site = try WebsiteSite(policy: nil)
        try site.s3.put("a", "x", headers: [("x-amz-website-redirect-location", "/b")])
        let answer = try site.get("/a")
        #expect(answer.status == 403 && answer["Location"] == nil)
    }
}

@Suite struct `A request to a website` {
    @Test func `is in the journal as the GetObject of what it shows`() throws {
        let site = try WebsiteSite(objects: ["docs/index.html": "docs"])
        #expect(try site.get("/docs/").status == 200)
        let events = try AdminClient(site.server).exchange {
            $0["key"] == "docs/index.html" && $0["operation"] == "GetObject"
        }
        #expect(events.map(\.ev) == ["request.head", "auth", "response.head", "response.end"])
        #expect(events[1]["verdict"] == "anonymous")
        #expect(try site.get("/missing").status == 404)
        let missing = try AdminClient(site.server).exchange { $0["key"] == "missing" }
        #expect(missing.first { $0.ev == "response.head" }?["code"] == "NoSuchKey")
    }

    @Test(arguments: [
        ("GetObject index.html @request.head 1*SlowDown", 503, "SlowDown"),
        ("GetObject index.html @auth 1*respond(503)", 503, ""),
    ])
    func `meets the rules about reading, and errors are pages there too`(rule: String, status: Int, code: String)
        throws
    {
        let site = try WebsiteSite(objects: ["index.html": "home"])
        let id = try AdminClient(site.server).arm(rule)
        let answer = try site.get("/")
        #expect(answer.status == status && answer["Content-Type"] != "application/xml")
        if !code.isEmpty { #expect(answer.text.contains("<li>Code: \(code)</li>"), "\(answer.text)") }
        #expect(try AdminClient(site.server).firings(of: id) == 1)
        #expect(try site.get("/").text == "home")
    }

    @Test func `can be cut in the middle of a page`() throws {
        let site = try WebsiteSite(objects: ["index.html": String(repeating: "home", count: 1_000)])
        try AdminClient(site.server).arm("GetObject index.html @response.at(50%) 1*close")
        let connection = site.server.connection
        connection.send(site.request("GET", "/").bytes)
        let (bytes, _) = connection.receive { _ in false }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("Content-Length: 4000\r\n"))
        #expect(text.split(separator: "\r\n\r\n").last?.utf8.count == 2_000)
    }

    @Test(.enabled(if: ChildProcess.exists("curl"), "curl is not installed: apt-get install curl"))
    func `is what curl follows from a folder to its page`() throws {
        let site = try WebsiteSite(objects: ["docs/index.html": "docs"])
        let result = ChildProcess.run([
            "curl", "-q", "-sS", "--noproxy", "*", "--location", "--resolve", "\(site.host):127.0.0.1", "--write-out",
            " %{http_code} %{num_redirects}", "http://\(site.host)/docs",
        ])
        #expect(result.output == "docs 200 1")
    }

    @Test func `is explained as one that nobody signs`() throws {
        let site = try WebsiteSite()
        let body = #"{"method":"GET","url":"http://\#(site.host)/?X-Amz-Signature=0","headers":{}}"#
        let answer = try AdminClient(site.server).json("POST", "/_shoal/v1/explain", body)
        #expect(answer["verdict"] == "anonymous" && answer["summary"]?.string?.contains("website") == true)
    }

    @Test func `carries what other origins may read`() throws {
        let site = try WebsiteSite(objects: ["font.woff2": "font"])
        let answer = try site.get("/font.woff2", headers: [("Origin", "http://a.example")])
        #expect(answer.text == "font" && answer["Access-Control-Allow-Origin"] != nil)
    }
}
