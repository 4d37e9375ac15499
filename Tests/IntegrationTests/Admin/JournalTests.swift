import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

@Suite struct `The journal` {
    @Test func `tells an upload's whole story in order`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let call = S3Call("PUT", "photos", "a", unsigned: [("x-shoal-op", "photo 7")], body: "hello")
        try s3.send(call, .presigned(seconds: 60))
        let events = try admin.exchange { $0["key"]?.string == "a" }
        #expect(
            events.map(\.ev) == ["request.head", "auth", "body", "store", "response.head", "response.end"])
        let head = events[0]
        #expect(head["method"]?.string == "PUT")
        #expect(head["operation"]?.string == "PutObject")
        #expect(head["bucket"]?.string == "photos")
        #expect(head["contentLength"]?.integer == 5)
        #expect(head["presigned"] == true)
        #expect(head["connection"]?.string == "fresh")
        #expect(events[1]["verdict"]?.string == "accepted")
        #expect(events[2]["bytes"]?.integer == 5)
        #expect(events[3]["change"]?.string == "committed")
        #expect(events[3]["size"]?.integer == 5)
        #expect(events[3]["etag"]?.string == "5d41402abc4b2a76b9719d911017c592")
        #expect(events[4]["status"]?.integer == 200)
        #expect(events[5]["bytes"]?.integer == 0)
        #expect(events.allSatisfy { $0["op"]?.string == "photo 7" && $0["attempt"]?.integer == 1 })
        let numbers = events.compactMap { $0["seq"]?.integer }
        #expect(numbers == numbers.sorted() && Set(numbers).count == events.count)
    }

    @Test func `is read page by page, as JSON and as lines`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        for number in 0..<5 { try s3.put("k\(number)", "x") }
        let last =
            try admin.journal { events in events.count { $0.ev == "response.end" } == 5 }.last?["seq"]?.integer ?? 0
        var (paged, since): ([JSON], Int64) = ([], 0)
        repeat {
            let page = try admin.json("GET", "/journal?since=\(since)&limit=3")
            #expect(page["incomplete"] == false)
            let events = page["events"]?.elements ?? []
            #expect(events.count <= 3)
            paged += events
            since = page["last"]?.integer ?? .max
        } while since < last
        #expect(paged.compactMap { $0["seq"]?.integer } == Array(1...last))
        let lines = try admin.send("GET", "/journal?format=ndjson&limit=10000")
        #expect(lines["Content-Type"] == "application/x-ndjson")
        #expect(try lines.text.split(separator: "\n").map { try JSONParser.parse(String($0)) } == paged)
        #expect(try admin.json("GET", "/journal?since=\(last)")["events"]?.elements.isEmpty == true)
    }

    /// The stream begins before the upload, which it shows while the connection is still open.
    @Test func `is followed as it grows`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let follower = server.adminConnection
        follower.send(
            "GET /_shoal/v1/scopes/default/journal/stream HTTP/1.1\r\nHost: 127.0.0.1:\(server.adminPort)\r\n\r\n")
        let (head, _) = follower.receive { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
        let text = String(decoding: head, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Type: text/event-stream\r\n"))
        for number in 0..<3 {
            try s3.put("k\(number)", "x")
            let (bytes, _) = follower.receive {
                String(decoding: $0, as: UTF8.self).contains("\"ev\":\"response.end\"")
            }
            let messages = String(decoding: bytes, as: UTF8.self)
            #expect(messages.contains("\"key\":\"k\(number)\""))
            #expect(messages.hasPrefix("id: "))
        }
        #expect(try admin.send("GET", "/rules").status == 200)
    }

    @Test func `is in its file too: a usual exchange as one line, any other as it is served`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        try s3.get("missing")
        _ = try admin.journal { events in events.count { $0.ev == "response.end" } == 2 }
        let served = try admin.send("GET", "/journal?format=ndjson").text.split(separator: "\n")
        server.stop()
        let lines = server.journalFile.split(separator: "\n")
        let put = try JSONParser.parse(String(#require(lines.first)))
        #expect(put.ev == "exchange")
        #expect(put["key"]?.string == "a")
        #expect(put["status"]?.integer == 200)
        // The end of an answer that was sent whole goes without saying.
        let others = served.filter { $0.contains("\"conn\":2,") && !$0.contains("response.end") }
        #expect(others.count == 3)
        #expect(Array(lines.dropFirst().prefix(others.count)) == others)
    }

    @Test(arguments: [
        ("expired", "AccessDenied"), ("wrong-secret", "SignatureDoesNotMatch"), ("wrong-host", "SignatureDoesNotMatch"),
        ("wrong-method", "SignatureDoesNotMatch"), ("not-yet-valid", "AccessDenied"),
    ])
    func `gives the diagnosis of a refusal`(defect: String, code: String) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let request = try MintedURL(server, #","defect":"\#(defect)""#).request
        #expect(try S3Client(server).send(request).code == code)
        let auth = try admin.exchange { $0["key"]?.string == "a.jpg" }.first { $0.ev == "auth" }
        #expect(auth?["verdict"]?.string == "refused")
        #expect(auth?["code"]?.string == code)
        #expect(auth?["diagnosis"]?.string?.isEmpty == false)
    }

    @Test func `counts arrivals by itself: both attempts of one upload (okhttp#9136)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let length: WireRequest.Field = ("Content-Length", "5")
        let request = try s3.request(
            S3Call("PUT", "photos", "a", headers: [length], body: "hello"), .presigned(seconds: 60))
        var empty = request
        empty["Content-Length"] = "0"
        empty.body = []
        #expect(try s3.send(request).status == 200)
        #expect(try s3.send(empty).status == 403)
        let events = try admin.journal { events in events.count { $0.ev == "response.end" } == 2 }
        let heads = events.filter { $0.ev == "request.head" }
        #expect(heads.compactMap { $0["attempt"]?.integer } == [1, 2])
        #expect(heads.compactMap { $0["contentLength"]?.integer } == [5, 0])
    }
}
