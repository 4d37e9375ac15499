import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

extension AdminClient {
    /// Outcomes by check, in their order.
    fileprivate func outcomes(_ checks: String..., options: String = "") throws -> [String] {
        let verdict = try verdict(checks, options: options)
        return (verdict["results"]?.elements ?? []).compactMap { $0["outcome"]?.string }
    }

    fileprivate func verdict(_ checks: [String], options: String = "") throws -> JSON {
        let list = JSON.array(checks.map { .string($0) }).text
        return try json("POST", "/verify", #"{"checks":\#(list)\#(options)}"#)
    }
}

@Suite struct `A verdict on a running server` {
    /// Stored, the answer lost, and sent again.
    @Test func `tells a client that looked from one that sent again blindly (tusd#1364, OkHttp#4963)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @commit.after 1*reset id=lost")
        func upload(_ key: String, _ body: String) throws {
            let connection = server.connection
            connection.send(try s3.request(S3Call("PUT", "photos", key, body: body), .presigned(seconds: 60)).bytes)
            #expect(connection.receive().end == .reset)
        }
        try upload("careful", "one")
        #expect(try s3.has("careful"))
        try upload("blind", "one")
        #expect(try s3.send(S3Call("PUT", "photos", "blind", body: "two"), .presigned(seconds: 60)).status == 200)
        let verdict = try admin.verdict([
            "one-commit key=careful", "verified-after-unknown key=careful", "one-commit key=blind",
            "verified-after-unknown key=blind",
        ])
        let results = verdict["results"]?.elements ?? []
        #expect(results.map { $0["outcome"]?.string } == ["pass", "pass", "fail", "fail", "pass"])
        #expect(verdict["outcome"] == "fail" && verdict["onlyMissesFirings"] == false)
        #expect(results[2]["reason"] == "2 commits changed the content of photos/blind")
        #expect(results[2]["rules"]?.elements == ["PutObject @commit.after 1*reset id=lost"])
        let timeline = results[2]["timeline"]?.elements.compactMap(\.string) ?? []
        #expect(
            timeline.count == 3 && timeline[1].contains("reset by lost") && timeline[2].hasSuffix("ok"), "\(timeline)")
    }

    /// A link expires, and the retry comes with a new one for the same key.
    @Test func `sees a new link for the same upload (uppy#1724)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @auth 1*expire per=rule")
        let call = S3Call("PUT", "photos", "a", body: "hello")
        let old = try s3.request(call, .presigned(seconds: 60))
        #expect(try s3.send(old).code == "AccessDenied")
        #expect(try s3.send(call, .presigned(seconds: 61)).status == 200)
        #expect(
            try admin.outcomes("fresh-url-after", "never-resent", "attempts max=2") == ["pass", "pass", "pass", "pass"])
        #expect(try s3.send(old).code == "AccessDenied")
        #expect(
            try admin.outcomes("fresh-url-after", "never-resent key=a", "attempts max=2").prefix(3) == [
                "fail", "fail", "fail",
            ])
        let operations = try admin.json("GET", "/operations")["operations"]?.elements ?? []
        #expect(operations.count == 1)
        #expect(operations[0]["aliases"]?.elements.count == 2)
        let attempts = operations[0]["attempts"]?.elements ?? []
        #expect(attempts.map { $0["outcome"]?.string } == ["fail", "ok", "fail"])
        #expect(attempts.map { $0["committed"] } == [false, true, false])
        #expect(attempts[1]["etag"] == "5d41402abc4b2a76b9719d911017c592")
        #expect(attempts.allSatisfy { $0["connection"] == "fresh" && $0["bodyBytes"] != nil })
        let alias = try #require(operations[0]["aliases"]?.elements.last?.string)
        #expect(try admin.json("GET", "/operations/\(alias)") == operations[0])
    }

    /// A link that expired by the clock is an expired one as well.
    @Test func `knows a link that expired by itself`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let late = S3Client.now.adding(seconds: -120)
        let call = S3Call("PUT", "photos", "a", body: "hello")
        #expect(try s3.send(try s3.request(call, .presigned(seconds: 60), at: late)).code == "AccessDenied")
        #expect(try admin.outcomes("fresh-url-after", "no-retry-after") == ["fail", "notApplicable", "notApplicable"])
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        #expect(try admin.outcomes("fresh-url-after") == ["pass", "notApplicable"])
    }

    /// Nobody has to sleep before asking.
    @Test
    func
        `waits for what is under way, whether or not the journal has told of it (WireMock#574, mockserver-monorepo#129)`()
        throws
    {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = server.connection
        let call = S3Call("PUT", "photos", "a", unsigned: [("Expect", "100-continue")], body: "hello")
        let request = try s3.request(call)
        upload.send(request.head)
        #expect(try #require(upload.receiveResponse()).status == 100)
        // What a small upload does is told with its answer.
        #expect(try admin.json("GET", "/journal")["events"]?.elements.isEmpty == true)
        let asking = server.adminConnection
        asking.send(admin.post("/verify", #"{"checks":["one-commit key=a"],"quiesceMs":60000}"#))
        #expect(asking.receive(milliseconds: 200).end == .silence)
        upload.send(request.body)
        #expect(try #require(upload.receiveResponse()).status == 200)
        let answer = try #require(asking.receiveResponse())
        #expect(try JSONParser.parse(answer.body)["outcome"] == "pass", "\(answer.text)")
    }

    @Test func `is given as things stand when the wait is over`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @commit.after hang")
        let upload = server.connection
        upload.send(try s3.request(S3Call("PUT", "photos", "a", body: "hello")).bytes)
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        let start = ContinuousClock.now
        #expect(
            try admin.outcomes("quiet for=1ms", "one-commit", options: #","quiesceMs":150"#) == [
                "fail", "pass", "pass",
            ])
        #expect(ContinuousClock.now - start >= .milliseconds(150))
        let attempt = try admin.json("GET", "/operations")["operations"]?.first?["attempts"]?.first
        #expect(attempt?["outcome"] == nil || attempt?["outcome"] == .null)
        #expect(attempt?["reached"] == "commit.after" && attempt?["committed"] == true)
        upload.finishSending()
    }

    @Test func `looks at what is stored, and at uploads in parts that were left`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(try s3.put("a b", "hello", headers: [("Content-Type", "image/jpeg")]).status == 200)
        let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        #expect(
            try admin.outcomes(
                "content key=\"a b\" sha256=\(digest) size=5 type=image/jpeg", "one-version key=\"a b\"",
                "content key=a size=5", "content key=\"a b\" size=6", "no-orphan-upload")
                == ["pass", "pass", "fail", "fail", "notApplicable", "notApplicable"])
        let upload = try s3.begin("parts")
        #expect(try admin.outcomes("no-orphan-upload", "completed-once").prefix(2) == ["fail", "notApplicable"])
        let tag = try s3.part(1, Array("x".utf8), of: upload, "parts")
        #expect(try s3.complete(upload, "parts", [(1, tag)]).status == 200)
        #expect(try s3.complete(upload, "parts", [(1, tag)]).status == 200)
        let checks = ["no-orphan-upload", "completed-once uploadId=\(upload)", "one-commit key=parts", "resumed"]
        #expect(
            try admin.verdict(checks)["results"]?.elements.map { $0["outcome"]?.string } == [
                "pass", "pass", "pass", "pass", "notApplicable",
            ])
        #expect(try s3.complete(upload, "parts", [(2, tag)]).code == "NoSuchUpload")
        #expect(try admin.outcomes("completed-once") == ["fail", "notApplicable"])
    }

    @Test func `counts the versions of an object`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.keepVersions()
        for body in ["one", "two"] { #expect(try s3.put("a", body).status == 200) }
        #expect(try s3.put("ab", "one").status == 200)
        let result = try admin.verdict(["one-version key=a", "one-version key=ab"])["results"]?.elements ?? []
        #expect(result.map { $0["outcome"] } == ["fail", "pass", "notApplicable"])
        #expect(result[0]["reason"] == "photos/a has 2 versions")
    }

    @Test func `sees nothing of another scope`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, "one")
        try scope.admin.arm("GetObject @auth reset id=silent")
        #expect(try S3Client(server).put("a", "main").status == 200)
        #expect(try scope.admin.outcomes("one-commit", "content key=a size=4") == ["notApplicable", "fail", "fail"])
        #expect(try AdminClient(server).outcomes("one-commit") == ["pass", "notApplicable"])
        #expect(try scope.admin.json("GET", "/operations")["operations"]?.elements.isEmpty == true)
    }
}
