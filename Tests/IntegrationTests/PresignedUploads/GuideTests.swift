import ShoalFaults
import ShoalS3
import ShoalWire
import Testing

/// Rows G24 to G32 of the upload guide, as far as they are about the store.
@Suite struct `A presigned upload of the guide` {
    static let type: WireRequest.Field = ("Content-Type", "image/jpeg")

    /// A request that is all it was signed to be: type and length pinned.
    static func upload(_ s3: S3Client, _ key: String, _ body: String, seconds: Int64 = 300) throws -> WireRequest {
        let length: WireRequest.Field = ("Content-Length", String(body.utf8.count))
        return try s3.request(
            S3Call("PUT", "photos", key, headers: [type, length], body: body), .presigned(seconds: seconds))
    }

    @Test(arguments: [(-1, 200), (0, 200), (299, 200), (300, 200), (301, 403), (86_400, 403)] as [(Int64, Int)])
    func `lives for its 300 seconds and no longer by the scope's clock (G24, localstack#2493, localstack#7840)`(
        age: Int64, status: Int
    ) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let made = Timestamp(seconds: 1_750_000_000)
        try admin.freeze(at: made)
        let minted = try admin.json(
            "POST", "/urls",
            #"{"method":"PUT","bucket":"photos","key":"a.jpg","expires":300,"headers":{"Content-Type":"image/jpeg"}}"#)
        let url = try #require(minted["url"]?.string)
        #expect(minted["expiresAt"]?.string == made.adding(seconds: 300).iso8601Seconds)
        try admin.freeze(at: made.adding(seconds: age))
        let request = WireRequest(
            method: "PUT", target: String(url.dropFirst(server.url.count)), host: s3.host,
            headers: [Self.type, ("Content-Length", "3")], body: Array("jpg".utf8))
        let answer = try s3.send(request)
        #expect(answer.status == status)
        #expect(answer["Date"] == made.adding(seconds: age).httpDate)
        if status == 403 {
            let expected =
                "<Code>AccessDenied</Code><Message>Request has expired</Message><X-Amz-Expires>300</X-Amz-Expires>"
                + "<Expires>\(made.adding(seconds: 300).iso8601Seconds)</Expires>"
                + "<ServerTime>\(made.adding(seconds: age).iso8601Seconds)</ServerTime>"
            #expect(answer.errorContent == expected)
        }
        let objects = try admin.json("GET", "/objects")["objects"]?.elements
        #expect(objects?.count == (status == 200 ? 1 : 0))
    }

    @Test func `stores under the guide's key, byte for byte (G25)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let key = "media/7c0f-1760000000000-6f1ed002-ab5f-4b2e-8f2e-1df0a4f6c0de.jpg"
        #expect(try s3.send(Self.upload(s3, key, "jpg")).status == 200)
        let list = try s3.send(S3Call("GET", "photos", query: [("list-type", "2")]))
        #expect(list.element("Key") == key)
        // The final URL is not signed, and a bucket is private: the guide puts a public name in front of it.
        #expect(try s3.send(S3Call("GET", "photos", key), .none).status == 403)
    }

    @Test func `has type, length and host in its SignedHeaders (G26)`() throws {
        let server = try TestServer()
        let minted = try AdminClient(server).json(
            "POST", "/urls",
            #"{"method":"PUT","bucket":"photos","key":"a.jpg","expires":300,"#
                + #""headers":{"Content-Type":"image/jpeg","Content-Length":"1048576"}}"#)
        let url = try #require(minted["url"]?.string)
        #expect(url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost&"))
        #expect(minted["headers"]?["Content-Length"]?.string == "1048576")
        #expect(minted["headers"]?["Content-Type"]?.string == "image/jpeg")
    }

    /// What a client sends instead of what was pinned: `image/jpeg` and 3 bytes.
    struct Deviation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout WireRequest) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout WireRequest) -> Void) {
            testDescription = name
            self.change = change
        }

        static func type(_ value: String?) -> Deviation {
            Deviation("type \(value ?? "left out")") { $0["Content-Type"] = value }
        }

        static func body(_ text: String) -> Deviation {
            Deviation("body '\(text)'") {
                $0.body = Array(text.utf8)
                $0["Content-Length"] = String(text.utf8.count)
            }
        }
    }

    static let deviations: [Deviation] = [
        .type("image/png"), .type(nil), .type("image/jpeg; charset=utf-8"), .type("image/jpeg;charset=UTF-8"),
        .type("false"), .type("Image/JPEG"), .type(""), .type("application/x-www-form-urlencoded"),
        .body("jp"), .body("jpgg"), .body(""),
        Deviation("a second Content-Type (smoke-aws#142)") { $0.headers.append(("Content-Type", "image/jpeg")) },
        Deviation("a parameter behind the signed ones (aws-sdk-php#239)") { $0.target += "&Content-Type=image/jpeg" },
        Deviation("another key") { $0.target = $0.target.replacing("/a.jpg", with: "/b.jpg") },
        Deviation("another bucket") { $0.target = $0.target.replacing("/photos/", with: "/films/") },
        Deviation("another method") { $0.method = "POST" },
        Deviation("another host (minio#11870)") { $0.host = "localhost:" + $0.host.split(separator: ":")[1] },
        Deviation("no port in Host (minio#15268)") { $0.host = "127.0.0.1" },
    ]

    @Test(arguments: deviations)
    func `is refused when what was pinned differs (G27, aws-sdk-js-v3#5268, ministack#1232)`(_ deviation: Deviation)
        throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try Self.upload(s3, "a.jpg", "jpg")
        deviation.change(&request)
        let answer = try s3.send(request)
        #expect(answer.status == 403)
        #expect(answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("CanonicalRequest")?.hasPrefix(request.method + "\n") == true)
        #expect(try AdminClient(server).json("GET", "/objects")["objects"]?.elements.isEmpty == true)
    }

    @Test(arguments: ["", "Bearer abc", "AWS4-HMAC-SHA256 Credential=x", "Basic dXNlcjpwYXNz"])
    func `beside an Authorization header is one mechanism too many (G28)`(authorization: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try Self.upload(s3, "a.jpg", "jpg")
        request.headers.append(("Authorization", authorization))
        let answer = try s3.send(request)
        #expect(answer.status == 400)
        let expected =
            "<Code>InvalidArgument</Code><Message>Only one auth mechanism allowed; only the X-Amz-Algorithm query "
            + "parameter, Signature query string parameter or the Authorization header should be specified</Message>"
            + "<ArgumentName>Authorization</ArgumentName><ArgumentValue>\(authorization)</ArgumentValue>"
        #expect(answer.errorContent == expected)
        #expect(try !s3.has("a.jpg"))
    }

    @Test func `answers 200 with an empty body and the entity tag (G29)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(Self.upload(s3, "a.jpg", "jpg"))
        #expect(answer.status == 200)
        #expect(answer["Content-Length"] == "0")
        #expect(answer.body.isEmpty)
        #expect(answer["ETag"] == etag(of: "jpg"))
        #expect(answer["Content-Type"] == nil)
    }

    @Test func `refuses FormData, whose type and length are not the pinned ones (G30, Alamofire#3047)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try Self.upload(s3, "a.jpg", "jpg")
        let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\njpg\r\n--x--\r\n"
        request.body = Array(form.utf8)
        request["Content-Length"] = String(form.utf8.count)
        request["Content-Type"] = "multipart/form-data; boundary=x"
        #expect(try s3.send(request).code == "SignatureDoesNotMatch")
        #expect(try !s3.has("a.jpg"))
    }

    @Test func `stores a form as it came where no type was pinned (Alamofire#3047)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let form = "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\njpg\r\n--x--\r\n"
        let call = S3Call(
            "PUT", "photos", "a", unsigned: [("Content-Type", "multipart/form-data; boundary=x")], body: form)
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        #expect(try s3.get("a").text == form)
    }

    @Test(arguments: ["5\r\nhello\r\n0\r\n\r\n", ""])
    func `without a Content-Length is refused before the signature matters (G31, aws-sdk-js#1237, minio#7792)`(
        chunks: String
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try Self.upload(s3, "a.jpg", "hello")
        request["Content-Length"] = nil
        request.body = Array(chunks.utf8)
        if !chunks.isEmpty { request["Transfer-Encoding"] = "chunked" }
        let answer = try s3.send(request)
        let content =
            chunks.isEmpty
            ? "<Code>MissingContentLength</Code><Message>You must provide the Content-Length HTTP header.</Message>"
            : "<Code>NotImplemented</Code><Message>A header you provided implies functionality that is not implemented"
                + "</Message><Header>Transfer-Encoding</Header>"
        #expect(answer.status == (chunks.isEmpty ? 411 : 501))
        #expect(answer.errorContent == content)
        #expect(try !s3.has("a.jpg"))
    }

    @Test func `works once the exact size is signed (G32, opendal#5299)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var wrong = try Self.upload(s3, "a.jpg", "jpg")
        wrong.body = Array("jpeg".utf8)
        wrong["Content-Length"] = "4"
        #expect(try s3.send(wrong).status == 403)
        #expect(try s3.send(Self.upload(s3, "a.jpg", "jpeg")).status == 200)
        #expect(try s3.get("a.jpg").text == "jpeg")
    }
}
