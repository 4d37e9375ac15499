import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `The admin API` {
    @Test(arguments: [
        ("GET", "/_shoal/health", 200), ("GET", "/_shoal/v1/points", 200), ("GET", "/_shoal/v1/actions", 200),
        ("GET", "/_shoal/v1/scopes", 200), ("POST", "/_shoal/v1/reset", 200), ("GET", "/rules", 200),
        ("GET", "/clock", 200),
        ("GET", "/objects", 200), ("GET", "/schedule", 200), ("GET", "/journal", 200), ("POST", "/reset", 200),
        ("DELETE", "/rules", 204),
        ("POST", "/gates/any/release", 200), ("GET", "/_shoal/v1/presets", 200),
        ("GET", "/_shoal/v1/openapi.json", 200),
        ("POST", "/_shoal/v1/scopes", 201), ("DELETE", "/_shoal/v1/scopes/default", 409),
        ("GET", "/_shoal/v1/scopes/default", 200), ("DELETE", "/_shoal/v1/scopes/other", 404),
        ("PATCH", "/rules/r1", 404),
        ("GET", "/uploads", 200), ("POST", "/lifecycle", 200), ("GET", "/notifications", 200),
        ("GET", "/operations", 200), ("GET", "/operations/x", 404), ("POST", "/wait", 400), ("POST", "/verify", 400),
        ("POST", "/notes", 400), ("GET", "/near-misses", 200), ("GET", "/_shoal/v1/checks", 200),
        ("POST", "/presets/tunnel", 404), ("POST", "/presets/expired-link", 201), ("GET", "/journal?format=har", 200),
        ("GET", "/_shoal/", 404), ("GET", "/_shoal/v1/", 404), ("GET", "/_shoal/v2/points", 404),
        ("DELETE", "/_shoal/v1/points", 404), ("GET", "/nothing", 404), ("GET", "/_shoal/v1/scopes/other/rules", 404),
        ("GET", "/_shoal/v1/scopes/other/journal/stream", 404), ("POST", "/urls", 400), ("PUT", "/clock", 400),
        ("POST", "/_shoal/v1/explain", 400), ("GET", "/journal?since=x", 400), ("GET", "/journal?limit=0", 400),
        ("GET", "/journal?format=xml", 400), ("GET", "/objects?limit=100000", 400),
    ])
    func `answers every route in JSON, and the unknown with 404`(
        method: String, path: String, status: Int
    ) throws {
        let server = try TestServer()
        let answer = try AdminClient(server).send(method, path)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer["Date"] != nil)
        guard status != 204 else { return }
        #expect(answer["Content-Type"] == (status < 300 ? "application/json" : "application/problem+json"))
        let document = try JSONParser.parse(answer.body)
        if status >= 300 {
            #expect(document["status"]?.integer == Int64(status))
            #expect(document["title"]?.string?.isEmpty == false)
            #expect(document["detail"]?.string?.isEmpty == false)
        }
    }

    @Test func `says that it is well, and names every point and action`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let health = try admin.json("GET", "/_shoal/health")
        #expect(health["status"]?.string == "ok")
        #expect(health["version"]?.string == shoalVersion)
        let points = try admin.json("GET", "/_shoal/v1/points")["points"]?.elements ?? []
        #expect(points.compactMap { $0["name"]?.string } == FaultPoint.allCases.map(\.rawValue))
        let actions = try admin.json("GET", "/_shoal/v1/actions")["actions"]?.elements ?? []
        #expect(actions.compactMap { $0["name"]?.string } == FaultAction.Name.allCases.map(\.rawValue))
        let scopes = try admin.json("GET", "/_shoal/v1/scopes")["scopes"]?.elements ?? []
        #expect(scopes.compactMap { $0["scope"]?.string } == ["default"])
        #expect(scopes.first?["accessKeyId"]?.string == "shoal")
        #expect(scopes.first?["secretAccessKey"] == nil)
    }

    @Test(arguments: [
        ("Origin", "https://evil.example", 403), ("Origin", "null", 403),
        ("Origin", "http://127.0.0.1.evil.example", 403), ("Origin", "http://127.0.0.1:1", 403),
        ("Origin", "http://localhost", 403), ("Origin", "http://localhost:5173", 403),
        ("Origin", "http://127.0.0.1:9000", 200), ("Host", "evil.example", 403), ("Host", "evil.example:9000", 403),
        ("Host", "127.0.0.1.nip.io", 403), ("Host", "localhost:1", 200), ("Host", "[::1]:9000", 200),
    ])
    func `is not for pages of other origins, nor for names that somebody else's DNS leads here`(
        header: String, value: String, status: Int
    ) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let value = value.replacing("127.0.0.1:9000", with: "127.0.0.1:\(server.adminPort)")
        for (method, path) in [("GET", "/rules"), ("POST", "/_shoal/v1/reset"), ("GET", "/_shoal/health")] {
            let answer = try admin.send(method, path, headers: [(header, value)])
            #expect(answer.status == status)
            #expect(answer["Access-Control-Allow-Origin"] == nil)
        }
        guard status == 403 else { return }
        #expect(try admin.send("GET", "/journal/stream", headers: [(header, value)]).status == 403)
    }

    @Test func `wants its token where one is set, and then any name will do`() throws {
        let server = try TestServer { $0.adminToken = Secret("open-sesame") }
        let admin = AdminClient(server)
        for authorization in [
            "", "Bearer", "Bearer open-sesam", "Bearer open-sesames", "Basic open-sesame", "open-sesame",
        ] {
            let answer = try admin.send("GET", "/rules", headers: [("Authorization", authorization)])
            #expect(answer.status == 401, "\(authorization)")
            #expect(!answer.text.contains("open-sesame"))
        }
        #expect(try admin.send("GET", "/_shoal/health").status == 401)
        let bearer = ("Authorization", "Bearer open-sesame")
        #expect(try admin.send("GET", "/rules", headers: [bearer, ("Host", "shoal.test")]).status == 200)
        #expect(try admin.send("GET", "/rules", headers: [bearer, ("Origin", "https://evil.example")]).status == 403)
    }

    @Test func `shares S3's port unless it has one of its own`() throws {
        let shared = try TestServer { $0.adminListen = nil }
        #expect(shared.adminPort == shared.port)
        #expect(try AdminClient(shared).json("GET", "/_shoal/health")["status"]?.string == "ok")
        #expect(try S3Client(shared).put("a", "x").status == 200)
        let apart = try TestServer()
        let answer = try S3Client(apart).send(S3Call("GET", "_shoal", "health"))
        #expect(answer.code == "InvalidBucketName")
    }

    @Test func `leaves keys to the bucket that the host names`() throws {
        let server = try TestServer { $0.adminListen = nil }
        let s3 = S3Client(server).virtualHosted
        #expect(try s3.put("_shoal/health", "a key like any other").status == 200)
        #expect(try s3.get("_shoal/health").text == "a key like any other")
    }

    @Test func `reads at most a mebibyte`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        #expect(try admin.send("POST", "/rules", String(repeating: "#", count: (1 << 20) + 1)).status == 413)
        #expect(try admin.send("GET", "/rules").status == 200)
    }

    @Test func `shows what is stored page by page, whatever is injected`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        for key in ["a", "b/c", "d"] { try s3.put(key, "abc", headers: [("Content-Type", "image/jpeg")]) }
        try s3.send(S3Call("PUT", "films", "a", body: "x"))
        try admin.arm("any @request.head reset")
        var (seen, next): ([String], String?) = ([], nil)
        repeat {
            let page = try admin.json("GET", "/objects?limit=1" + (next.map { "&after=\($0)" } ?? ""))
            seen += page["objects"]?.elements.map { "\($0["bucket"]?.string ?? "")/\($0["key"]?.string ?? "")" } ?? []
            next = page["next"]?.string
        } while next != nil && seen.count < 10
        #expect(seen == ["films/a", "photos/a", "photos/b/c", "photos/d"])
        let object = try admin.json("GET", "/objects?bucket=photos")["objects"]?.first
        #expect(object?["size"]?.integer == 3)
        #expect(object?["etag"]?.string == "900150983cd24fb0d6963f7d28e17f72")
        #expect(object?["contentType"]?.string == "image/jpeg")
        #expect(object?["lastModified"]?.string.flatMap { Timestamp(iso8601: $0) } != nil)
        #expect(object?["sha256"] == nil)
    }

    @Test func `shows a digest of what is stored to those who ask for it`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "abc")
        let object = try admin.json("GET", "/objects?bucket=photos&digest=sha256")["objects"]?.first
        // FIPS 180-2, appendix B.1.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(object?["sha256"]?.string == digest)
        #expect(try admin.send("GET", "/objects?digest=md5").status == 400)
    }

    @Test func `resets for several at a time, each to the start`() throws {
        let server = try TestServer()
        let connections = (0..<16).map { _ in server.adminConnection }
        for _ in 0..<8 {
            for connection in connections {
                connection.send(
                    "POST /_shoal/v1/reset HTTP/1.1\r\nHost: 127.0.0.1:\(server.adminPort)\r\nContent-Length: 0\r\n\r\n"
                )
            }
            for connection in connections {
                let answer = try #require(connection.receiveResponse())
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.text.contains(#""buckets":2"#), "\(answer.text)")
            }
        }
    }

    @Test(arguments: ["/_shoal/v1/reset", "/reset"])
    func `resets everything to the start`(path: String) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        try s3.send(S3Call("PUT", "trips"))
        try s3.send(S3Call("DELETE", "films"))
        try admin.arm("GetObject @auth SlowDown")
        try admin.arm("PutObject b @commit.before pause(gate)")
        let waiting = server.connection
        waiting.send(try s3.request(S3Call("PUT", "photos", "b", body: "x")).bytes)
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        try admin.freeze(at: Timestamp(seconds: 1_000_000_000))
        let result = try admin.json("POST", path)
        #expect(result["buckets"]?.integer == 2)
        #expect(result["rules"]?.integer == 2)
        #expect(waiting.receiveResponse() != nil, "whoever waited at a gate was let go")
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        #expect(try abs(admin.json("GET", "/clock")["offsetMs"]?.integer ?? .max) <= 1)
        #expect(try s3.get("a").code == "NoSuchKey")
        #expect(try s3.send(S3Call("HEAD", "films")).status == 200)
        #expect(try s3.send(S3Call("HEAD", "trips")).status == 404)
        let events = try admin.journal { $0.contains { $0["operation"]?.string == "HeadBucket" } }
        #expect(!events.contains { $0["operation"]?.string == "CreateBucket" })
    }
}
