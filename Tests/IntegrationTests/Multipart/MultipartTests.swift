import ShoalCrypto
import ShoalFaults
import ShoalS3
import ShoalWire
import Testing

@Suite struct `An upload in parts` {
    private static let large = 5 * S3Client.mebibyte

    @Test func `becomes one object, read whole, by range and part by part (S3Mock#65)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("film", headers: [("Content-Type", "video/mp4"), ("x-amz-meta-a", "b")])
        let bodies = [pattern(Self.large), pattern(Self.large + 3), pattern(1_000)]
        let parts = try bodies.enumerated().map {
            (number: $0 * 3 + 1, etag: try s3.part($0 * 3 + 1, $1, of: upload, "film"))
        }
        #expect(try s3.get("film").status == 404)
        let done = try s3.complete(upload, "film", parts)
        let digests = bodies.flatMap { Digest.of($0, .md5) }
        let tag = "\"\(Hexadecimal.string(Digest.of(digests, .md5)))-3\""
        #expect(done.status == 200)
        #expect(done.element("ETag") == tag || done.element("ETag") == tag.replacing("\"", with: "&quot;"))
        #expect(done.element("Location") == "\(server.url)/photos/film")
        #expect(done.element("ChecksumType") == "FULL_OBJECT")
        let whole = bodies.flatMap { $0 }
        let got = try s3.get("film", headers: [("x-amz-checksum-mode", "ENABLED")])
        #expect(got.body == whole)
        #expect(got["ETag"] == tag && got["Content-Type"] == "video/mp4" && got["x-amz-meta-a"] == "b")
        #expect(got["x-amz-checksum-crc64nvme"] == checksum(whole))
        let seam = Self.large
        let range = try s3.get("film", headers: [("Range", "bytes=\(seam - 2)-\(seam + 1)")])
        #expect(range.status == 206 && range.body == Array(whole[(seam - 2)...(seam + 1)]))
        let second = try s3.send(S3Call("GET", "photos", "film", query: [("partNumber", "2")]))
        #expect(second.status == 206 && second.body == bodies[1] && second["x-amz-mp-parts-count"] == "3")
        #expect(second["Content-Range"] == "bytes \(seam)-\(seam * 2 + 2)/\(whole.count)")
        let head = try s3.send(S3Call("HEAD", "photos", "film", query: [("partNumber", "3")]))
        #expect(head.status == 206 && head["Content-Length"] == "1000")
        let beyond = try s3.send(S3Call("GET", "photos", "film", query: [("partNumber", "4")]))
        #expect(beyond.status == 416 && beyond.element("ActualPartCount") == "3")
        #expect(server.files(below: "staging").isEmpty)
    }

    private func checksum(_ bytes: [UInt8]) -> String {
        var crc = CyclicRedundancyCheck(.crc64nvme)
        bytes.withUnsafeBytes { crc.update($0) }
        return Base64.string(crc.bigEndianBytes)
    }

    /// minio#13318, S3Mock#2586: a client whose answer was lost asks again.
    @Test func `is completed again with the same answer, also after a restart, and not with another list`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        let first = try s3.complete(upload, "a", parts)
        let second = try s3.complete(upload, "a", parts)
        #expect(second.status == 200 && second.body == first.body)
        let other = try s3.complete(upload, "a", [(1, etag(of: "x"))])
        #expect(other.status == 404 && other.code == "NoSuchUpload" && other.element("UploadId") == upload)
        #expect(try s3.complete(upload, "b", parts).code == "NoSuchUpload")
        server.stop()
        let again = try TestServer { $0.storage = .directory(server.data) }
        #expect(try S3Client(again).complete(upload, "a", parts).body == first.body)
        again.stop()
    }

    @Test func `answers NoSuchUpload to whatever names none (s3-tests#728)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        #expect(try s3.abort(upload, "a").status == 204)
        let stranger = String(upload.reversed())
        for id in [upload, stranger, "x", "%", ""] {
            // An id that is none is told before the list is looked at.
            let bad = S3Call("POST", "photos", "a", query: [("uploadId", id)], body: "<Other/>")
            let answers = [
                try s3.putPart(1, pattern(10), of: id, "a"), try s3.complete(id, "a", [(1, etag(of: "x"))]),
                try s3.send(S3Call("GET", "photos", "a", query: [("uploadId", id)])), try s3.send(bad),
            ]
            for answer in answers { #expect(answer.status == 404 && answer.code == "NoSuchUpload", "\(id)") }
            #expect(try s3.abort(id, "a").status == (id == upload ? 204 : 404))
        }
        #expect(server.files(below: "staging").isEmpty && server.files(below: "blobs").isEmpty)
    }

    /// boto3's clean-up aborts whatever it began.
    @Test func `is aborted without complaint once it ended`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let (done, gone) = (try s3.begin("a"), try s3.begin("b"))
        _ = try s3.complete(done, "a", [(1, try s3.part(1, pattern(10), of: done, "a"))])
        for _ in 0..<2 {
            #expect(try s3.abort(done, "a").status == 204)
            #expect(try s3.abort(gone, "b").status == 204)
        }
        #expect(try s3.abort(done, "b").code == "NoSuchUpload")
        #expect(try s3.get("a").body == pattern(10))
        server.stop()
        let again = try TestServer { $0.storage = .directory(server.data) }
        #expect(try S3Client(again).abort(done, "a").status == 204)
        again.stop()
    }

    @Test func `refuses parts that are too small, out of order, unknown or altered, and stays as it was (S3Mock#223)`()
        throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        let empty = try s3.send(S3Call("POST", "photos", "a", query: [("uploadId", upload)]))
        #expect(empty.code == "InvalidRequest" && empty.text.contains("You must specify at least one part"))
        let parts = try [1, 2].map { (number: $0, etag: try s3.part($0, pattern(10 * $0), of: upload, "a")) }
        let small = try s3.complete(upload, "a", parts)
        #expect(small.status == 400 && small.code == "EntityTooSmall")
        #expect(small.element("ProposedSize") == "10" && small.element("MinSizeAllowed") == "5242880")
        #expect(small.element("PartNumber") == "1")
        #expect(try s3.complete(upload, "a", parts.reversed()).code == "InvalidPartOrder")
        let unknown = try s3.complete(upload, "a", [(3, parts[0].etag)])
        #expect(unknown.code == "InvalidPart" && unknown.element("PartNumber") == "3")
        #expect(try s3.complete(upload, "a", [(1, parts[1].etag)]).code == "InvalidPart")
        #expect(try s3.complete(upload, "a", []).status == 400)
        let other = S3Call("POST", "photos", "a", query: [("uploadId", upload)], body: "<Other/>")
        #expect(try s3.send(other).code == "MalformedXML")
        let mismatch = try s3.complete(upload, "a", [parts[1]], headers: [("x-amz-mp-object-size", "5")])
        #expect(mismatch.code == "InvalidRequest")
        #expect(try s3.get("a").status == 404)
        #expect(try s3.complete(upload, "a", [parts[1]], headers: [("x-amz-mp-object-size", "20")]).status == 200)
        #expect(try s3.get("a").body == pattern(20))
    }

    @Test func `shows its parts and itself until it ends, page by page`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a/b", headers: [("x-amz-storage-class", "STANDARD_IA")])
        for number in 1...5 { _ = try s3.part(number, pattern(number), of: upload, "a/b") }
        let call = { S3Call("GET", "photos", "a/b", query: [("uploadId", upload)] + $0) }
        let page = try s3.send(call([("max-parts", "2"), ("part-number-marker", "1")]))
        #expect(page.text.components("PartNumber") == ["2", "3"])
        #expect(page.element("IsTruncated") == "true" && page.element("NextPartNumberMarker") == "3")
        #expect(page.element("StorageClass") == "STANDARD_IA")
        let rest = try s3.send(call([("part-number-marker", "3")]))
        #expect(rest.text.components("PartNumber") == ["4", "5"] && rest.element("IsTruncated") == "false")
        let second = try s3.begin("c")
        let list = { try s3.send(S3Call("GET", "photos", query: [("uploads", "")] + $0)) }
        #expect(try list([]).text.components("UploadId") == [upload, second])
        #expect(try list([("delimiter", "/")]).element("CommonPrefixes") == "<Prefix>a/</Prefix>")
        let first = try list([("max-uploads", "1")])
        #expect(first.element("NextKeyMarker") == "a/b" && first.element("NextUploadIdMarker") == upload)
        let next = try list([("key-marker", "a/b"), ("upload-id-marker", upload)])
        #expect(next.text.components("UploadId") == [second])
        #expect(next.element("IsTruncated") == "false")
        #expect(next.element("NextKeyMarker") == "c" && next.element("NextUploadIdMarker") == second)
        // S3 names no place behind a common prefix, also where the list goes on.
        let rolled = try list([("max-uploads", "1"), ("delimiter", "/")])
        #expect(rolled.element("IsTruncated") == "true" && rolled.element("NextKeyMarker") == "")
        let foreign = try list([("key-marker", "c"), ("upload-id-marker", upload)])
        #expect(foreign.status == 400 && foreign.element("ArgumentName") == "upload-id-marker")
        #expect(try s3.abort(second, "c").status == 204)
        let behind = try list([("key-marker", "c"), ("upload-id-marker", second)])
        #expect(behind.status == 200 && behind.text.components("UploadId").isEmpty)
        #expect(try list([]).text.components("UploadId") == [upload])
    }

    @Test func `is told by the admin API while it is open`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        for number in [1, 2] { _ = try s3.part(number, pattern(1_000), of: upload, "a") }
        let list = try admin.json("GET", "/uploads")
        let told = try #require(list["uploads"]?.first)
        #expect(told["bucket"]?.string == "photos" && told["key"]?.string == "a")
        #expect(told["uploadId"]?.string == upload && told["parts"]?.integer == 2 && told["size"]?.integer == 2_000)
        #expect(list["isTruncated"] == false)
        #expect(try admin.json("GET", "/uploads?bucket=films")["uploads"]?.elements.isEmpty == true)
        #expect(try s3.abort(upload, "a").status == 204)
        #expect(try admin.json("GET", "/uploads")["uploads"]?.elements.isEmpty == true)
    }

    /// Unfinished uploads neither keep a bucket alive nor outlive it.
    @Test func `goes with its bucket`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        _ = try s3.part(1, pattern(300_000), of: upload, "a")
        #expect(try s3.send(S3Call("DELETE", "photos")).status == 204)
        #expect(try s3.send(S3Call("PUT", "photos")).status == 200)
        #expect(try s3.complete(upload, "a", [(1, etag(of: pattern(300_000)))]).code == "NoSuchUpload")
        #expect(try s3.send(S3Call("GET", "photos", query: [("uploads", "")])).text.components("UploadId").isEmpty)
    }

    @Test func `is completed conditionally, and not over what came meanwhile`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        try s3.put("a", "between")
        let exists = try s3.complete(upload, "a", parts, headers: [("If-None-Match", "*")])
        #expect(exists.status == 412 && exists.element("Condition") == "If-None-Match")
        let other = try s3.complete(upload, "a", parts, headers: [("If-Match", etag(of: "before"))])
        #expect(other.status == 412 && other.element("Condition") == "If-Match")
        let between = try s3.complete(upload, "a", parts, headers: [("If-Match", etag(of: "between"))])
        #expect(between.status == 409 && between.code == "ConditionalRequestConflict")
        try s3.send(S3Call("DELETE", "photos", "a"))
        let gone = try s3.complete(upload, "a", parts, headers: [("If-Match", etag(of: "between"))])
        #expect(gone.status == 404 && gone.code == "NoSuchKey")
        let conflict = try s3.complete(upload, "a", parts, headers: [("If-None-Match", "*")])
        #expect(conflict.status == 409 && conflict.code == "ConditionalRequestConflict")
        #expect(conflict.element("Key") == "a" && conflict.element("Condition") == "If-None-Match")
        #expect(try s3.complete(upload, "a", parts).status == 200)
        // What was there before the upload began is no conflict.
        let second = try s3.begin("a")
        let late = [(number: 1, etag: try s3.part(1, pattern(10), of: second, "a"))]
        let refused = try s3.complete(second, "a", late, headers: [("If-None-Match", "*")])
        #expect(refused.status == 412 && refused.code == "PreconditionFailed")
    }

    @Test func `is not completed by a list that is not what its MD5 says`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        let other = Base64.string(Digest.of([1], .md5))
        #expect(try s3.complete(upload, "a", parts, headers: [("Content-MD5", other)]).code == "BadDigest")
        #expect(try s3.get("a").status == 404)
        let call = s3.completion(upload, "a", parts)
        let own = Base64.string(Digest.of(call.body, .md5))
        #expect(try s3.complete(upload, "a", parts, headers: [("Content-MD5", own)]).status == 200)
    }

    /// A part, and the completion itself, are points of an upload's life like any other.
    @Test(arguments: [("UploadPart", FaultPoint.commitBefore, false), ("UploadPart", .commitAfter, true)])
    func `can be struck at a part`(operation: String, point: FaultPoint, isStored: Bool) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        try admin.arm("\(operation) a @\(point.rawValue) 1*reset")
        let request = try s3.request(
            S3Call(
                "PUT", "photos", "a", query: [("partNumber", "1"), ("uploadId", upload)], body: pattern(300_000)))
        let connection = server.connection
        connection.send(request.bytes)
        #expect(connection.receive().end == .reset)
        let listed = try s3.send(S3Call("GET", "photos", "a", query: [("uploadId", upload)])).text
        #expect(listed.components("PartNumber").count == (isStored ? 1 : 0))
    }

    @Test(arguments: [FaultPoint.commitBefore, .commitAfter])
    func `can be struck at its completion, after which the client asks again`(point: FaultPoint) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        try admin.arm("CompleteMultipartUpload a @\(point.rawValue) 1*reset")
        let connection = server.connection
        connection.send(try s3.request(s3.completion(upload, "a", parts)).bytes)
        #expect(connection.receive().end == .reset)
        #expect(try s3.has("a") == (point == .commitAfter))
        #expect(try s3.complete(upload, "a", parts).status == 200)
        #expect(try s3.get("a").body == pattern(10))
    }
}
