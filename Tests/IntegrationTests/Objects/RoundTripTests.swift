import ShoalCrypto
import ShoalFaults
import ShoalS3
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `An object` {
    /// Sizes around the bounds that the server treats in different ways.
    @Test(arguments: [0, 1, 32_768, 32_769, 262_144, 262_145, 1_048_577], [AddressingStyle.path, .virtualHost])
    func `comes back as it was put`(size: Int, style: AddressingStyle) throws {
        let server = try TestServer()
        let s3 = style == .path ? S3Client(server) : S3Client(server).virtualHosted
        let body = pattern(size)
        let put = try s3.send(
            S3Call("PUT", "photos", "2026/holiday photo.jpg", headers: [("Content-Type", "image/jpeg")], body: body))
        #expect(put.status == 200)
        #expect(put["ETag"] == etag(of: body))
        var crc = CyclicRedundancyCheck(.crc64nvme)
        crc.update(body)
        #expect(put["x-amz-checksum-crc64nvme"] == Base64.string(crc.bigEndianBytes))
        #expect(put["x-amz-checksum-type"] == "FULL_OBJECT")
        #expect(put["x-amz-server-side-encryption"] == "AES256")

        let get = try s3.send(S3Call("GET", "photos", "2026/holiday photo.jpg"))
        #expect(get.status == 200)
        #expect(get.body == body)
        let head = try s3.send(S3Call("HEAD", "photos", "2026/holiday photo.jpg"))
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        for answer in [get, head] {
            #expect(answer["Content-Length"] == String(size))
            #expect(answer["Content-Type"] == "image/jpeg")
            #expect(answer["ETag"] == etag(of: body))
            #expect(answer["accept-ranges"] == "bytes")
            #expect(answer["Last-Modified"].flatMap { Timestamp(httpDate: $0) } != nil)
            #expect(answer["x-amz-checksum-crc64nvme"] == nil)
        }
        let delete = try s3.send(S3Call("DELETE", "photos", "2026/holiday photo.jpg"))
        #expect(delete.status == 204)
        #expect(delete["Content-Length"] == nil && delete["Content-Type"] == nil && delete.body.isEmpty)
        #expect(try s3.send(S3Call("DELETE", "photos", "2026/holiday photo.jpg")).status == 204)
        #expect(try s3.send(S3Call("GET", "photos", "2026/holiday photo.jpg")).code == "NoSuchKey")
    }

    @Test func `is the same under path style and virtual-host style (local-s3#92)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "path")
        #expect(try s3.virtualHosted.get("a").text == "path")
        try s3.virtualHosted.put("b", "host")
        #expect(try s3.get("b").text == "host")
        #expect(try s3.virtualHosted.send(S3Call("GET", "nothing-here", "a")).code == "NoSuchBucket")
        #expect(try s3.virtualHosted.send(S3Call("HEAD", "nothing-here")).status == 404)
    }

    /// Each is another object than its neighbours.
    static let keys = [
        "a b", "a+b", "a%20b", "a%2Bb", "/a", "//a", "a/", "a//b", "a/b", "a", "foo/bar", "foo/bar/xyzzy", "test",
        "test/", "https://example.org", "a/../b", "a/./b", ".", "a..b", "photo (1).jpg", "a@b", "a:b", "#?%&=;,$!*'",
        "%28", "caf\u{E9}", "cafe\u{301}", "日本語/写真.jpg", "🦈", "\"<&>'", "soap", "tilde~", "back\\slash", "tab\tkey",
        String(repeating: "x", count: 256), String(repeating: "k", count: 1_024),
        String(repeating: "d/", count: 512),
    ]

    /// localstack#3759, minio-dart#115, minio-dotnet#556, soto#601, t3ext-fal_s3#42, keystone-storage-adapter-s3#42,
    /// SaveAny-Bot#243, minio#15684, gofakes3#108, terraform-provider-aws#7362, seaweedfs#8759, rustfs#5785.
    @Test func `is found under exactly the key it was put under (aws-cli#1639, minio#9567, versitygw#137)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for (index, key) in Self.keys.enumerated() {
            let call = S3Call("PUT", "photos", key, body: "\(index)")
            let answer = try index % 2 == 0 ? s3.send(call) : s3.send(call, .presigned(seconds: 60))
            #expect(answer.status == 200, "\(key): \(answer.text)")
        }
        for (index, key) in Self.keys.enumerated() {
            #expect(try s3.get(key).text == "\(index)", "\(key)")
            #expect(try s3.send(S3Call("GET", "photos", key), .presigned(seconds: 60)).text == "\(index)", "\(key)")
        }
        let objects = try AdminClient(server).json("GET", "/objects")["objects"]?.elements ?? []
        let listed = objects.compactMap { $0["key"]?.string }.map { Array($0.utf8) }
        let sorted = Self.keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(listed == sorted)
    }

    @Test func `whose path holds a plus is not the one with a blank (minio#4162, CloudBase.jl#44)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("video+1.mp4", "plus")
        try s3.put("video 1.mp4", "blank")
        var request = try s3.request(S3Call("PUT", "photos", "video+1.mp4", body: "x"))
        // A client that wrote the plus for a blank and signed what it wrote.
        request.target = "/photos/video+1.mp4"
        let refused = try s3.send(request)
        #expect(refused.status == 403 && refused.code == "SignatureDoesNotMatch")
        request.target = "/photos/video 1.mp4"
        #expect(try s3.send(request).status == 400)
        #expect(try s3.get("video+1.mp4").text == "plus")
        #expect(try s3.get("video 1.mp4").text == "blank")
    }

    @Test(arguments: ["/photos/a(b)@c", "/photos/a%28b%29%40c", "/photos/%61(b)@%63"])
    func `is reached by every spelling of its key (soto#601)`(target: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a(b)@c", "x")
        var request = try s3.request(S3Call("GET", "photos", "a(b)@c"))
        request.target = target
        #expect(try s3.send(request).text == "x")
    }

    @Test func `that is replaced is old or new to a reader, never a mixture (localstack#10387, S3Mock#1737)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let (old, new) = (pattern(400_000), Array(pattern(300_000).reversed()))
        _ = try s3.send(S3Call("PUT", "photos", "a", body: old))
        let admin = AdminClient(server)
        try admin.arm("GetObject a @response.at(1000) 1*pause(reading)")
        let reader = server.connection
        reader.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        #expect(try s3.send(S3Call("PUT", "photos", "a", body: new)).status == 200)
        #expect(try s3.get("a").body == new)
        try admin.json("POST", "/gates/reading/release")
        let answer = try #require(reader.receiveResponse())
        #expect(answer.body == old)
        #expect(answer["ETag"] == etag(of: old))
    }

    @Test func `has the content type of its writer or binary/octet-stream (cloudemu#1137)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        #expect(try s3.get("a")["Content-Type"] == "binary/octet-stream")
        try s3.put("b", "x", headers: [("Content-Type", "video/mp4")])
        #expect(try s3.get("b")["Content-Type"] == "video/mp4")
    }
}
