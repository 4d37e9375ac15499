import ShoalS3
import ShoalWire
import Testing

@Suite struct `A conditional read` {
    /// A date relative to the object's Last-Modified, in seconds.
    enum Value: Sendable {
        case text(String)
        case date(Int64)
    }

    @Test(
        arguments: [
            ([("If-Match", .text("\"900150983cd24fb0d6963f7d28e17f72\""))], 200, nil),
            ([("If-Match", .text("900150983cd24fb0d6963f7d28e17f72"))], 200, nil),
            ([("If-Match", .text("\"x\", \"900150983cd24fb0d6963f7d28e17f72\""))], 200, nil),
            ([("If-Match", .text("*"))], 200, nil),
            ([("If-Match", .text("\"x\""))], 412, "If-Match"),
            ([("If-Match", .text("*")), ("If-Unmodified-Since", .date(-3_600))], 200, nil),
            ([("If-Unmodified-Since", .date(-3_600))], 412, "If-Unmodified-Since"),
            ([("If-Unmodified-Since", .date(0))], 200, nil),
            ([("If-Unmodified-Since", .text("not a date"))], 200, nil),
            ([("If-None-Match", .text("\"900150983cd24fb0d6963f7d28e17f72\""))], 304, nil),
            ([("If-None-Match", .text("*"))], 304, nil),
            ([("If-None-Match", .text("\"x\""))], 200, nil),
            ([("If-None-Match", .text("\"x\"")), ("If-Modified-Since", .date(0))], 200, nil),
            ([("If-Modified-Since", .date(0))], 304, nil),
            ([("If-Modified-Since", .date(-3_600))], 200, nil),
            ([("If-Modified-Since", .date(3_600))], 200, nil),
            ([("If-Modified-Since", .text("yesterday"))], 200, nil),
        ] as [([(String, Value)], Int, String?)])
    func `is decided in S3's order (Azurite#2550)`(
        conditions: [(String, Value)], status: Int, condition: String?
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).freeze(at: S3Client.now)
        try s3.put("a", "abc", headers: [("Cache-Control", "max-age=9"), ("x-amz-meta-k", "v")])
        let modified = try #require(try s3.get("a")["Last-Modified"].flatMap { Timestamp(httpDate: $0) })
        let fields = conditions.map { name, value -> WireRequest.Field in
            switch value {
            case .text(let text): (name, text)
            case .date(let distance): (name, modified.adding(seconds: distance).httpDate)
            }
        }
        for method in ["GET", "HEAD"] {
            let answer = try s3.send(S3Call(method, "photos", "a", unsigned: fields))
            #expect(answer.status == status)
            switch status {
            case 304:
                #expect(answer.body.isEmpty)
                #expect(answer["ETag"] == etag(of: "abc"))
                #expect(answer["Last-Modified"] == modified.httpDate)
                #expect(answer["Cache-Control"] == "max-age=9")
                #expect(answer["x-amz-meta-k"] == nil)
            case 412 where method == "GET":
                let content =
                    "<Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not "
                    + "hold</Message><Condition>\(condition ?? "")</Condition>"
                #expect(answer.errorContent == content)
            default: break
            }
        }
        #expect(try s3.get("missing", headers: fields).status == 404)
    }
}

@Suite struct `A conditional write` {
    static func header(_ name: String) -> String {
        "<Code>NotImplemented</Code><Message>A header you provided implies functionality that is not implemented</Message>"
            + "<Header>\(name)</Header><additionalMessage>"
    }

    @Test(
        arguments: [
            ([("If-None-Match", "*")], 412, "<Condition>If-None-Match</Condition>"),
            (
                [("If-None-Match", "\"x\"")], 501,
                "We don't accept the provided value of If-None-Match header for this API"
            ),
            ([("If-Match", "*")], 501, "We don't accept the provided value of If-Match header for this API"),
            ([("If-Match", "\"x\"")], 412, "<Condition>If-Match</Condition>"),
            ([("If-Match", "\"900150983cd24fb0d6963f7d28e17f72\"")], 200, ""),
            ([("If-Match", "900150983cd24fb0d6963f7d28e17f72")], 200, ""),
            (
                [("If-Match", "\"x\""), ("If-None-Match", "*")], 501,
                "<Header>If-Match,If-None-Match</Header><additionalMessage>Multiple conditional request headers present"
            ),
        ] as [([(String, String)], Int, String)])
    func `of an object that exists is decided by its entity tag (moto#8091, minio#19442)`(
        conditions: [(String, String)], status: Int, text: String
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "abc")
        let answer = try s3.put("a", "new", headers: conditions)
        #expect(answer.status == status)
        #expect(answer.text.contains(text) || text.isEmpty)
        #expect(try s3.get("a").text == (status == 200 ? "new" : "abc"))
    }

    @Test func `of an object that does not exist creates with If-None-Match and is a 404 with If-Match`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let missing = try s3.put("a", "x", headers: [("If-Match", "\"x\"")])
        #expect(missing.status == 404)
        #expect(
            missing.errorContent
                == "<Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>a</Key>")
        #expect(try s3.put("a", "x", headers: [("If-None-Match", "*")]).status == 200)
    }

    @Test func `of a delete compares the entity tag`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "abc")
        #expect(try s3.send(S3Call("DELETE", "photos", "a", headers: [("If-Match", "\"x\"")])).status == 412)
        #expect(try s3.has("a"))
        let tag = etag(of: "abc")
        #expect(try s3.send(S3Call("DELETE", "photos", "a", headers: [("If-Match", tag)])).status == 204)
        #expect(try !s3.has("a"))
    }

    /// Every writer has sent all but its last byte before the first one completes, so that all pass the first check.
    @Test func `with If-None-Match has exactly one winner among 64 (floci#1328)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let statuses = try race(server, count: 64) { number in
            try s3.request(S3Call("PUT", "photos", "a", headers: [("If-None-Match", "*")], body: "writer \(number)"))
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 412 || $0 == 409 }.count == 63)
        let winner = try #require(statuses.firstIndex(of: 200))
        #expect(try s3.get("a").text == "writer \(winner)")
    }

    /// The same with all of them waiting at one gate just before the commit.
    @Test func `with If-None-Match has exactly one winner among 64 that commit at one instant`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @commit.before pause(line)")
        let connections = try (0..<64).map { number in
            let connection = server.connection
            let call = S3Call("PUT", "photos", "a", headers: [("If-None-Match", "*")], body: "writer \(number)")
            connection.send(try s3.request(call).bytes)
            return connection
        }
        _ = try admin.journal { events in events.count { $0.ev == "fault" } == 64 }
        #expect(try admin.json("POST", "/gates/line/release")["released"]?.integer == 64)
        let statuses = try connections.map { try #require($0.receiveResponse()).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 412 || $0 == 409 }.count == 63)
        let winner = try #require(statuses.firstIndex(of: 200))
        #expect(try s3.get("a").text == "writer \(winner)")
    }

    @Test func `with one If-Match has exactly one winner (localstack#13294)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "old")
        let statuses = try race(server, count: 16) { number in
            let headers = [("If-Match", etag(of: "old"))]
            return try s3.request(S3Call("PUT", "photos", "a", headers: headers, body: "writer \(number)"))
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.allSatisfy { [200, 412, 409].contains($0) })
        let winner = try #require(statuses.firstIndex(of: 200))
        #expect(try s3.get("a").text == "writer \(winner)")
    }

    @Test func `races without a condition all succeed and leave one of them (localstack#8011)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let statuses = try race(server, count: 32) { number in
            try s3.request(S3Call("PUT", "photos", "a", body: "writer \(number)"), .presigned(seconds: 60))
        }
        #expect(statuses == Array(repeating: 200, count: 32))
        let text = try s3.get("a").text
        #expect((0..<32).map { "writer \($0)" }.contains(text), "\(text)")
    }

    /// The statuses of requests that all complete together.
    private func race(
        _ server: TestServer, count: Int, _ request: (Int) throws -> WireRequest
    ) throws -> [Int] {
        let writers = try (0..<count).map { number in
            let (connection, bytes) = (server.connection, try request(number).bytes)
            connection.send(Array(bytes.dropLast()))
            return (connection, bytes.last!)
        }
        for (connection, last) in writers { connection.send([last]) }
        return try writers.map { try #require($0.0.receiveResponse()).status }
    }
}
