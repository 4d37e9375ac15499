import ShoalWire
import Testing

@Suite struct `100 Continue` {
    static let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    static let expect: WireRequest.Field = ("Expect", "100-continue")

    @Test(arguments: [false, true])
    func `comes once the head is accepted, and the answer after the body (minio#7266)`(isPresigned: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(3_000)
        let call = S3Call("PUT", "photos", "a", unsigned: [Self.expect], body: body)
        let request = try s3.request(call, isPresigned ? .presigned(seconds: 60) : .header)
        let connection = server.connection
        connection.send(request.head)
        let (bytes, _) = connection.receive { $0.count >= Self.interim.utf8.count }
        #expect(String(decoding: bytes, as: UTF8.self) == Self.interim)
        connection.send(body)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 200)
        #expect(try s3.get("a").body == body)
    }

    @Test func `is not sent to a client that did not wait for it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(S3Call("PUT", "photos", "a", unsigned: [Self.expect], body: "hello"))
        #expect(answer.status == 200)
    }

    /// What a head can be refused for before a byte of its body is sent (cloudserver#3282).
    static let refusals: [(String, Int, @Sendable (S3Client) throws -> WireRequest)] = [
        (
            "a wrong secret", 403,
            { s3 in
                var forger = s3
                forger.secret = "guess"
                return try forger.request(S3Call("PUT", "photos", "a", unsigned: [expect], body: "hello"))
            }
        ),
        (
            "an expired URL", 403,
            { s3 in
                try s3.request(
                    S3Call("PUT", "photos", "a", unsigned: [expect], body: "hello"), .presigned(seconds: 60),
                    at: S3Client.now.adding(seconds: -120))
            }
        ),
        (
            "another type than pinned", 403,
            { s3 in
                let call = S3Call(
                    "PUT", "photos", "a", headers: [("Content-Type", "image/jpeg")], unsigned: [expect], body: "hello")
                var request = try s3.request(call, .presigned(seconds: 60))
                request["Content-Type"] = "image/png"
                return request
            }
        ),
        ("no such bucket", 404, { try $0.request(S3Call("PUT", "nowhere", "a", unsigned: [expect], body: "hello")) }),
        (
            "If-None-Match", 501,
            { s3 in
                let headers = [("If-None-Match", "\"x\"")]
                return try s3.request(S3Call("PUT", "photos", "a", headers: headers, unsigned: [expect], body: "hello"))
            }
        ),
        (
            "no length", 501,
            { s3 in
                let fields = [expect, ("Transfer-Encoding", "chunked")]
                return try s3.request(S3Call("PUT", "photos", "a", unsigned: fields, body: ""))
            }
        ),
        (
            "anonymity", 403,
            { try $0.request(S3Call("PUT", "photos", "a", unsigned: [expect], body: "hello"), .none) }
        ),
    ]

    @Test(arguments: refusals.indices)
    func `is not sent to a request that is refused (cloudserver#3282)`(index: Int) throws {
        let (name, status, make) = Self.refusals[index]
        let server = try TestServer()
        let connection = server.connection
        connection.send(try make(S3Client(server)).head)
        let (bytes, end) = connection.receive()
        #expect(statuses(in: bytes) == [status], "\(name)")
        #expect(end == .fin)
        let answer = try #require(WireResponse(parsing: bytes, isHead: false))
        #expect(answer["Connection"]?.lowercased() == "close")
    }

    @Test func `precedes no refusal that comes early, which a client that sends on can still read (versitygw#2209)`()
        throws
    {
        let server = try TestServer()
        var s3 = S3Client(server)
        s3.secret = "guess"
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: pattern(4 << 20))).bytes)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 403)
        #expect(connection.receive().end == .fin)
    }
}
