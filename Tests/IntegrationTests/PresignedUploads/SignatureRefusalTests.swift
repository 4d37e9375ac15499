import ShoalFaults
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `A signed request` {
    @Test func `with an unknown key or a wrong secret is refused (S3Mock#1250)`() throws {
        let server = try TestServer()
        var stranger = S3Client(server)
        stranger.accessKey = "AKIASTRANGER"
        let unknown = try stranger.send(S3Call("GET", "photos", "a"))
        #expect(unknown.status == 403)
        #expect(
            unknown.errorContent
                == "<Code>InvalidAccessKeyId</Code><Message>The AWS Access Key Id you provided does not exist in our "
                + "records.</Message><AWSAccessKeyId>AKIASTRANGER</AWSAccessKeyId>")
        var forger = S3Client(server)
        forger.secret = "guess"
        #expect(try forger.send(S3Call("GET", "photos", "a")).code == "SignatureDoesNotMatch")
        #expect(try S3Client(server).get("a").code == "NoSuchKey")
    }

    @Test(arguments: [(-901, 403), (-899, 200), (899, 200), (901, 403)] as [(Int64, Int)])
    func `may be fifteen minutes off and no more`(skew: Int64, status: Int) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let now = Timestamp(seconds: 1_750_000_000)
        try admin.freeze(at: now)
        let signed = now.adding(seconds: skew)
        let answer = try S3Client(server).send(S3Call("GET"), at: signed)
        #expect(answer.status == status)
        guard status == 403 else { return }
        let expected =
            "<Code>RequestTimeTooSkewed</Code><Message>The difference between the request time and the current time is "
            + "too large.</Message><RequestTime>\(signed.amzDate)</RequestTime><ServerTime>\(now.iso8601Seconds)"
            + "</ServerTime><MaxAllowedSkewMilliseconds>900000</MaxAllowedSkewMilliseconds>"
        #expect(answer.errorContent == expected)
        // What an SDK corrects its clock from (aws-sdk-js-v3#2208).
        #expect(answer["Date"] == now.httpDate)
    }

    @Test func `dated a day ahead is told apart from an expired one (aws-sdk-ios#541)`() throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(
            S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 300),
            at: S3Client.now.adding(seconds: 86_400))
        #expect(answer.status == 403)
        #expect(answer.code == "AccessDenied")
        #expect(answer.element("Message") == "Request is not yet valid")
    }

    @Test func `may be days old while its URL lives (aws-sdk#218)`() throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(
            S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 604_800),
            at: S3Client.now.adding(seconds: -500_000))
        #expect(answer.status == 200)
    }

    @Test(arguments: ["x-amz-meta-owner", "x-amz-acl", "x-amz-checksum-crc32", "Content-MD5"])
    func `with an unsigned header that S3 wants signed is refused (minio#16917, rclone#4303)`(name: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(
            S3Call("PUT", "photos", "a", unsigned: [(name, "AAAAAA==")], body: "x"), .presigned(seconds: 60))
        #expect(answer.status == 403)
        let expected =
            "<Code>AccessDenied</Code><Message>There were headers present in the request which were not signed</Message>"
            + "<HeadersNotSigned>\(name.lowercased())</HeadersNotSigned>"
        #expect(answer.errorContent == expected)
        #expect(try !s3.has("a"))
    }

    /// nextcloud/server#63489: an SDK that stopped signing Content-Type.
    @Test(arguments: [
        ("Accept-Encoding", "gzip"), ("User-Agent", "CFNetwork"), ("Origin", "http://localhost:5173"),
        ("Content-Type", "image/heic"), ("x-amzn-trace-id", "Root=1"), ("Cache-Control", "no-cache"),
    ])
    func `may carry any other header unsigned (Alamofire#3466)`(name: String, value: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(
            S3Call("PUT", "photos", "a", unsigned: [(name, value)], body: "x"), .presigned(seconds: 60))
        #expect(answer.status == 200)
        #expect(try s3.get("a")["Content-Type"] == (name == "Content-Type" ? value : "binary/octet-stream"))
    }

    @Test func `keeps metadata that stands in the signed query (aws-sdk-ruby#1808, localstack#9676, localstack#4133)`()
        throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        let call = S3Call("PUT", "photos", "a", query: [("x-amz-meta-album", "2026"), ("foo", "bar")], body: "x")
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        #expect(try s3.get("a")["x-amz-meta-album"] == "2026")
    }

    /// seaweedfs#10216 says that S3 compares it; two recordings of S3 say that it does not.
    @Test func `is not held to a checksum that stands in its query only (localstack#12169, ministack#1695)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let call = S3Call(
            "PUT", "photos", "a",
            query: [("x-amz-checksum-crc32", "AAAAAA=="), ("x-amz-sdk-checksum-algorithm", "CRC32")], body: "x")
        #expect(try s3.send(call, .presigned(seconds: 60)).status == 200)
        #expect(try s3.get("a").text == "x")
    }

    @Test func `is served again and again until it expires (serverlessS3Upload#1)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let request = try s3.request(S3Call("PUT", "photos", "a", body: "x"), .presigned(seconds: 60))
        for _ in 0..<3 { #expect(try s3.send(request).status == 200) }
        try AdminClient(server).json("PUT", "/clock", #"{"advance":"61s"}"#)
        let expired = try s3.send(request)
        #expect(expired.status == 403 && expired.element("Message") == "Request has expired")
    }

    @Test func `for GET is refused as HEAD, and HEAD has its own (rustfs#5840)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        var request = try s3.request(S3Call("GET", "photos", "a"), .presigned(seconds: 60))
        request.method = "HEAD"
        let refused = try s3.send(request)
        #expect(refused.status == 403)
        #expect(refused.body.isEmpty)
        #expect(try s3.send(S3Call("HEAD", "photos", "a"), .presigned(seconds: 60)).status == 200)
    }

    @Test func `without its parameters names all six (aws-sdk-swift#1808)`() throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(
            S3Call("PUT", "photos", "a", query: [("X-Amz-Algorithm", "AWS4-HMAC-SHA256")], body: "x"), .none)
        #expect(answer.status == 400)
        #expect(
            answer.errorContent
                == "<Code>AuthorizationQueryParametersError</Code><Message>Query-string authentication version 4 requires "
                + "the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and "
                + "X-Amz-Expires parameters.</Message>")
    }

    @Test func `whose SignedHeaders were encoded twice lacks its host (aws-sdk-java#1680)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try s3.request(
            S3Call("PUT", "photos", "a", headers: [("Content-Type", "a/b")], body: "x"), .presigned(seconds: 60))
        request.target = request.target.replacing("content-type%3Bhost", with: "content-type%253Bhost")
        let answer = try s3.send(request)
        #expect(answer.status == 403)
        #expect(answer.element("HeadersNotSigned") == "host")
    }

    @Test func `from one region is good in every other unless one is pinned`() throws {
        let server = try TestServer()
        var s3 = S3Client(server)
        s3.region = "eu-central-1"
        #expect(try s3.send(S3Call("GET")).status == 200)
        let pinned = try TestServer { $0.region = "us-east-1" }
        s3 = S3Client(pinned)
        s3.region = "eu-central-1"
        let answer = try s3.send(S3Call("GET"))
        #expect(answer.status == 400)
        #expect(answer.code == "AuthorizationHeaderMalformed")
        #expect(answer.element("Region") == "us-east-1")
    }

    @Test func `is let pass by the lenient profile, which writes down what S3 would have said`() throws {
        let server = try TestServer { $0.profile = .lenient }
        var s3 = S3Client(server)
        s3.secret = "guess"
        #expect(try s3.put("a", "x").status == 200)
        #expect(try s3.send(S3Call("GET", "photos", "a"), .none).text == "x")
        #expect(server.log.contains("S3 would have said: 403 SignatureDoesNotMatch"))
        let events = try AdminClient(server).journal { $0.contains { $0["verdict"]?.string == "tolerated" } }
        #expect(events.first { $0["verdict"]?.string == "tolerated" }?["code"]?.string == "SignatureDoesNotMatch")
    }

    @Test func `of another account sees nothing of a private bucket`() throws {
        let server = try TestServer {
            $0.accounts = [
                Account(
                    accessKey: "guest", secretKey: Secret("guest-secret"), ownerID: String(repeating: "ab", count: 32),
                    displayName: "Guest")
            ]
        }
        try S3Client(server).put("a", "x")
        var guest = S3Client(server)
        (guest.accessKey, guest.secret) = ("guest", "guest-secret")
        for call in [
            S3Call("GET", "photos", "a"), S3Call("PUT", "photos", "b", body: "x"), S3Call("DELETE", "photos", "a"),
            S3Call("GET", "photos"), S3Call("DELETE", "films"), S3Call("HEAD", "photos"),
        ] {
            #expect(try guest.send(call).status == 403, "\(call.method)")
        }
        #expect(try guest.send(S3Call("GET")).text.contains("<Buckets/>"))
        #expect(try guest.send(S3Call("PUT", "photos")).code == "BucketAlreadyExists")
    }
}
