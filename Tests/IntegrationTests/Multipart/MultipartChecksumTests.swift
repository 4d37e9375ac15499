import ShoalCrypto
import ShoalWire
import Testing

@Suite struct `An upload in parts with checksums` {
    @Test func `keeps their algorithm and composes what it promised`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a", headers: [("x-amz-checksum-algorithm", "SHA256")])
        let bytes = pattern(100)
        let digest = Base64.string(Digest.of(bytes, .sha256))
        let part = try s3.putPart(1, bytes, of: upload, "a", headers: [("x-amz-checksum-sha256", digest)])
        #expect(part["x-amz-checksum-sha256"] == digest)
        let other = try s3.putPart(
            2, bytes, of: upload, "a", headers: [("x-amz-checksum-sha1", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")])
        #expect(other.status == 400 && other.code == "InvalidRequest")
        #expect(
            other.element("Message")?.contains("expected checksum Type: sha256, actual checksum Type: sha1") == true)
        let list = [(number: 1, etag: try #require(part["ETag"]))]
        #expect(try s3.complete(upload, "a", list).code == "InvalidRequest")
        let body =
            "<CompleteMultipartUpload><Part><ChecksumSHA256>\(digest)</ChecksumSHA256><PartNumber>1</PartNumber>"
            + "<ETag>\(list[0].etag)</ETag></Part></CompleteMultipartUpload>"
        let done = try s3.send(S3Call("POST", "photos", "a", query: [("uploadId", upload)], body: body))
        let composite = Base64.string(Digest.of(Digest.of(bytes, .sha256), .sha256)) + "-1"
        #expect(done.element("ChecksumSHA256") == composite && done.element("ChecksumType") == "COMPOSITE")
        let head = try s3.send(S3Call("HEAD", "photos", "a", headers: [("x-amz-checksum-mode", "ENABLED")]))
        #expect(head["x-amz-checksum-sha256"] == composite && head["x-amz-checksum-type"] == "COMPOSITE")
    }

    /// Whoever lists no checksums of parts gets none of a part.
    @Test(arguments: [true, false])
    func `tells that of a part if its completion listed it`(isListed: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin(
            "a", headers: [("x-amz-checksum-algorithm", "CRC32C"), ("x-amz-checksum-type", "FULL_OBJECT")])
        let part = try s3.putPart(1, pattern(100), of: upload, "a")
        let (tag, value) = (try #require(part["ETag"]), try #require(part["x-amz-checksum-crc32c"]))
        let listed = isListed ? "<ChecksumCRC32C>\(value)</ChecksumCRC32C>" : ""
        let body =
            "<CompleteMultipartUpload><Part>\(listed)<PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let done = try s3.send(S3Call("POST", "photos", "a", query: [("uploadId", upload)], body: body))
        #expect(done.element("ChecksumCRC32C") == value && done.element("ChecksumType") == "FULL_OBJECT")
        let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
        #expect(try s3.send(S3Call("PUT", "photos", "a", query: [("tagging", "")], body: tags)).status == 200)
        let got = try s3.send(
            S3Call("GET", "photos", "a", query: [("partNumber", "1")], headers: [("x-amz-checksum-mode", "ENABLED")]))
        #expect(got.status == 206 && got["x-amz-checksum-crc32c"] == (isListed ? value : nil))
        #expect(got["x-amz-checksum-type"] == (isListed ? "FULL_OBJECT" : nil))
        let whole = try s3.send(S3Call("HEAD", "photos", "a", headers: [("x-amz-checksum-mode", "ENABLED")]))
        #expect(whole["x-amz-checksum-crc32c"] == value)
    }
}
