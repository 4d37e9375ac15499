import ShoalFaults
import ShoalS3
import ShoalWire
import Testing

@Suite struct `A listing` {
    static func list(_ s3: S3Client, _ query: [WireRequest.Field]) throws -> WireResponse {
        try s3.send(S3Call("GET", "photos", query: [("list-type", "2")] + query))
    }

    /// The texts of every element of that name, in order.
    static func all(_ name: String, in answer: WireResponse) -> [String] { answer.text.components(name) }

    @Test func `is S3's document to the byte`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let now = Timestamp(milliseconds: 1_780_000_000_000)
        try admin.freeze(at: now)
        for key in ["a.jpg", "trip/1.jpg", "trip/2.jpg"] {
            try s3.send(S3Call("PUT", "photos", key, body: "abc"), at: now)
        }
        let call = S3Call(
            "GET", "photos",
            query: [("list-type", "2"), ("delimiter", "/"), ("start-after", ""), ("fetch-owner", "true")])
        let answer = try s3.send(call, at: now)
        let owner = try #require(answer.element("ID"))
        #expect(
            answer.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>photos</Name><Prefix></Prefix>"
                + "<StartAfter></StartAfter><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><Delimiter>/</Delimiter>"
                + "<IsTruncated>false</IsTruncated><Contents><Key>a.jpg</Key><LastModified>\(now.iso8601)</LastModified>"
                + "<ETag>&quot;900150983cd24fb0d6963f7d28e17f72&quot;</ETag><ChecksumAlgorithm>CRC64NVME"
                + "</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>3</Size><Owner><ID>\(owner)</ID></Owner>"
                + "<StorageClass>STANDARD</StorageClass></Contents><CommonPrefixes><Prefix>trip/</Prefix>"
                + "</CommonPrefixes></ListBucketResult>")
        #expect(answer["Content-Type"] == "application/xml")
    }

    @Test func `has test and test/ as two entries (minio#21412)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["test/", "test", "test/1"] { try s3.put(key, "x") }
        #expect(try Self.all("Key", in: Self.list(s3, [])) == ["test", "test/", "test/1"])
        let rolledUp = try Self.list(s3, [("delimiter", "/")])
        #expect(Self.all("Key", in: rolledUp) == ["test"])
        #expect(rolledUp.element("KeyCount") == "2")
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `gives every key once over all its pages`(pageSize: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let keys = (0..<12).map { "k\($0 < 10 ? "0" : "")\($0)" } + ["d/1", "d/2", "e/1", "é", "z z"]
        for key in keys { try s3.put(key, "x") }
        var (found, token, pages): ([String], String?, Int) = ([], nil, 0)
        repeat {
            let query =
                [("max-keys", "\(pageSize)"), ("delimiter", "/")] + (token.map { [("continuation-token", $0)] } ?? [])
            let page = try Self.list(s3, query)
            #expect(page.status == 200)
            found += Self.all("Key", in: page)
            let prefixes = page.text.split(separator: "<CommonPrefixes>").dropFirst()
            found += prefixes.compactMap {
                $0.split(separator: "<Prefix>").first?.split(separator: "<").first.map(String.init)
            }
            #expect(page.element("KeyCount").flatMap { Int($0) } ?? .max <= pageSize)
            token = page.element("NextContinuationToken")
            #expect((token != nil) == (page.element("IsTruncated") == "true"))
            pages += 1
        } while token != nil && pages < 50
        let expected = keys.filter { !$0.contains("/") } + ["d/", "e/"]
        #expect(found.sorted() == expected.sorted())
    }

    @Test func `of version one goes on by NextMarker only with a delimiter`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["a", "b/1", "b/2", "c"] { try s3.put(key, "x") }
        let plain = try s3.send(S3Call("GET", "photos", query: [("max-keys", "2")]))
        #expect(plain.element("IsTruncated") == "true")
        #expect(plain.element("NextMarker") == nil)
        #expect(plain.element("Marker") == "")
        #expect(plain.text.contains("<Owner>"))
        let first = try s3.send(S3Call("GET", "photos", query: [("max-keys", "2"), ("delimiter", "/")]))
        #expect(first.element("NextMarker") == "b/")
        let second = try s3.send(S3Call("GET", "photos", query: [("marker", "b/"), ("delimiter", "/")]))
        #expect(Self.all("Key", in: second) == ["c"])
    }

    @Test(
        arguments: [
            (
                [("list-type", "2"), ("max-keys", "x")], "Provided max-keys not an integer or within integer range",
                "max-keys"
            ),
            (
                [("list-type", "2"), ("max-keys", "-1")],
                "Argument maxKeys must be an integer between 0 and 2147483647", "maxKeys"
            ),
            (
                [("list-type", "2"), ("encoding-type", "xml")], "Invalid Encoding Method specified in Request",
                "encoding-type"
            ),
            (
                [("list-type", "2"), ("continuation-token", "!")], "The continuation token provided is incorrect",
                "continuation-token"
            ),
            (
                [("list-type", "2"), ("marker", "a")], "Marker unsupported with REST.GET.BUCKET in list-type=2",
                "marker"
            ),
            ([("start-after", "a")], "startAfter only supported in REST.GET.BUCKET with list-type=2", "start-after"),
        ] as [([(String, String)], String, String)])
    func `refuses parameters in S3's words`(query: [(String, String)], message: String, argument: String) throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(S3Call("GET", "photos", query: query))
        #expect(answer.status == 400)
        #expect(answer.code == "InvalidArgument")
        #expect(answer.element("Message") == message)
        #expect(answer.element("ArgumentName") == argument)
    }

    @Test(arguments: [
        ("0", 0, "0", "false"), ("1001", 3, "1001", "false"), ("", 3, "1000", "false"), ("2", 2, "2", "true"),
    ])
    func `echoes max-keys as parsed`(sent: String, count: Int, echoed: String, truncated: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["a", "b", "c"] { try s3.put(key, "x") }
        let answer = try Self.list(s3, [("max-keys", sent)])
        #expect(Self.all("Key", in: answer).count == count)
        #expect(answer.element("MaxKeys") == echoed)
        #expect(answer.element("IsTruncated") == truncated)
    }

    @Test func `can have its keys encoded, and escapes what XML cannot hold`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a b+c%~/é\u{1}", "x")
        let encoded = try Self.list(s3, [("encoding-type", "url"), ("prefix", "a b")])
        #expect(encoded.element("Key") == "a+b%2Bc%25%7E/%C3%A9%01")
        #expect(encoded.element("Prefix") == "a+b")
        #expect(encoded.element("EncodingType") == "url")
        #expect(try Self.list(s3, []).element("Key") == "a b+c%~/é&#x1;")
    }

    @Test func `goes on while its URL lives and stops when it expires (Azurite#2611)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        for key in ["a", "b"] { try s3.put(key, "x") }
        let made = Timestamp(seconds: 1_780_000_000)
        try admin.freeze(at: made)
        func link(_ more: [WireRequest.Field]) throws -> WireRequest {
            let query: [WireRequest.Field] = [("list-type", "2"), ("max-keys", "1")] + more
            return try s3.request(S3Call("GET", "photos", query: query), .presigned(seconds: 60), at: made)
        }
        let first = try link([])
        let page = try s3.send(first)
        #expect(Self.all("Key", in: page) == ["a"])
        let second = try link([("continuation-token", try #require(page.element("NextContinuationToken")))])
        try admin.freeze(at: made.adding(seconds: 59))
        #expect(try Self.all("Key", in: s3.send(second)) == ["b"])
        try admin.freeze(at: made.adding(seconds: 61))
        for request in [first, second] {
            #expect(try s3.send(request).element("Message") == "Request has expired")
        }
    }

    @Test func `shows what was deleted and put back in order`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for key in ["b", "a", "c"] { try s3.put(key, "x") }
        try s3.send(S3Call("DELETE", "photos", "b"))
        #expect(try Self.all("Key", in: Self.list(s3, [])) == ["a", "c"])
        try s3.put("b", "y")
        #expect(try Self.all("Key", in: Self.list(s3, [])) == ["a", "b", "c"])
    }
}
