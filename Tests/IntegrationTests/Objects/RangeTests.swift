import ShoalWire
import Testing

@Suite struct `A range of an object` {
    /// Of the ten bytes `0123456789`.
    @Test(
        arguments: [
            ("bytes=0-8", 206, "012345678", "bytes 0-8/10"), ("bytes=-2", 206, "89", "bytes 8-9/10"),
            ("bytes=5-", 206, "56789", "bytes 5-9/10"), ("bytes=0-100", 206, "0123456789", "bytes 0-9/10"),
            ("bytes=-15", 206, "0123456789", "bytes 0-9/10"), ("bytes=0-0", 206, "0", "bytes 0-0/10"),
            ("bytes=9-9", 206, "9", "bytes 9-9/10"), ("bytes=1-0", 200, "0123456789", nil),
            ("bytes=-1-", 200, "0123456789", nil), ("bytes=0--1", 200, "0123456789", nil),
            ("bytes=0-1,3-4", 200, "0123456789", nil), ("bits=0-1", 200, "0123456789", nil),
            ("bytes=-", 200, "0123456789", nil), ("0-1", 200, "0123456789", nil),
        ] as [(String, Int, String, String?)])
    func `is the one RFC 9110 says, or the whole object (localstack#9076)`(
        range: String, status: Int, body: String, contentRange: String?
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "0123456789")
        for method in ["GET", "HEAD"] {
            let answer = try s3.send(S3Call(method, "photos", "a", unsigned: [("Range", range)]))
            #expect(answer.status == status)
            #expect(answer.text == (method == "GET" ? body : ""))
            #expect(answer["Content-Length"] == String(body.utf8.count))
            #expect(answer["Content-Range"] == contentRange)
            #expect(answer["ETag"] == etag(of: "0123456789"))
        }
    }

    /// fake-gcs-server#2253: S3 tells the size in the document and, against RFC 9110, has no Content-Range.
    @Test(arguments: [
        ("0123456789", "bytes=10-"), ("0123456789", "bytes=-0"), ("0123456789", "bytes=99-100"), ("", "bytes=0-"),
        ("", "bytes=-5"), ("", "bytes=0-0"),
    ])
    func `outside the object is a 416 with the size (minio#20844)`(content: String, range: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", content)
        let answer = try s3.get("a", headers: [("Range", range)])
        #expect(answer.status == 416)
        let expected =
            "<Code>InvalidRange</Code><Message>The requested range is not satisfiable</Message><RangeRequested>\(range)"
            + "</RangeRequested><ActualObjectSize>\(content.utf8.count)</ActualObjectSize>"
        #expect(answer.errorContent == expected)
        #expect(answer["Content-Range"] == nil)
        let head = try s3.send(S3Call("HEAD", "photos", "a", headers: [("Range", range)]))
        #expect(head.status == 416)
        #expect(head.body.isEmpty)
    }

    @Test(arguments: [(true, 206), (false, 200)])
    func `holds only while If-Range does`(isCurrent: Bool, status: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "0123456789")
        let tag = isCurrent ? etag(of: "0123456789") : "\"other\""
        let answer = try s3.get("a", headers: [("Range", "bytes=2-3"), ("If-Range", tag)])
        #expect(answer.status == status)
        #expect(answer.text == (isCurrent ? "23" : "0123456789"))
    }

    @Test(
        arguments: [
            ("1", 206, nil), ("2", 416, "InvalidPartNumber"), ("0", 400, "InvalidArgument"),
            ("x", 400, "InvalidArgument"),
        ] as [(String, Int, String?)])
    func `by part number knows one part of an object put in one piece`(number: String, status: Int, code: String?)
        throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "0123456789")
        let answer = try s3.send(S3Call("GET", "photos", "a", query: [("partNumber", number)]))
        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["x-amz-mp-parts-count"] == nil)
    }

    @Test func `of a large object is exact at every edge`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = pattern(1_000_000)
        _ = try s3.send(S3Call("PUT", "photos", "a", body: body))
        for range in [0..<1, 262_143..<262_145, 999_999..<1_000_000, 1..<999_999] {
            let header = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            let answer = try s3.get("a", headers: [("Range", header)])
            #expect(answer.status == 206)
            #expect(answer.body == Array(body[range]))
        }
    }

    @Test func `that covers the object keeps its checksum, and a smaller one does not`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "0123456789")
        let mode: WireRequest.Field = ("x-amz-checksum-mode", "ENABLED")
        #expect(try s3.get("a", headers: [mode, ("Range", "bytes=0-9")])["x-amz-checksum-crc64nvme"] != nil)
        #expect(try s3.get("a", headers: [mode, ("Range", "bytes=0-8")])["x-amz-checksum-crc64nvme"] == nil)
    }
}
