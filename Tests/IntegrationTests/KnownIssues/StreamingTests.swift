import ShoalS3
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `A streaming upload` {
    private static let unsigned = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"

    private static func upload(_ keyword: String) -> ChunkedUpload {
        let checksum = `A checksum`.value(.crc32, pattern(20))
        return ChunkedUpload(
            isSigned: keyword != unsigned, trailer: keyword.hasSuffix("TRAILER") ? (.crc32, checksum) : nil)
    }

    /// An upload of `keyword` whose head is signed again, over `payload`; nobody signs it without one.
    private func request(
        _ s3: S3Client, _ keyword: String, signedOver payload: String?, encoding: String? = "aws-chunked"
    )
        throws -> WireRequest
    {
        var request = try Self.upload(keyword).request(s3, "a", pattern(20))
        var headers: [WireRequest.Field] = [("x-amz-decoded-content-length", "20")]
        if keyword.hasSuffix("TRAILER") { headers.append(("x-amz-trailer", "x-amz-checksum-crc32")) }
        if let encoding { headers.append(("Content-Encoding", encoding)) }
        request.headers = headers
        if let payload {
            let call = S3Call("PUT", "photos", "a", headers: headers)
            request.headers = try s3.presigner.sign(s3.unsigned(call), payload: payload, at: S3Client.now).headers
        }
        request["x-amz-content-sha256"] = keyword
        request["Content-Length"] = String(request.body.count)
        return request
    }

    @Test(arguments: [
        unsigned, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    ])
    func `is signed over the keyword it sends, and over no other (ozone#8366)`(keyword: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(Self.upload(keyword).payloadKeyword == keyword)
        let answer = try s3.send(request(s3, keyword, signedOver: "UNSIGNED-PAYLOAD"))
        #expect(answer.status == 403 && answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("CanonicalRequest")?.hasSuffix("\n" + keyword) == true)
        #expect(try !s3.has("a"))
        #expect(try s3.send(Self.upload(keyword).request(s3, "a", pattern(20))).status == 200)
        #expect(try s3.get("a").body == pattern(20))
    }

    /// Also by nobody: SDKs without credentials frame what they send as well.
    @Test(arguments: ["aws-chunked", nil] as [String?])
    func `is told by x-amz-content-sha256, whatever the content coding says (ministack#100)`(encoding: String?) throws {
        let server = try TestServer { $0.newBuckets = .open }
        let s3 = S3Client(server)
        let signed = try s3.send(request(s3, Self.unsigned, signedOver: Self.unsigned, encoding: encoding))
        #expect(signed.status == 200, "\(signed.text)")
        #expect(try s3.get("a").body == pattern(20))
        let isOpen: [WireRequest.Field] = [("x-amz-acl", "public-read-write")]
        #expect(try s3.send(S3Call("PUT", "open-bucket", headers: isOpen)).status == 200)
        var anonymous = try request(s3, Self.unsigned, signedOver: nil, encoding: encoding)
        anonymous.target = "/open-bucket/a"
        let answer = try s3.send(anonymous)
        #expect(answer.status == 200, "\(answer.text)")
        let listed = try s3.send(S3Call("GET", "open-bucket"), .none)
        #expect(listed.element("Size") == "20")
    }

    /// A coding that is only claimed: S3 takes the word off and keeps the bytes.
    @Test func `is none where the content coding alone says so (ministack#100)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let text = "5\r\nhello\r\n0\r\n\r\n"
        #expect(try s3.put("a", text, headers: [("Content-Encoding", "aws-chunked")]).status == 200)
        let got = try s3.get("a")
        #expect(got.text == text && got["Content-Encoding"] == nil)
    }

    @Test(arguments: [unsigned, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"], [false, true])
    func `is told to go on, framed once or twice (minio#7266)`(keyword: String, isInChunks: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try Self.upload(keyword).request(s3, "a", pattern(20))
        request["Expect"] = "100-continue"
        if isInChunks {
            request["Content-Length"] = nil
            request["Transfer-Encoding"] = "chunked"
            request.body =
                Array("\(String(request.body.count, radix: 16))\r\n".utf8) + request.body + Array("\r\n0\r\n\r\n".utf8)
        }
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        connection.send(request.body)
        #expect(connection.receiveResponse()?.status == 200)
        #expect(try s3.get("a").body == pattern(20))
    }
}
