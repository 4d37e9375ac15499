import ShoalFaults
import ShoalJSON
import ShoalNet
import ShoalWire
import Testing

@Suite struct `An answer on the wire` {
    /// What a server may say before it has the body, or without it.
    private static let requests: [(String, Int, @Sendable (S3Client) throws -> WireRequest)] = [
        (
            "a wrong secret", 403,
            { s3 in
                var forger = s3
                forger.secret = "guess"
                return try forger.request(S3Call("PUT", "photos", "a", body: pattern(4 << 20)))
            }
        ),
        (
            "an expired URL", 403,
            { s3 in
                try s3.request(
                    S3Call("PUT", "photos", "a", body: pattern(4 << 20)), .presigned(seconds: 60),
                    at: S3Client.now.adding(seconds: -120))
            }
        ),
        ("no such bucket", 404, { try $0.request(S3Call("PUT", "nowhere", "a", body: pattern(4 << 20))) }),
        ("nobody's signature", 403, { try $0.request(S3Call("PUT", "photos", "a", body: pattern(4 << 20)), .none) }),
        (
            "another body than was signed", 400,
            { s3 in
                var request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(4 << 20)))
                request.body[7] ^= 1
                return request
            }
        ),
        ("nothing wrong", 200, { try $0.request(S3Call("PUT", "photos", "a", body: pattern(4 << 20))) }),
    ]

    @Test(arguments: requests.indices)
    func `is whole, head and body, however much the client still sends (aws_s3_upload#38)`(index: Int) throws {
        let (name, status, make) = Self.requests[index]
        let server = try TestServer()
        let s3 = S3Client(server)
        let connection = server.connection
        #expect(connection.send(try make(s3).bytes), "\(name): the sender met a reset")
        connection.finishSending()
        let (bytes, end) = connection.receive()
        let answer = try #require(WireResponse(parsing: bytes, isHead: false), "\(name): half an answer")
        #expect(answer.status == status && answer.byteCount == bytes.count && end == .fin, "\(name)")
        #expect(try s3.has("a") == (status == 200))
    }

    /// S3 closes a connection that was kept alive without having said that it would.
    @Test func `may be the last of a connection that promised more (s3cmd#1114)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("PutObject @response.end close exchange=1")
        let connection = server.connection
        let answer = try s3.send(s3.request(S3Call("PUT", "photos", "a", body: "one")), on: connection)
        #expect(answer.status == 200 && answer["Connection"]?.lowercased() != "close")
        #expect(connection.receive().end == .fin)
        // What a client wrote into the closed connection has not arrived; the same again on a new one has.
        let second = try s3.request(S3Call("PUT", "photos", "b", body: "two"))
        connection.send(second.bytes)
        #expect(connection.receive().bytes.isEmpty)
        #expect(try !s3.has("b"))
        #expect(try s3.send(second).status == 200)
        #expect(try s3.get("a").text == "one" && s3.get("b").text == "two")
        #expect(try admin.firings(of: rule) == 2)
    }

    @Test func `does not come on an idle connection, which ends with a FIN after its bound (s3cmd#1114)`() throws {
        var bounds = ConnectionBounds()
        bounds.idle = .milliseconds(50)
        let server = try TestServer(bounds: bounds)
        let s3 = S3Client(server)
        let connection = server.connection
        #expect(try s3.send(s3.request(S3Call("PUT", "photos", "a", body: "x")), on: connection).status == 200)
        let (bytes, end) = connection.receive()
        #expect(bytes.isEmpty && end == .fin)
        #expect(try s3.get("a").text == "x")
    }

    /// Whoever signs the bytes is not fooled by a retry that sends others.
    @Test(arguments: [1, 2])
    func `can be denied to the n-th attempt at a key, and a retry with other bytes is refused (minio-java#924)`(
        number: Int
    ) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(100_000)))
        try admin.arm("PutObject a @body.at(50%) 1*reset skip=\(number - 1) per=key")
        for attempt in 1...number {
            let connection = server.connection
            connection.send(request.bytes)
            if attempt < number {
                #expect(connection.receiveResponse()?.status == 200)
            } else {
                #expect(connection.receive().end == .reset)
            }
        }
        var retry = request
        retry.body = Array(repeating: 0, count: 100_000)
        #expect(try s3.send(retry).code == "XAmzContentSHA256Mismatch")
        #expect(try s3.has("a") == (number == 2))
        #expect(try s3.send(request).status == 200)
        #expect(try s3.get("a").body == pattern(100_000))
        let events = try admin.journal { events in
            events.count { $0.ev == "response.head" && $0["status"]?.integer == 200 } >= number
        }
        let heads = events.filter { $0.ev == "request.head" && $0["operation"]?.string == "PutObject" }
        #expect(heads.count == number + 2)
        #expect(heads.allSatisfy { $0["contentLength"]?.integer == 100_000 })
    }
}

/// The bytes of a URL are signed by nobody, so that only their number tells that some are missing.
@Suite struct `An upload that ends before its length` {
    private static let sizes = [1, 10, 4_096, 32_768, 32_769, 262_144, 262_145, 1_000_000]

    @Test(arguments: [false, true])
    func `is incomplete whatever is missing, and neither object nor part is there (versitygw#2414)`(isPart: Bool) throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "old")
        let upload = try s3.begin("a")
        let query = isPart ? [("partNumber", "1"), ("uploadId", upload)] : []
        for size in Self.sizes {
            for sent in Set([0, 1, size / 2, size - 1]) where sent < size {
                let call = S3Call("PUT", "photos", "a", query: query, body: pattern(size))
                let request = try s3.request(call, .presigned(seconds: 60))
                let connection = server.connection
                connection.send(request.head + request.body.prefix(sent))
                connection.finishSending()
                let (bytes, end) = connection.receive()
                let answer = try #require(WireResponse(parsing: bytes, isHead: false))
                #expect(answer.status == 400 && answer.code == "IncompleteBody" && end == .fin, "\(sent) of \(size)")
            }
        }
        #expect(try s3.get("a").text == "old")
        let parts = try s3.send(S3Call("GET", "photos", "a", query: [("uploadId", upload)]))
        #expect(parts.text.components("PartNumber").isEmpty)
        #expect(server.files(below: "staging").isEmpty)
    }

    @Test(arguments: [0, 1, 150_000, 299_999])
    func `leaves no part if it was cancelled, and has its own tag when it comes again (localstack#9851)`(sent: Int)
        throws
    {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        let call = S3Call(
            "PUT", "photos", "a", query: [("partNumber", "1"), ("uploadId", upload)], body: pattern(300_000))
        let request = try s3.request(call, .presigned(seconds: 60))
        let rule = try admin.arm("UploadPart a @body.at(\(sent)) 1*delay(1ms)")
        let connection = server.connection
        connection.send(request.head + request.body.prefix(sent))
        _ = try admin.journal { $0.contains { $0.ev == "fault" && $0["rule"]?.string == rule } }
        connection.reset()
        _ = try admin.exchange { $0["operation"]?.string == "UploadPart" }
        let list = S3Call("GET", "photos", "a", query: [("uploadId", upload)])
        #expect(try s3.send(list).text.components("PartNumber").isEmpty)
        let tag = try #require(try s3.send(request)["ETag"])
        #expect(tag == etag(of: pattern(300_000)))
        #expect(try s3.send(list).text.components("PartNumber") == ["1"])
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 200)
        #expect(try s3.get("a").body == pattern(300_000))
    }
}
