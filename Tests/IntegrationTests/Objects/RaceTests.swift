import ShoalCrypto
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// Sixty-four requests that wait at one gate just before their change, and then go on together.
@Suite struct `A race under a condition` {
    private static let count = 64

    /// The statuses of all of them; `operation` is the fault rule's name for what they do.
    private func race(
        _ server: TestServer, _ operation: String, _ request: (Int) throws -> WireRequest
    ) throws -> [Int] {
        let admin = AdminClient(server)
        try admin.arm("\(operation) @commit.before pause(line)")
        let connections = try (0..<Self.count).map { number in
            let connection = server.connection
            connection.send(try request(number).bytes)
            return connection
        }
        _ = try admin.journal { events in events.count { $0.ev == "fault" } == Self.count }
        #expect(try admin.json("POST", "/gates/line/release")["released"]?.integer == Int64(Self.count))
        return try connections.map { try #require($0.receiveResponse(milliseconds: 60_000)).status }
    }

    private func tag(of text: String) -> String { "\"\(Hexadecimal.string(Digest.of(Array(text.utf8), .md5)))\"" }

    @Test func `is won by one copy onto a key that was not there`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for number in 0..<Self.count { try s3.put("source-\(number)", "\(number)") }
        let statuses = try race(server, "CopyObject target") { number in
            let headers = [("x-amz-copy-source", "/photos/source-\(number)"), ("If-None-Match", "*")]
            return try s3.request(S3Call("PUT", "photos", "target", headers: headers))
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.allSatisfy { [200, 409, 412].contains($0) })
        #expect(try s3.get("target").text == statuses.firstIndex(of: 200).map { "\($0)" })
    }

    @Test func `is won by one copy onto what was read`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("target", "old")
        for number in 0..<Self.count { try s3.put("source-\(number)", "\(number)") }
        let statuses = try race(server, "CopyObject target") { number in
            let headers = [("x-amz-copy-source", "/photos/source-\(number)"), ("If-Match", tag(of: "old"))]
            return try s3.request(S3Call("PUT", "photos", "target", headers: headers))
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.allSatisfy { [200, 409, 412].contains($0) })
        #expect(try s3.get("target").text == statuses.firstIndex(of: 200).map { "\($0)" })
    }

    @Test(arguments: ["If-None-Match", "If-Match"])
    func `is won by one completion`(condition: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        if condition == "If-Match" { try s3.put("target", "old") }
        let value = condition == "If-Match" ? tag(of: "old") : "*"
        let uploads = try (0..<Self.count).map { number in
            let upload = try s3.begin("target")
            return (upload, try s3.part(1, Array("\(number)".utf8), of: upload, "target"))
        }
        let statuses = try race(server, "CompleteMultipartUpload target") { number in
            let (upload, part) = uploads[number]
            return try s3.request(s3.completion(upload, "target", [(1, part)], headers: [(condition, value)]))
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.allSatisfy { [200, 409, 412].contains($0) })
        #expect(try s3.get("target").text == statuses.firstIndex(of: 200).map { "\($0)" })
    }

    @Test func `is won by one deletion, and none deletes what came later`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("target", "old")
        let statuses = try race(server, "DeleteObject target") { _ in
            try s3.request(S3Call("DELETE", "photos", "target", headers: [("If-Match", tag(of: "old"))]))
        }
        #expect(statuses.filter { $0 == 204 }.count == 1)
        #expect(statuses.allSatisfy { [204, 404, 409, 412].contains($0) })
        try s3.put("target", "new")
        let late = S3Call("DELETE", "photos", "target", headers: [("If-Match", tag(of: "old"))])
        #expect(try AdminClient(server).send("DELETE", "/rules").status == 204)
        #expect(try s3.send(late).status == 412)
        #expect(try s3.get("target").text == "new")
    }
}
