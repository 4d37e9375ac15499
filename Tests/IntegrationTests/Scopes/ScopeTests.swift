import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalLog
import ShoalS3
import ShoalSigV4
import ShoalWire
import Testing

@testable import ShoalServer

@Suite struct `A scope` {
    @Test func `has buckets, objects, rules, time and journal of its own (adobe/S3Mock#229)`() throws {
        let server = try TestServer()
        let (one, two) = (try TestScope(server, "one"), try TestScope(server, "two"))
        let main = S3Client(server)
        let instant = Timestamp(seconds: 1_900_000_000)
        try two.admin.freeze(at: instant)
        let rule = try one.admin.arm("PutObject @request.head 1*respond(SlowDown)")
        #expect(try two.s3.send(S3Call("PUT", "photos", "a", body: "two"), at: instant).status == 200)
        #expect(try main.put("a", "main").status == 200)
        #expect(try one.s3.put("a", "one").code == "SlowDown")
        #expect(try one.s3.put("a", "one").status == 200)
        #expect(try one.admin.firings(of: rule) == 1)
        #expect(try AdminClient(server).json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        #expect(try one.s3.get("a").text == "one")
        #expect(try main.get("a").text == "main")
        let answer = try two.s3.send(S3Call("GET", "photos", "a"), at: instant)
        #expect(answer.text == "two" && answer["Date"] == "Sun, 17 Mar 2030 17:46:40 GMT")
        #expect(try two.s3.get("a").code == "RequestTimeTooSkewed")
        #expect(try main.send(S3Call("GET", "films")).status == 200)
        #expect(try one.s3.send(S3Call("GET", "films")).code == "NoSuchBucket")
        for (scope, admin) in [("one", one.admin), ("two", two.admin), ("default", AdminClient(server))] {
            let events = try admin.journal { events in events.count { $0.ev == "response.end" } >= 3 }
            #expect(Set(events.compactMap { $0["scope"]?.string }) == [scope])
            #expect(events.count { $0.ev == "fault" } == (scope == "one" ? 1 : 0))
            let objects = try admin.json("GET", "/objects")["objects"]?.elements ?? []
            #expect(objects.map { $0["size"]?.integer } == [scope == "default" ? 4 : 3])
        }
    }

    enum Way: CaseIterable { case header, url, temporary, form, formV2 }

    /// Of two scopes and the main one, which have the same bucket.
    @Test(arguments: Way.allCases)
    func `is found by the key of`(way: Way) throws {
        let server = try TestServer()
        _ = try TestScope(server, "other")
        let scope = try TestScope(server, "mine")
        let s3 = scope.s3
        switch way {
        case .header: try s3.put("a", "x")
        case .url: try s3.send(S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 60))
        case .temporary:
            let wanted = TemporaryKeysRequest(expiresIn: 60, accessKey: nil)
            let answer = try scope.admin.send("POST", "/credentials", String(decoding: wanted.bytes, as: UTF8.self))
            let keys = try TemporaryKeys(decoding: answer.body)
            #expect(try s3.with(keys).put("a", "x").status == 200)
        case .form: _ = try s3.send(s3.form([("key", "a")], file: Array("x".utf8)).request(s3))
        case .formV2: _ = try s3.send(s3.form([("key", "a")], file: Array("x".utf8), version: .v2).request(s3))
        }
        #expect(try s3.get("a").text == "x")
        #expect(try S3Client(server).has("a") == false)
        #expect(try AdminClient(server, scope: "other").json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        let stored = try scope.admin.journal { $0.contains { $0.ev == "store" } }.filter { $0.ev == "store" }
        #expect(stored.first?["change"]?.string == "committed")
    }

    @Test func `has the form's faults, though a form says only in its body whose it is`() throws {
        let server = try TestServer()
        let scope = try TestScope(server)
        try scope.admin.arm("PostObject @auth respond(SlowDown)")
        let mine = scope.s3.form([("key", "a")]).request(scope.s3)
        #expect(try scope.s3.send(mine).code == "SlowDown")
        let main = S3Client(server)
        #expect(try main.send(main.form([("key", "a")]).request(main)).status == 204)
    }

    @Test func `gets what nobody signed where it alone has the bucket`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let scope = try TestScope(server, buckets: ["elsewhere"])
        let policy = """
            {"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject",\
            "Resource":"arn:aws:s3:::elsewhere/*"}]}
            """
        try scope.s3.send(S3Call("PUT", "elsewhere", query: [("policy", "")], body: policy))
        try scope.s3.send(S3Call("PUT", "elsewhere", "a", body: "x"))
        let answer = try S3Client(server).send(S3Call("GET", "elsewhere", "a"), .none)
        #expect(answer.text == "x")
        let heads = try scope.admin.journal { $0.count { $0.ev == "request.head" } == 3 }
        #expect(heads.contains { $0["method"]?.string == "GET" })
    }

    @Test func `mints URLs and explains refusals with its own key`() throws {
        let server = try TestServer()
        let scope = try TestScope(server)
        let wanted = #"{"method":"PUT","bucket":"photos","key":"a","expires":60}"#
        let url = try #require(try scope.admin.json("POST", "/urls", wanted)["url"]?.string)
        #expect(url.contains(scope.s3.accessKey))
        let explained = try AdminClient(server).json(
            "POST", "/_shoal/v1/explain", #"{"method":"PUT","url":"\#(url)","headers":{}}"#)
        #expect(explained["verdict"]?.string == "accepted")
        _ = try scope.end()
        let later = try AdminClient(server).json(
            "POST", "/_shoal/v1/explain", #"{"method":"PUT","url":"\#(url)","headers":{}}"#)
        #expect(later["code"]?.string == "InvalidAccessKeyId")
    }
}

// MARK: - Life

@Suite struct `The life of a scope` {
    @Test func `ends with everything in it, and says what was unfinished`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, "short")
        try scope.admin.arm("PutObject @auth reset id=never")
        try scope.admin.arm("GetObject @auth respond(SlowDown) id=struck")
        #expect(try scope.s3.get("a").code == "SlowDown")
        try scope.s3.send(S3Call("POST", "photos", "film", query: [("uploads", "")]))
        let connection = server.connection
        let big = String(repeating: "x", count: 300_000)
        _ = try scope.s3.send(scope.s3.request(S3Call("POST", "photos", "b", query: [("uploads", "")])), on: connection)
        let report = try scope.end()
        #expect(report.scope == "short" && report.buckets == 1 && report.neverFired == ["never"])
        #expect(report.openUploads.map(\.key) == ["b", "film"])
        // Those of the other requests may not have been seen to close yet.
        #expect(report.openConnections >= 1)
        withExtendedLifetime(connection) {}
        #expect(try scope.s3.put("a", big).code == "InvalidAccessKeyId")
        #expect(try scope.admin.send("GET", "/rules").status == 404)
        #expect(try AdminClient(server).send("DELETE", "/_shoal/v1/scopes/short").status == 404)
        // The name is free again, and nothing is left under it.
        let again = try TestScope(server, "short")
        #expect(try again.admin.json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        #expect(try again.admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }

    @Test func `lets go whoever waits at its gates when it ends`() throws {
        let server = try TestServer()
        let scope = try TestScope(server)
        try scope.admin.arm("PutObject @auth pause(door)")
        let connection = server.connection
        connection.send(try scope.s3.request(S3Call("PUT", "photos", "a", body: "x")).bytes)
        _ = try scope.admin.journal { $0.contains { $0.ev == "fault" } }
        _ = try scope.end()
        #expect(try #require(connection.receiveResponse()).code == "NoSuchBucket")
    }

    @Test func `goes on after a restart, with its key and its objects`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, "kept")
        let gone = try TestScope(server, "gone")
        try scope.s3.put("a", "x")
        _ = try gone.end()
        server.stop()
        let data = server.data
        let again = try TestServer { $0.storage = .directory(data) }
        var s3 = S3Client(again)
        (s3.accessKey, s3.secret) = (scope.s3.accessKey, scope.s3.secret)
        #expect(try s3.get("a").text == "x")
        #expect(try S3Client(again).has("a") == false)
        let names = try AdminClient(again).json("GET", "/_shoal/v1/scopes")["scopes"]?.elements ?? []
        #expect(names.compactMap { $0["scope"]?.string } == ["default", "kept"])
        #expect(try TestScope(again).name != "kept")
        withExtendedLifetime(server) {}
    }

    @Test func `is reset by itself, and ends when everything is reset`() throws {
        let server = try TestServer()
        let (one, two) = (try TestScope(server, "one"), try TestScope(server, "two"))
        for s3 in [one.s3, two.s3, S3Client(server)] { try s3.put("a", "x") }
        try one.admin.arm("PutObject @auth reset")
        let result = try ResetResult(decoding: one.admin.send("POST", "/reset").body)
        #expect(result == ResetResult(buckets: 1, rules: 1))
        #expect(try one.s3.send(S3Call("GET", "photos")).code == "NoSuchBucket")
        #expect(try two.s3.get("a").text == "x")
        #expect(try AdminClient(server).send("POST", "/reset").status == 200)
        #expect(try S3Client(server).has("a") == false)
        #expect(try two.s3.get("a").text == "x")
        #expect(try AdminClient(server).send("POST", "/_shoal/v1/reset").status == 200)
        #expect(try two.s3.get("a").code == "InvalidAccessKeyId")
        #expect(server.files(below: "scopes").isEmpty)
    }

    @Test func `ends when nobody has used it for its time to live`() throws {
        let directory = try DataDirectory(.ephemeral)
        defer { directory.close() }
        let facilities = try Facilities(
            ServeOptions(), in: directory, port: 0, laneCount: 1, log: Log(level: .error))
        defer { facilities.stop() }
        let scopes = try ScopeKeeper(World.main(in: facilities), in: directory)
        for (name, ttl) in [("short", 10), ("long", 1_000), ("stays", 0)] {
            _ = try scopes.create(CreateScopeRequest(name: name, buckets: ["photos"], ttl: ttl))
        }
        let second: UInt64 = 1_000_000_000
        let short = try #require(facilities.worlds.find("short"))
        scopes.expire(at: short.lastUse.value + 9 * second)
        #expect(scopes.list().map(\.scope) == ["default", "short", "long", "stays"])
        scopes.expire(at: short.lastUse.value + 11 * second)
        #expect(scopes.list().map(\.scope) == ["default", "long", "stays"])
        #expect(short.store.buckets().isEmpty)
        scopes.expire(at: short.lastUse.value + 1_000_000 * second)
        #expect(scopes.list().map(\.scope) == ["default", "stays"])
    }

    @Test(arguments: [
        (#"{"name":""}"#, 400, "/name"), (#"{"name":"a/b"}"#, 400, "/name"), (#"{"ttl":-1}"#, 400, "/ttl"),
        (#"{"ttl":604801}"#, 400, "/ttl"), (#"{"buckets":["Photos"]}"#, 400, "/buckets/0"),
        (#"{"names":"a"}"#, 400, "/names"), (#"{"name":"default"}"#, 409, nil), (#"{"name":"taken"}"#, 409, nil),
    ])
    func `begins with a good request or not at all`(body: String, status: Int, pointer: String?) throws {
        let server = try TestServer()
        _ = try TestScope(server, "taken")
        let answer = try AdminClient(server).send("POST", "/_shoal/v1/scopes", body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try JSONParser.parse(answer.body)["pointer"]?.string == pointer)
        #expect(try AdminClient(server).json("GET", "/_shoal/v1/scopes")["scopes"]?.elements.count == 2)
    }

    @Test func `tells its secret once, and to no log and no journal`() throws {
        let server = try TestServer()
        let scope = try TestScope(server)
        try scope.s3.put("a", "x")
        #expect(try AdminClient(server).send("GET", "/_shoal/v1/scopes").text.contains(scope.s3.accessKey))
        #expect(try !AdminClient(server).send("GET", "/_shoal/v1/scopes").text.contains(scope.s3.secret))
        _ = try scope.end()
        server.stop()
        #expect(!server.log.contains(scope.s3.secret) && !server.journalFile.contains(scope.s3.secret))
    }
}
