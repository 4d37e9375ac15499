import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// What users of proxies, mocks and fault injectors asked for in public, and how it goes here.
@Suite struct `What users of fault tools asked for` {
    private let server: TestServer
    private var s3: S3Client { S3Client(server) }
    private var admin: AdminClient { AdminClient(server) }

    init() throws { server = try TestServer() }

    @Test func `a 404 on demand, and a head that comes slowly (toxiproxy#50)`() throws {
        try s3.put("a", "hello")
        try admin.arm("GetObject a @auth 1*NoSuchKey per=rule")
        try admin.arm("GetObject a @response.head.at(15) delay(80ms) skip=1 per=rule")
        #expect(try s3.get("a").status == 404)
        #expect(try s3.get("a").status == 200)
        let connection = server.connection
        let start = ContinuousClock.now
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let first = connection.receive { $0.count >= 15 }.bytes
        #expect(String(decoding: first, as: UTF8.self) == "HTTP/1.1 200 OK")
        let rest = connection.receive { $0.suffix(5) == Array("hello".utf8)[...] }.bytes
        #expect(rest.suffix(5) == Array("hello".utf8)[...])
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }

    @Test func `a fault only where a given request passes, told by a header (toxiproxy#518)`() throws {
        try admin.arm("PutObject @auth SlowDown header.x-amz-meta-kind=film")
        #expect(try s3.put("a", "x").status == 200)
        #expect(try s3.put("a", "x", headers: [("x-amz-meta-kind", "photo")]).status == 200)
        #expect(try s3.put("a", "x", headers: [("x-amz-meta-kind", "film")]).code == "SlowDown")
    }

    /// Whether the client goes on sending or not.
    @Test(arguments: [true, false])
    func `a connection that carries data, and is cut after a time (toxiproxy#195)`(isBusy: Bool) throws {
        try admin.arm("PutObject a @body.at(50%) 1*delay(50ms)->reset")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(100_000)))
        let connection = server.connection
        let start = ContinuousClock.now
        connection.send(request.head + request.body.prefix(isBusy ? 100_000 : 50_000))
        let (bytes, end) = connection.receive()
        #expect(bytes.isEmpty && end == .reset)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        let strike = try admin.journal { $0.contains { $0.ev == "fault" } }.first { $0.ev == "fault" }
        #expect(strike?["bodyBytesTaken"] == 50_000)
        #expect(try !s3.has("a"))
    }

    @Test func `a state for each caller, told by what the caller sends (wiremock#498)`() throws {
        try admin.arm("PutObject @auth SlowDown,pass,InternalError then=repeat")
        func status(_ caller: String) throws -> Int {
            try s3.send(S3Call("PUT", "photos", "a", unsigned: [("x-shoal-op", caller)], body: "x")).status
        }
        let seen = try ["one", "two", "one", "one", "two", "one"].map { ($0, try status($0)) }
        #expect(seen.filter { $0.0 == "one" }.map(\.1) == [503, 200, 500, 503])
        #expect(seen.filter { $0.0 == "two" }.map(\.1) == [503, 200])
    }

    @Test func `an end without an answer, after a time (mockserver-monorepo#155)`() throws {
        try admin.arm("GetObject @auth 1*delay(60ms)->close")
        let connection = server.connection
        let start = ContinuousClock.now
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let (bytes, end) = connection.receive()
        #expect(bytes.isEmpty && end == .fin)
        #expect(ContinuousClock.now - start >= .milliseconds(60))
    }

    @Test func `socket errors and incomplete reads from an S3 that is none (moto#346)`() throws {
        try s3.send(S3Call("PUT", "photos", "a", body: pattern(1_000)))
        try admin.arm("GetObject a @response.at(300) 1*close")
        let reading = server.connection
        reading.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        let read = reading.receive()
        #expect(read.end == .fin && read.bytes.suffix(300) == pattern(1_000).prefix(300))
        #expect(String(decoding: read.bytes.prefix(1_000), as: UTF8.self).contains("Content-Length: 1000\r\n"))
        try admin.arm("PutObject b @body.end 1*reset")
        let writing = server.connection
        writing.send(try s3.request(S3Call("PUT", "photos", "b", body: pattern(1_000))).bytes)
        #expect(writing.receive().end == .reset)
    }

    @Test func `a store that fails, one that fails and does the work, and chaos (scylladb#20613)`() throws {
        try admin.arm("PutObject first @request.head 1*InternalError")
        try admin.arm("PutObject work @commit.after 1*InternalError")
        #expect(try s3.put("first", "x").status == 500)
        #expect(try s3.put("work", "x").status == 500)
        #expect(try !s3.has("first"))
        #expect(try s3.get("work").text == "x")
        try admin.json("PUT", "/rules", #"{"rules":["PutObject @auth 50%InternalError id=chaos"],"seed":1}"#)
        let statuses = try (0..<40).map { try s3.put("chaos-\($0)", "x").status }
        #expect(Set(statuses) == [200, 500])
    }

    @Test func `rules at run time, added to or put in place of others (gopherstack#329)`() throws {
        func ids() throws -> [String] {
            try admin.json("GET", "/rules")["rules"]?.elements.compactMap { $0["id"]?.string } ?? []
        }
        try admin.json("POST", "/rules", "PutObject @auth SlowDown id=a")
        try admin.json("POST", "/rules", "GetObject @auth SlowDown id=b")
        #expect(try ids() == ["a", "b"])
        #expect(try s3.put("x", "x").status == 503)
        try admin.json("PUT", "/rules", "GetObject @auth InternalError id=c")
        #expect(try ids() == ["c"])
        #expect(try s3.put("x", "x").status == 200)
        #expect(try s3.get("x").status == 500)
    }

    /// For those who send faults by header there: what is injected has S3's form and says so.
    @Test func `an error that clients can parse, and that says that it was made (envoy#11707)`() throws {
        try admin.arm("PutObject a @auth SlowDown id=busy")
        let answer = try s3.put("a", "x")
        #expect(answer["Content-Type"] == "application/xml" && answer.errorContent != nil)
        #expect(answer["x-shoal-fault"] == "busy at auth")
    }

    /// The code is in the answer, in the journal, and in what a verdict says.
    @Test func `the code of an upload that came short (react-native-background-upload#85)`() throws {
        try admin.arm("PutObject a @body.end 1*IncompleteBody")
        let answer = try s3.put("a", "x")
        #expect(answer.status == 400 && answer.code == "IncompleteBody" && answer.errorContent != nil)
        let events = try admin.journal { $0.contains { $0.ev == "response.end" } }
        #expect(events.first { $0.ev == "response.head" }?["code"] == "IncompleteBody")
        let verdict = try admin.json("POST", "/verify", #"{"checks":["no-retry-after codes=IncompleteBody"]}"#)
        #expect(verdict["outcome"] == "pass")
        let request = try s3.request(S3Call("PUT", "photos", "b", body: pattern(1_000)))
        let connection = server.connection
        connection.send(request.head + request.body.prefix(900))
        connection.finishSending()
        #expect(connection.receiveResponse()?.code == "IncompleteBody")
    }

    @Test func `a steady slow store (minio#15864)`() throws {
        try admin.arm("any @request.head throttle(400000,400000,10000)")
        let start = ContinuousClock.now
        #expect(try s3.send(S3Call("PUT", "photos", "a", body: pattern(50_000))).status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        let middle = ContinuousClock.now
        #expect(try s3.get("a").body == pattern(50_000))
        #expect(ContinuousClock.now - middle >= .milliseconds(100))
    }

    @Test func `faults that are listed and also happen, or a reason why not (localstack-chaos-repro)`() throws {
        try admin.arm("PutObject films/* @auth 1*SlowDown id=films")
        #expect(try s3.put("photos/a", "x").status == 200)
        let verdict = try admin.json("POST", "/verify", #"{"checks":[]}"#)
        #expect(verdict["outcome"] == "fail" && verdict["onlyMissesFirings"] == true)
        let miss = try admin.json("GET", "/near-misses")["nearMisses"]?.first
        #expect(miss?["id"] == "films" && miss?["differences"]?.first?["field"] == "key")
        #expect(miss?["differences"]?.first?["found"] == "photos/a")
        #expect(try s3.put("films/a", "x").status == 503)
        #expect(try admin.json("POST", "/verify", #"{"checks":[]}"#)["outcome"] == "pass")
    }

    // MARK: By a preset

    private func expectVerdicts(of presets: String...) throws {
        let trials = SceneTrial.all.filter { presets.contains($0.preset) }
        try #require(trials.count >= 2 * presets.count)
        for trial in trials {
            #expect(try trial.play()["outcome"] == (trial.isGood ? "pass" : "fail"), "\(trial)")
        }
    }

    @Test func `200 with an error in its body, which is a failure (aws-sdk-java#538)`() throws {
        try expectVerdicts(of: "lying-200")
    }

    @Test func `a slow line, and a verdict on who begins again on it (aws-sdk-ios#5456)`() throws {
        try expectVerdicts(of: "one-bar", "elevator")
    }

    @Test func `a second Complete with the same result (chimera#489)`() throws {
        try expectVerdicts(of: "complete-twice")
    }

    @Test func `an unknown Complete, and a verdict on who looked (foundationdb#14027)`() throws {
        try expectVerdicts(of: "complete-twice-forgotten", "lost-answer")
    }

    /// The same every time, byte by byte: what crashed there can be met at will.
    @Test func `an answer that is cut behind its status (swift-corelibs-foundation#5285)`() throws {
        try admin.json("POST", "/presets/cut-head", #"{"times":20}"#)
        for _ in 0..<20 {
            let connection = server.connection
            connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "x")).bytes)
            let (bytes, end) = connection.receive()
            #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\n" && end == .fin)
        }
        #expect(try s3.put("a", "x").status == 200)
        try expectVerdicts(of: "cut-head")
    }
}
