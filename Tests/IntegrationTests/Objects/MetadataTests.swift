import ShoalS3
import ShoalWire
import Testing

@Suite struct `What a writer says about an object` {
    @Test func `comes back with it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let headers: [WireRequest.Field] = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "max-age=60"),
            ("Content-Disposition", "attachment; filename=\"a.txt\""), ("Content-Language", "de, en"),
            ("Content-Encoding", "gzip"), ("Expires", "Thu, 01 Dec 2033 16:00:00 GMT"),
            ("x-amz-meta-Owner", "Ada"), ("x-amz-meta-empty", ""), ("x-amz-storage-class", "STANDARD_IA"),
            ("x-amz-website-redirect-location", "/b"),
        ]
        #expect(try s3.put("a", "x", headers: headers).status == 200)
        for method in ["GET", "HEAD"] {
            let answer = try s3.send(S3Call(method, "photos", "a"))
            for header in headers { #expect(answer[header.name] == header.value, "\(method) \(header.name)") }
            #expect(answer.fields.contains { $0.name == "x-amz-meta-owner" })
        }
    }

    @Test(arguments: [
        ("plain", "plain"), ("caf\u{E9}", "=?UTF-8?Q?caf=C3=A9?="), ("=?UTF-8?Q?caf=C3=A9?=", "=?UTF-8?Q?caf=C3=A9?="),
        ("=?UTF-8?B?Y2Fmw6k=?=", "=?UTF-8?Q?caf=C3=A9?="), ("=?utf-8?q?plain_text?=", "plain text"),
        ("日本", "=?UTF-8?B?5pel5pys?="), ("=?UTF-8?X?abc?=", "=?UTF-8?X?abc?="),
    ])
    func `may be words of RFC 2047`(sent: String, returned: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.put("a", "x", headers: [("x-amz-meta-place", sent)]).status == 200)
        #expect(try s3.get("a")["x-amz-meta-place"] == returned)
    }

    @Test func `twice is joined with a comma`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.put("a", "x", headers: [("x-amz-meta-a", "1"), ("x-amz-meta-a", "2")]).status == 200)
        #expect(try s3.get("a")["x-amz-meta-a"] == "1,2")
    }

    @Test(arguments: [(2_047, 200), (2_048, 400)])
    func `fits into 2,048 bytes of metadata`(valueCount: Int, status: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let value = String(repeating: "v", count: valueCount)
        let answer = try s3.put("a", "x", headers: [("x-amz-meta-k", value)])
        #expect(answer.status == status)
        guard status == 400 else { return }
        #expect(
            answer.errorContent
                == "<Code>MetadataTooLarge</Code><Message>Your metadata headers exceed the maximum allowed metadata size"
                + "</Message><Size>2049</Size><MaxSizeAllowed>2048</MaxSizeAllowed>")
        #expect(try !s3.has("a"))
    }

    @Test(arguments: [
        ("response-content-type", "image/png", "Content-Type"), ("response-cache-control", "no-store", "Cache-Control"),
        ("response-content-disposition", "attachment; filename=\"x y.jpg\"", "Content-Disposition"),
        ("response-content-encoding", "br", "Content-Encoding"),
        ("response-content-language", "fr", "Content-Language"),
        ("response-expires", "Thu, 01 Dec 2033 16:00:00 GMT", "Expires"),
    ])
    func `may be replaced by response- parameters of a signed request`(
        parameter: String, value: String, field: String
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x", headers: [("Content-Type", "image/jpeg"), ("Cache-Control", "max-age=1")])
        for method in ["GET", "HEAD"] {
            let call = S3Call(method, "photos", "a", query: [(parameter, value)])
            #expect(try s3.send(call, .presigned(seconds: 60))[field] == value)
        }
    }

    @Test(arguments: [
        ("response-content-typ", "a", "response-content-typ is not in the set of overridable response headers"),
        ("response-content-type", "日本", "Header value cannot be represented using ISO-8859-1."),
        ("response-content-type", "a\r\nSet-Cookie: x=y", "Header value cannot be represented using ISO-8859-1."),
    ])
    func `is not replaced by what cannot be a header`(parameter: String, value: String, message: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let answer = try s3.send(S3Call("GET", "photos", "a", query: [(parameter, value)]))
        #expect(answer.status == 400)
        #expect(answer.code == "InvalidArgument")
        #expect(answer.element("Message") == message)
        #expect(answer["Set-Cookie"] == nil)
    }

    @Test(
        arguments: [
            ("aws-chunked", nil), ("aws-chunked,gzip", "gzip"), ("gzip, aws-chunked", "gzip"), ("gzip", "gzip"),
        ] as [(String, String?)])
    func `keeps a content encoding without aws-chunked (aws-sdk-kotlin#1358)`(sent: String, stored: String?) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.put("a", "x", headers: [("Content-Encoding", sent)]).status == 200)
        #expect(try s3.get("a")["Content-Encoding"] == stored)
    }

    @Test func `that is not built is refused by name, never dropped`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.put("a", "x", headers: [("x-amz-write-offset-bytes", "3")])
        #expect(answer.status == 501)
        #expect(answer.element("Header") == "x-amz-write-offset-bytes")
        #expect(try !s3.has("a"))
    }
}
