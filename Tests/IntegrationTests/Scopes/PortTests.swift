import ShoalAdminAPI
import ShoalJSON
import ShoalNet
import ShoalWire
import Testing

@Suite struct `A port of a scope` {
    @Test func `takes the scope's key, and whoever shows none`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let scope = try TestScope(server, "mine", port: true)
        #expect(scope.port != nil && scope.port != server.port)
        try scope.s3.put("a", "mine")
        try S3Client(server).put("a", "main")
        #expect(try scope.s3.get("a").text == "mine")
        // The main scope has a bucket of that name too: without the port it would be asked.
        let anonymous = try scope.s3.send(S3Call("GET", "photos", "a"), .none)
        #expect(anonymous.code == "AccessDenied")
        let unknown = try scope.s3.send(S3Call("GET", "elsewhere", "a"), .none)
        #expect(unknown.code == "NoSuchBucket")
        let heads = try scope.admin.journal { $0.count { $0.ev == "response.end" } == 4 }.filter {
            $0.ev == "request.head"
        }
        #expect(heads.count == 4)
        // The server's own port leads there as well.
        var beside = scope.s3
        (beside.port, beside.host) = (server.port, "127.0.0.1:\(server.port)")
        #expect(try beside.get("a").text == "mine")
    }

    enum Stranger: CaseIterable { case main, other, nobody, form }

    @Test(arguments: Stranger.allCases)
    func `refuses every other key, and the journal says whose it is`(stranger: Stranger) throws {
        let server = try TestServer()
        let scope = try TestScope(server, "mine", port: true)
        let other = try TestScope(server, "other")
        var s3 = scope.s3
        switch stranger {
        case .main: (s3.accessKey, s3.secret) = (S3Client(server).accessKey, S3Client(server).secret)
        case .other, .form: (s3.accessKey, s3.secret) = (other.s3.accessKey, other.s3.secret)
        case .nobody: s3.accessKey = "SHOALNOBODY"
        }
        let answer =
            stranger == .form
            ? try s3.send(s3.form([("key", "a")], file: Array("x".utf8)).request(s3)) : try s3.put("a", "x")
        #expect(answer.status == 403 && answer.code == "InvalidAccessKeyId")
        #expect(answer.element("AWSAccessKeyId") == s3.accessKey)
        let refusal = try scope.admin.journal { $0.contains { $0.ev == "auth" } }.first { $0.ev == "auth" }
        let diagnosis = refusal?["diagnosis"]?.string ?? ""
        switch stranger {
        case .main: #expect(diagnosis.contains("scope 'default', and this port to 'mine'"), "\(diagnosis)")
        case .other: #expect(diagnosis.contains("send it to http://127.0.0.1:\(server.port)"), "\(diagnosis)")
        case .nobody, .form: #expect(!diagnosis.contains("this port"), "\(diagnosis)")
        }
        for admin in [scope.admin, other.admin, AdminClient(server)] {
            #expect(try admin.json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        }
    }

    @Test func `stands in the scope's endpoint and in the URLs it mints, which explain knows too`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, "mine", port: true)
        let endpoint = "http://127.0.0.1:\(try #require(scope.port))"
        let view = try ScopeView(decoding: AdminClient(server).send("GET", "/_shoal/v1/scopes/mine").body)
        #expect(view.endpoint == endpoint && view.port == scope.port)
        let wanted = #"{"method":"PUT","bucket":"photos","key":"a","expires":60}"#
        let url = try #require(try scope.admin.json("POST", "/urls", wanted)["url"]?.string)
        #expect(url.hasPrefix(endpoint + "/photos/a?"))
        let main = try #require(
            try AdminClient(server).json(
                "POST", "/urls", #"{"method":"PUT","bucket":"photos","key":"a","expires":60,"baseURL":"\#(endpoint)"}"#)[
                    "url"]?.string)
        for (url, code) in [(url, nil), (main, "InvalidAccessKeyId")] {
            let explained = try AdminClient(server).json(
                "POST", "/_shoal/v1/explain", #"{"method":"PUT","url":"\#(url)","headers":{}}"#)
            #expect(explained["code"]?.string == code)
        }
    }

    @Test func `goes by another host where clients reach the server by one`() throws {
        let server = try TestServer { $0.publicURLs = ["http://shoal.test:9000"] }
        let scope = try TestScope(server, "mine", port: true)
        let view = try ScopeView(decoding: AdminClient(server).send("GET", "/_shoal/v1/scopes/mine").body)
        #expect(view.endpoint == "http://shoal.test:\(try #require(scope.port))")
        #expect(try TestScope(server, "other").s3.put("a", "x").status == 200)
    }

    @Test func `has no admin API and says where that is`() throws {
        let server = try TestServer { $0.adminListen = nil }
        let scope = try TestScope(server, "mine", port: true)
        let connection = scope.s3.connection
        connection.send("GET /_shoal/v1/scopes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 404 && answer["Content-Type"] == "application/problem+json")
        #expect(answer.text.contains("'mine'") && answer.text.contains("http://127.0.0.1:\(server.port)"))
    }

    @Test func `is struck at accept by the scope's rules alone`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        try scope.admin.arm("@accept reset times=1")
        #expect(try S3Client(server).put("a", "x").status == 200)
        #expect(scope.s3.connection.receive().end == .reset)
        try AdminClient(server).arm("@accept reset")
        #expect(try scope.s3.put("a", "x").status == 200)
        #expect(S3Client(server).connection.receive().end == .reset)
    }

    @Test func `has connections of the scope from their first byte on`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let silent = scope.s3.connection
        // Once a later connection is served, the kernel has given away the one before.
        try scope.s3.put("a", "x")
        try scope.admin.arm("GetObject @auth dropAll times=1")
        let get = scope.s3.connection
        get.send(try scope.s3.request(S3Call("GET", "photos", "a")).bytes)
        #expect(get.receive().end == .reset)
        #expect(silent.receive().end == .reset)
    }

    @Test func `is free again when its scope ends, and its connections lead nowhere`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let connection = scope.s3.connection
        #expect(try scope.s3.send(scope.s3.request(S3Call("GET", "photos", "a")), on: connection).status == 404)
        #expect(try scope.end().openConnections == 1)
        let later = try scope.s3.send(scope.s3.request(S3Call("GET", "photos", "a")), on: connection)
        #expect(later.status == 503 && later.errorContent?.contains("The scope of this port has ended.") == true)
        #expect(connection.receive().end == .fin)
        // Whoever asks for the number gets it.
        let free = try ListeningSocket(host: "127.0.0.1", port: try #require(scope.port))
        free.close()
    }

    @Test func `is the same after a restart, or another one if it was taken`() throws {
        let server = try TestServer()
        let (kept, taken) = (try TestScope(server, "kept", port: true), try TestScope(server, "taken", port: true))
        try kept.s3.put("a", "x")
        server.stop()
        let thief = try ListeningSocket(host: "127.0.0.1", port: try #require(taken.port))
        defer { thief.close() }
        let data = server.data
        let again = try TestServer { $0.storage = .directory(data) }
        #expect(try kept.s3.get("a").text == "x")
        let list = try ScopeList(decoding: AdminClient(again).send("GET", "/_shoal/v1/scopes").body)
        let other = try #require(list.scopes.first { $0.scope == "taken" }?.port)
        #expect(list.scopes.first { $0.scope == "kept" }?.port == kept.port)
        #expect(other != taken.port)
        var s3 = taken.s3
        (s3.port, s3.host) = (other, "127.0.0.1:\(other)")
        #expect(try s3.put("a", "x").status == 200)
        #expect(again.log.contains("a scope has another port now"))
        again.stop()
        let third = try TestServer { $0.storage = .directory(data) }
        #expect(try s3.get("a").text == "x")
        withExtendedLifetime((server, third)) {}
    }

    @Test func `is one of a bounded number, and of one too many nothing is left`() throws {
        let server = try TestServer()
        for number in 0..<PortAcceptor.portCountMax { _ = try TestScope(server, "s\(number)", buckets: [], port: true) }
        let answer = try AdminClient(server).send("POST", "/_shoal/v1/scopes", #"{"name":"more","port":true}"#)
        #expect(answer.status == 409 && answer.text.contains("256 scopes have a port of their own"))
        #expect(try AdminClient(server).send("GET", "/_shoal/v1/scopes/more").status == 404)
        #expect(!server.files(below: "scopes").contains { server.text(of: $0).contains("\"more\"") })
        #expect(try AdminClient(server).send("DELETE", "/_shoal/v1/scopes/s7").status == 200)
        #expect(try TestScope(server, "more", port: true).s3.send(S3Call("GET", nil)).status == 200)
    }

    @Test func `is asked for with true or false`() throws {
        let server = try TestServer()
        let answer = try AdminClient(server).send("POST", "/_shoal/v1/scopes", #"{"port":9001}"#)
        #expect(answer.status == 400)
        #expect(try JSONParser.parse(answer.body)["pointer"]?.string == "/port")
    }
}
