import ShoalFaults
import ShoalWire
import Testing

@Suite struct `A rule about reading` {
    @Test func `strikes at the byte of the object, wherever the range begins`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "0123456789")
        let rule = try admin.arm("GetObject a @read.at(6) reset per=rule")
        for (range, body) in [("bytes=4-8", "45"), ("bytes=6-6", ""), ("bytes=0-", "012345")] {
            let connection = server.connection
            connection.send(try s3.request(S3Call("GET", "photos", "a", headers: [("Range", range)])).bytes)
            let (bytes, end) = connection.receive()
            #expect(end == .reset)
            #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n" + body), "\(range)")
        }
        #expect(try admin.firings(of: rule) == 3)
        // Ranges that do not reach it are none of its business.
        #expect(try s3.get("a", headers: [("Range", "bytes=0-3")]).text == "0123")
        #expect(try s3.get("a", headers: [("Range", "bytes=8-")]).text == "89")
        #expect(try admin.firings(of: rule) == 3)
    }

    @Test(arguments: ["GetObject", "HeadObject"])
    func `strikes before anybody knows whether the object is there`(operation: String) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        let rule = try admin.arm("\(operation) @read.open SlowDown per=rule")
        let method = operation == "GetObject" ? "GET" : "HEAD"
        for key in ["a", "missing"] {
            let connection = server.connection
            connection.send(try s3.request(S3Call(method, "photos", key)).bytes)
            #expect(connection.receiveResponse(toHead: method == "HEAD")?.status == 503)
        }
        // Who may not read opens nothing.
        var stranger = s3
        stranger.secret = "wrong"
        #expect(try stranger.get("a").status == 403)
        #expect(try admin.firings(of: rule) == 2)
    }

    @Test func `strikes at an object of parts too, which is looked up elsewhere`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        let tag = try s3.part(1, pattern(1_000), of: upload, "a")
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 200)
        try admin.arm("GetObject a @read.open 1*SlowDown")
        #expect(try s3.get("a").status == 503)
        #expect(try s3.get("a").body == pattern(1_000))
    }

    @Test func `strikes when idle only on connections that are kept`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("GetObject @idle delay(1ms) per=rule")
        let get = try s3.request(S3Call("GET", "photos", "a", unsigned: [("Connection", "close")]))
        let connection = server.connection
        #expect(try s3.send(get, on: connection).status == 404)
        #expect(connection.receive().end == .fin)
        #expect(try admin.firings(of: rule) == 0)
        let kept = server.connection
        for _ in 0..<2 {
            #expect(try s3.send(s3.request(S3Call("GET", "photos", "a")), on: kept).status == 404)
        }
        _ = try admin.journal { $0.count { $0.ev == "fault" } == 2 }
    }
}
