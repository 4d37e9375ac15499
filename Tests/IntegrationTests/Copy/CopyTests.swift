import ShoalCrypto
import ShoalFaults
import ShoalWire
import Testing

@Suite struct `A copy` {
    private func copy(
        _ source: String, to key: String, in bucket: String = "photos", headers: [WireRequest.Field] = []
    ) -> S3Call {
        S3Call("PUT", bucket, key, headers: [("x-amz-copy-source", source)] + headers)
    }

    @Test func `tells the version of its source, unless that is null`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "zero")
        try s3.keepVersions()
        let call = S3Call("PUT", "photos", "b", headers: [("x-amz-copy-source", server.url + "/photos/a")])
        let copied = try s3.send(call)
        #expect(copied.status == 200 && copied["x-amz-copy-source-version-id"] == nil)
        #expect(copied["x-amz-version-id"] != nil)
        let first = try #require(try s3.put("a", "one")["x-amz-version-id"])
        #expect(try s3.send(call)["x-amz-copy-source-version-id"] == first)
    }

    @Test func `is of a bucket that the expected account owns, or of none`() throws {
        let s3 = S3Client(try TestServer())
        try s3.put("a", "x")
        let header = "x-amz-source-expected-bucket-owner"
        let foreign = try s3.send(copy("/photos/a", to: "b", headers: [(header, "999999999999")]))
        #expect(foreign.status == 403 && foreign.code == "AccessDenied")
        let malformed = try s3.send(copy("/photos/a", to: "b", headers: [(header, "me")]))
        #expect(malformed.status == 400 && malformed.code == "InvalidBucketOwnerAWSAccountID")
        #expect(try s3.send(S3Call("HEAD", "photos", "b")).status == 404)
        #expect(try s3.send(copy("/photos/a", to: "b", headers: [(header, "000000000000")])).status == 200)
    }

    @Test func `onto itself changes the encryption where the bucket names one`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let call = S3Call("PUT", "photos", "a", headers: [("x-amz-copy-source", "/photos/a")])
        #expect(try s3.send(call).code == "InvalidRequest")
        let encryption =
            "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256"
            + "</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>"
        #expect(try s3.send(S3Call("PUT", "photos", query: [("encryption", "")], body: encryption)).status == 200)
        #expect(try s3.send(call).status == 200)
    }

    @Test(arguments: ["/photos/a%20b", "photos/a%20b", "photos/a+b", "/photos/a%20b?versionId=null"])
    func `takes bytes, headers, metadata and tags along`(source: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put(
            "a b", "hello",
            headers: [
                ("Content-Type", "text/x"), ("x-amz-meta-m", "1"), ("x-amz-tagging", "k=v&l=w"),
                ("x-amz-storage-class", "STANDARD_IA"), ("x-amz-website-redirect-location", "/z"),
            ])
        let answer = try s3.send(copy(source, to: "b", in: "films", headers: [("Content-Type", "ignored")]))
        #expect(answer.status == 200 && answer.element("LastModified") != nil)
        #expect(answer.element("ETag")?.contains(etag(of: "hello").dropFirst().dropLast()) == true)
        let got = try s3.send(S3Call("GET", "films", "b"))
        #expect(got.text == "hello" && got["Content-Type"] == "text/x" && got["x-amz-meta-m"] == "1")
        #expect(got["x-amz-tagging-count"] == "2")
        #expect(got["x-amz-storage-class"] == nil && got["x-amz-website-redirect-location"] == nil)
    }

    @Test func `replaces what it is told to replace`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put(
            "a", "hello", headers: [("Content-Type", "text/x"), ("x-amz-meta-m", "1"), ("x-amz-tagging", "k=v")])
        let replaced = try s3.send(
            copy(
                "/photos/a", to: "a",
                headers: [
                    ("x-amz-metadata-directive", "REPLACE"), ("Content-Type", "text/y"), ("x-amz-meta-n", "2"),
                    ("x-amz-tagging-directive", "REPLACE"), ("x-amz-storage-class", "GLACIER_IR"),
                ]))
        #expect(replaced.status == 200)
        let got = try s3.get("a")
        #expect(got.text == "hello" && got["Content-Type"] == "text/y" && got["x-amz-meta-m"] == nil)
        #expect(got["x-amz-meta-n"] == "2" && got["x-amz-tagging-count"] == nil)
        #expect(got["x-amz-storage-class"] == "GLACIER_IR")
    }

    @Test func `of an object in parts is one piece with a plain tag`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("film")
        let bodies = [pattern(5 * S3Client.mebibyte), pattern(7)]
        let parts = try bodies.enumerated().map { (number: $0 + 1, etag: try s3.part($0 + 1, $1, of: upload, "film")) }
        #expect(try s3.complete(upload, "film", parts).status == 200)
        #expect(try s3.send(copy("/photos/film", to: "copy")).status == 200)
        let got = try s3.get("copy")
        #expect(got.body == bodies.flatMap { $0 })
        #expect(got["ETag"] == etag(of: bodies.flatMap { $0 }))
    }

    @Test func `is refused where S3 refuses it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "hello")
        let refusals: [(S3Call, Int, String)] = [
            (copy("/photos/a", to: "a"), 400, "InvalidRequest"),
            (copy("/photos/a", to: "a", headers: [("x-amz-acl", "bucket-owner-full-control")]), 400, "InvalidRequest"),
            (copy("/photos/none", to: "b"), 404, "NoSuchKey"),
            (copy("/absent-bucket/a", to: "b"), 404, "NoSuchBucket"),
            (copy("/photos", to: "b"), 400, "InvalidArgument"),
            (copy("/photos/%zz", to: "b"), 400, "InvalidArgument"),
            (copy("/photos/a?versionId=x", to: "b"), 400, "InvalidArgument"),
            (copy("/photos/a", to: "b", headers: [("x-amz-metadata-directive", "other")]), 400, "InvalidArgument"),
            (
                copy("/photos/a", to: "b", headers: [("x-amz-copy-source-if-match", etag(of: "x"))]), 412,
                "PreconditionFailed"
            ),
            (
                copy("/photos/a", to: "b", headers: [("x-amz-copy-source-if-none-match", etag(of: "hello"))]), 412,
                "PreconditionFailed"
            ),
            (
                copy("/photos/a", to: "a", headers: [("x-amz-metadata-directive", "REPLACE"), ("If-None-Match", "*")]),
                412, "PreconditionFailed"
            ),
        ]
        for (call, status, code) in refusals {
            let answer = try s3.send(call)
            #expect(answer.status == status && answer.code == code, "\(call.headers): \(answer.text)")
        }
        #expect(try !s3.has("b"))
        #expect(server.files(below: "staging").isEmpty)
    }

    @Test func `fills parts with ranges of other objects`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let source = pattern(6 * S3Client.mebibyte)
        try s3.send(S3Call("PUT", "films", "source", body: source))
        let upload = try s3.begin("film")
        func part(_ number: Int, _ range: String?) throws -> WireResponse {
            try s3.send(
                S3Call(
                    "PUT", "photos", "film", query: [("partNumber", "\(number)"), ("uploadId", upload)],
                    headers: [("x-amz-copy-source", "/films/source")]
                        + (range.map { [("x-amz-copy-source-range", $0)] } ?? [])))
        }
        let first = try part(1, "bytes=0-\(5 * S3Client.mebibyte - 1)")
        let second = try part(2, "bytes=100-199")
        #expect(first.status == 200 && second.status == 200)
        for range in ["bytes=0-\(source.count)", "bytes=5", "0-5"] { #expect(try part(3, range).status == 400) }
        let tags = [first, second].map { $0.element("ETag")?.replacing("&quot;", with: "\"") ?? "" }
        #expect(try s3.complete(upload, "film", [(1, tags[0]), (2, tags[1])]).status == 200)
        #expect(try s3.get("film").body == Array(source[..<(5 * S3Client.mebibyte)] + source[100..<200]))
    }

    @Test func `can be struck before and after it is there`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "hello")
        for (point, isThere) in [(FaultPoint.commitBefore, false), (.commitAfter, true)] {
            try admin.arm("CopyObject b @\(point.rawValue) 1*reset")
            let connection = server.connection
            connection.send(try s3.request(copy("/photos/a", to: "b")).bytes)
            #expect(connection.receive().end == .reset)
            #expect(try s3.has("b") == isThere)
        }
    }
}

@Suite struct `A deletion of many objects` {
    private func call(_ body: String) -> S3Call {
        S3Call(
            "POST", "photos", query: [("delete", "")],
            headers: [("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))], body: body)
    }

    @Test func `says of each what became of it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["a", "b", "c"] { try s3.put(key, key) }
        let items =
            "<Object><Key>a</Key></Object><Object><Key>none</Key></Object>"
            + "<Object><Key>b</Key><ETag>\(etag(of: "x"))</ETag></Object>"
            + "<Object><Key>c</Key><VersionId>abc</VersionId></Object>"
        let answer = try s3.send(call("<Delete>\(items)</Delete>"))
        #expect(answer.status == 200)
        #expect(answer.text.components("Deleted") == ["<Key>a</Key>", "<Key>none</Key>"])
        #expect(answer.text.components("Code") == ["PreconditionFailed", "NoSuchVersion"])
        #expect(try ["a", "b", "c"].map { try s3.has($0) } == [false, true, true])
        let quiet = try s3.send(call("<Delete><Quiet>true</Quiet><Object><Key>b</Key></Object></Delete>"))
        #expect(quiet.text.components("Deleted").isEmpty && quiet.status == 200)
        #expect(try !s3.has("b"))
    }

    @Test func `needs a digest, a list and keys`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "a")
        let one = "<Delete><Object><Key>a</Key></Object></Delete>"
        #expect(
            try s3.send(S3Call("POST", "photos", query: [("delete", "")], body: one)).code == "InvalidRequest")
        let many = String(repeating: "<Object><Key>a</Key></Object>", count: 1_001)
        for body in ["<Delete></Delete>", "<Delete>\(many)</Delete>", "<Remove/>", "x"] {
            #expect(try s3.send(call(body)).code == "MalformedXML")
        }
        let altered = S3Call("POST", "photos", query: [("delete", "")], headers: call("x").headers, body: one)
        #expect(try s3.send(altered).code == "BadDigest")
        #expect(try s3.has("a"))
    }
}

@Suite struct `Tags and attributes of an object` {
    @Test func `are set, read, replaced and dropped, and the object stays as it is`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let put = try s3.put("a", "hello", headers: [("x-amz-tagging", "k=v")])
        let modified = try s3.get("a")["Last-Modified"]
        func tags() throws -> String? {
            try s3.send(S3Call("GET", "photos", "a", query: [("tagging", "")])).element("TagSet")
        }
        #expect(try tags() == "<Tag><Key>k</Key><Value>v</Value></Tag>")
        let body = "<Tagging><TagSet><Tag><Key>x</Key><Value>y</Value></Tag></TagSet></Tagging>"
        #expect(try s3.send(S3Call("PUT", "photos", "a", query: [("tagging", "")], body: body)).status == 200)
        #expect(try tags() == "<Tag><Key>x</Key><Value>y</Value></Tag>")
        let got = try s3.get("a")
        #expect(got.text == "hello" && got["ETag"] == put["ETag"] && got["Last-Modified"] == modified)
        #expect(got["x-amz-tagging-count"] == "1")
        let wrong = body.replacing("x", with: "aws:x")
        #expect(try s3.send(S3Call("PUT", "photos", "a", query: [("tagging", "")], body: wrong)).code == "InvalidTag")
        #expect(try s3.send(S3Call("DELETE", "photos", "a", query: [("tagging", "")])).status == 204)
        #expect(try s3.get("a")["x-amz-tagging-count"] == nil)
        let none = try s3.send(S3Call("GET", "photos", "none", query: [("tagging", "")]))
        #expect(none.status == 404 && none.element("Key") == "photos/none")
    }

    @Test func `are told as asked for`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "hello")
        func attributes(_ names: String, _ more: [WireRequest.Field] = []) throws -> WireResponse {
            try s3.send(
                S3Call(
                    "GET", "photos", "a", query: [("attributes", "")],
                    headers: [("x-amz-object-attributes", names)] + more))
        }
        let all = try attributes("ETag,Checksum,ObjectParts,StorageClass,ObjectSize")
        #expect(all.element("ETag") == String(etag(of: "hello").dropFirst().dropLast()))
        #expect(all.element("ObjectSize") == "5" && all.element("StorageClass") == "STANDARD")
        #expect(all.element("ChecksumCRC64NVME") == "M3eFcAZSQlc=" && all.element("ObjectParts") == nil)
        #expect(all["Last-Modified"] != nil)
        #expect(try attributes("ObjectSize").element("ETag") == nil)
        #expect(try attributes("Nonsense").code == "InvalidArgument")
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("attributes", "")])).code == "InvalidRequest")
    }
}
