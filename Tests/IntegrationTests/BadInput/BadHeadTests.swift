import ShoalFaults
import ShoalS3
import ShoalSeeded
import ShoalWire
import Testing

@Suite struct `A bad head` {
    @Test(arguments: [
        "PUT /photos/a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
        "PUT /photos/a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "PUT /photos/a HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc",
        "GET / HTTP/1.1\nHost: h\n\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET /\r\n",
    ])
    func `is refused in S3's form, journalled, and followed by a FIN`(text: String) throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(text)
        let (bytes, end) = connection.receive()
        #expect(statuses(in: bytes) == [400])
        #expect(end == .fin)
        let answer = try #require(WireResponse(parsing: bytes, isHead: false))
        #expect(
            answer.errorContent
                == "<Code>BadRequest</Code><Message>An error occurred when parsing the HTTP request.</Message>")
        `An error`.expectCommonFields(answer)
        let events = try AdminClient(server).journal { $0.contains { $0.ev == "note" } }
        #expect(events.first { $0.ev == "note" }?["text"]?.string?.hasPrefix("not a request of HTTP/1.1: ") == true)
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    @Test(arguments: [(8_000, 200), (9_000, 400), (60_000, 400), (70_000, 431)])
    func `section of a PUT is bounded`(count: Int, status: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let padding = [("x-padding", String(repeating: "p", count: count - 500))]
        let answer = try s3.send(S3Call("PUT", "photos", "a", unsigned: padding, body: "x"))
        #expect(answer.status == status)
        if status == 400 {
            #expect(
                answer.errorContent
                    == "<Code>RequestHeaderSectionTooLarge</Code><Message>Your request header section exceeds the maximum "
                    + "allowed size.</Message><MaxSizeAllowed>8192</MaxSizeAllowed>")
        }
        #expect(try s3.has("a") == (status == 200))
    }

    @Test func `may come one byte at a time, and its body too`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let connection = server.connection
        for byte in try s3.request(S3Call("PUT", "photos", "a", body: "slow")).bytes { connection.send([byte]) }
        #expect(try #require(connection.receiveResponse()).status == 200)
        #expect(try s3.get("a").text == "slow")
    }

    @Test func `behind a good one does not undo it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let connection = server.connection
        let good = try s3.request(S3Call("PUT", "photos", "a", body: "x"))
        connection.send(good.bytes + good.bytes + Array("nonsense\r\n\r\n".utf8))
        let (bytes, end) = connection.receive()
        #expect(statuses(in: bytes) == [200, 200, 400])
        #expect(end == .fin)
        #expect(try s3.get("a").text == "x")
    }

    @Test(arguments: ["GET", "HEAD", "DELETE"])
    func `is none where a body stands that nobody wants: it is read and dropped`(method: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let connection = server.connection
        let answer = try s3.send(try s3.request(S3Call(method, "photos", "a", body: "ignored")), on: connection)
        #expect(answer.status == (method == "DELETE" ? 204 : 200))
        #expect(try s3.send(try s3.request(S3Call("GET", "photos", "b")), on: connection).status == 404)
    }

    /// Three hundred requests with bytes changed, cut, doubled and put in at random; the seed is in the failure.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `or a good one with random damage never stops the server`(seed: UInt64) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var random = SeededGenerator(seed: seed)
        let models = [
            try s3.request(S3Call("PUT", "photos", "a", headers: [("x-amz-meta-a", "b")], body: "hello")),
            try s3.request(S3Call("PUT", "photos", "a", body: "hello"), .presigned(seconds: 60)),
            try s3.request(S3Call("GET", "photos", query: [("list-type", "2"), ("prefix", "a"), ("delimiter", "/")])),
            try s3.request(S3Call("GET", "photos", "a", headers: [("Range", "bytes=1-2"), ("If-Match", "\"x\"")])),
            try s3.request(S3Call("PUT", "trips", body: "<CreateBucketConfiguration/>")),
            try ChunkedUpload(isSigned: true, trailer: (.crc32, "AAAAAA==")).request(s3, "a", pattern(20)),
            try ChunkedUpload(isSigned: false, trailer: (.sha256, "AAAA")).request(s3, "a", pattern(20)),
            try s3.request(S3Call("OPTIONS", "photos", "a", headers: [("Origin", "x")]), .none),
        ].map(\.bytes)
        for number in 0..<100 {
            let connection = server.connection
            connection.send(damaged(models.randomElement(using: &random)!, &random))
            connection.finishSending()
            let (bytes, end) = connection.receive()
            #expect(end != .silence, "seed \(seed), request \(number)")
            #expect(
                statuses(in: bytes).allSatisfy { (100..<600).contains($0) && $0 != 500 },
                "seed \(seed), request \(number)")
        }
        #expect(try s3.put("after", "x").status == 200)
        #expect(try s3.get("after").text == "x")
        #expect(!server.log.contains(" error "), "seed \(seed): \(server.log)")
    }

    private func damaged(_ model: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = model
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, index + Int.random(in: 1...20, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            default: bytes.removeSubrange(end...)
            }
        }
        return bytes
    }
}
