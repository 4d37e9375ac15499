import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

@Suite struct `The admin API beside a test` {
    /// One request instead of many.
    @Test func `waits until a rule has struck (WireMock#943)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @auth SlowDown id=busy")
        let asking = server.adminConnection
        asking.send(admin.post("/wait", #"{"until":"fired rule=busy n=2","timeoutMs":60000}"#))
        #expect(try s3.put("a", "x").status == 503)
        #expect(asking.receive(milliseconds: 100).end == .silence)
        #expect(try s3.put("a", "x").status == 503)
        let answer = try #require(asking.receiveResponse())
        #expect(try JSONParser.parse(answer.body)["met"] == true)
    }

    @Test func `says what did not come about in time`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let start = ContinuousClock.now
        let result = try admin.json(
            "POST", "/wait", #"{"until":["attempts key=a min=1",{"oneCommit":{}}],"timeoutMs":120}"#)
        #expect(ContinuousClock.now - start >= .milliseconds(120))
        #expect(result["met"] == false)
        #expect(result["results"]?.elements.map { $0["outcome"] } == ["fail", "notApplicable"])
    }

    @Test func `answers at once what holds already, and waits for silence`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(try s3.put("a", "x").status == 200)
        #expect(try admin.json("POST", "/wait", #"{"until":"one-commit key=a","timeoutMs":0}"#)["met"] == true)
        let start = ContinuousClock.now
        #expect(try s3.put("a", "x").status == 200)
        #expect(try admin.json("POST", "/wait", #"{"until":"quiet for=100ms"}"#)["met"] == true)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
    }

    @Test func `lets a server stop that somebody waits for`() throws {
        let server = try TestServer()
        let asking = server.adminConnection
        asking.send(AdminClient(server).post("/wait", #"{"until":"attempts min=1","timeoutMs":600000}"#))
        #expect(asking.receive(milliseconds: 50).end == .silence)
        server.stop()
    }

    @Test func `keeps the test's notes among its requests`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let first = try admin.send("POST", "/notes", #"{"text":"tapped \"send\""}"#)
        #expect(first.status == 201)
        #expect(try s3.put("a", "x").status == 200)
        let second = try admin.json("POST", "/notes", #"{"text":"told the backend"}"#)["seq"]?.integer
        let events = try admin.json("GET", "/journal?limit=10000")["events"]?.elements ?? []
        #expect(events.first?["text"] == #"tapped "send""#)
        // The end of an upload's answer may be written down behind it.
        #expect(events.first { $0["seq"]?.integer == second }?["text"] == "told the backend")
        let checks =
            #"{"checks":["notified-after-commit note=told*","order of=note:tapped*,PutObject:a,note:told*","notified-after-commit note=tapped*"]}"#
        let results = try admin.json("POST", "/verify", checks)["results"]?.elements ?? []
        #expect(results.map { $0["outcome"] } == ["pass", "pass", "fail", "notApplicable"])
    }

    @Test func `tells which request a silent rule nearly met`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a.jpeg @auth SlowDown id=typo")
        try admin.arm("PutObject @auth delay(1ms) id=struck")
        #expect(try s3.put("a.jpg", "x").status == 200)
        let misses = try admin.json("GET", "/near-misses")["nearMisses"]?.elements ?? []
        #expect(misses.map { $0["id"] } == ["typo"])
        #expect(misses[0]["reason"] == "PutObject photos/a.jpg came closest: key is a.jpg, not a.jpeg")
        #expect(misses[0]["differences"]?.first == ["field": "key", "wanted": "a.jpeg", "found": "a.jpg"])
    }

    /// A signed URL is a secret for as long as it lives.
    @Test func `gives the journal as an HTTP archive, without secrets`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let request = try s3.request(S3Call("PUT", "photos", "a", body: "hello"), .presigned(seconds: 60))
        #expect(try s3.send(request).status == 200)
        _ = try admin.exchange { $0["key"]?.string == "a" }
        let answer = try admin.send("GET", "/journal?format=har")
        #expect(answer["Content-Type"] == "application/json")
        let entry = try #require(try JSONParser.parse(answer.body)["log"]?["entries"]?.first)
        #expect(entry["request"]?["url"] == .string(server.url + "/photos/a"))
        #expect(entry["response"]?["status"] == 200 && entry["request"]?["bodySize"] == 5)
        #expect(!answer.text.contains("Signature") && !answer.text.contains(request.target.suffix(64)))
    }

    @Test func `describes every check`() throws {
        let checks = try AdminClient(TestServer()).json("GET", "/_shoal/v1/checks")["checks"]?.elements ?? []
        #expect(checks.compactMap { $0["name"]?.string } == CheckName.allCases.map(\.rawValue))
        #expect(checks.allSatisfy { $0["meaning"]?.string?.isEmpty == false })
    }

    @Test(
        arguments: [
            ("/verify", #"{"checks":["one-comit"]}"#, "the nearest is 'one-commit'", "/checks/0"),
            ("/verify", #"{"checks":[{"oneCommit":{"kye":"a"}}]}"#, "the nearest is 'key'", "/checks/0/oneCommit/kye"),
            ("/verify", #"{"check":[]}"#, "did you mean 'checks'?", "/check"),
            ("/verify", #"{"checks":"one-commit"}"#, "an array is due here", "/checks"),
            ("/verify", #"{"quiesceMs":600001}"#, "at most 600000 milliseconds", "/quiesceMs"),
            ("/verify", #"{"since":-1}"#, "a whole number is due here", "/since"), ("/verify", "", "the text ends", ""),
            (
                "/verify", #"{"checks":[\#(Array(repeating: "\"quiet for=1s\"", count: 257).joined(separator: ","))]}"#,
                "more than 256 checks", "/checks"
            ),
            ("/wait", #"{"until":"fired"}"#, "fired needs rule=", "/until"),
            ("/wait", #"{"until":[]}"#, "a check is due here", "/until"), ("/wait", "{}", "'until' is missing", ""),
            ("/wait", #"{"until":"one-commit","timeoutMs":600001}"#, "at most 600000 milliseconds", "/timeoutMs"),
            ("/notes", #"{"text":""}"#, "a note has 1 to 4096 bytes", "/text"),
            ("/notes", #"{"text":"\#(String(repeating: "x", count: 4_097))"}"#, "a note has 1 to 4096 bytes", "/text"),
            ("/notes", #"{"note":"x"}"#, "there is no member 'note'", "/note"),
        ] as [(String, String, String, String)])
    func `refuses what it does not understand, with the place`(
        path: String, body: String, detail: String, pointer: String
    ) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let answer = try admin.send("POST", path, body)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        let problem = try JSONParser.parse(answer.body)
        #expect(problem["detail"]?.string?.contains(detail) == true, "\(answer.text)")
        #expect(problem["pointer"]?.string ?? "" == pointer)
        #expect(try admin.lastEvent == 0)
    }

    @Test(arguments: [
        ("GET", "/operations/obj-none", 404, "No operation is called 'obj-none'"),
        ("GET", "/operations?since=x", 400, "since is a whole number"),
        ("GET", "/journal?format=hra", 400, "format is json, ndjson or har, not 'hra'"),
        ("POST", "/_shoal/v1/scopes/none/verify", 404, "There is no scope called 'none'"),
        ("POST", "/_shoal/v1/scopes/none/wait", 404, "There is no scope called 'none'"),
        ("GET", "/verify", 404, "is not part of the admin API"), ("PUT", "/notes", 404, "is not part of the admin API"),
        ("DELETE", "/near-misses", 404, "is not part of the admin API"),
    ])
    func `says what is not there`(method: String, path: String, status: Int, detail: String) throws {
        let answer = try AdminClient(TestServer()).send(method, path)
        #expect(answer.status == status)
        #expect(answer.text.contains(detail), "\(answer.text)")
    }
}
