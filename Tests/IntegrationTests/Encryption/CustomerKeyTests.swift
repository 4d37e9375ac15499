import ShoalCrypto
import ShoalS3
import ShoalWire
import Testing

/// A customer's key as requests carry it.
struct TestKey {
    let text: String
    let md5: String

    init(_ letter: Character) { self.init(bytes: Array(String(repeating: letter, count: 32).utf8)) }

    init(bytes: [UInt8]) {
        text = Base64.string(bytes)
        md5 = Base64.string(Digest.of(bytes, .md5))
    }

    static let own = TestKey("k")
    static let other = TestKey("o")

    /// The three headers; `copySource` says that they are about the source of a copy.
    func headers(copySource: Bool = false) -> [WireRequest.Field] {
        let prefix = (copySource ? "x-amz-copy-source" : "x-amz") + "-server-side-encryption-customer-"
        return [(prefix + "algorithm", "AES256"), (prefix + "key", text), (prefix + "key-MD5", md5)]
    }
}

@Suite struct `An object under a customer's key` {
    private static let wrong =
        "Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key."
    private static let missing =
        "The object was stored using a form of Server Side Encryption. The correct parameters must be provided to "
        + "retrieve the object."

    @Test func `is read with that key only`() throws {
        let s3 = S3Client(try TestServer())
        let written = try s3.put("a", "hello", headers: TestKey.own.headers())
        #expect(written.status == 200 && written["x-amz-server-side-encryption"] == nil)
        #expect(written["x-amz-server-side-encryption-customer-algorithm"] == "AES256")
        #expect(written["x-amz-server-side-encryption-customer-key-MD5"] == TestKey.own.md5)
        for method in ["GET", "HEAD"] {
            let read = try s3.send(S3Call(method, "photos", "a", headers: TestKey.own.headers()))
            #expect(read.status == 200 && read["ETag"] == written["ETag"])
            #expect(read["x-amz-server-side-encryption-customer-key-MD5"] == TestKey.own.md5)
        }
        #expect(try s3.get("a", headers: TestKey.own.headers()).text == "hello")
        let bare = try s3.get("a")
        #expect(bare.status == 400 && bare.code == "InvalidRequest" && bare.element("Message") == Self.missing)
        #expect(try s3.send(S3Call("HEAD", "photos", "a")).status == 400)
        let other = try s3.get("a", headers: TestKey.other.headers())
        #expect(other.status == 403 && other.code == "AccessDenied" && other.element("Message") == Self.wrong)
        // To a reader a key of another length is only the wrong one.
        let short = TestKey(bytes: [1, 2, 3])
        #expect(try s3.get("a", headers: short.headers()).element("Message") == Self.wrong)
        let attributes = S3Call(
            "GET", "photos", "a", query: [("attributes", "")],
            headers: [("x-amz-object-attributes", "ObjectSize")])
        #expect(try s3.send(attributes).code == "InvalidRequest")
        #expect(try s3.send(S3Call("DELETE", "photos", "a")).status == 204)
    }

    @Test func `has a tag that is no digest of its bytes`() throws {
        let s3 = S3Client(try TestServer())
        let first = try s3.put("a", "hello", headers: TestKey.own.headers())
        let second = try s3.put("a", "hello", headers: TestKey.own.headers())
        #expect(first["ETag"]?.count == 34 && first["ETag"] != second["ETag"])
        #expect(try s3.put("b", "hello")["ETag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
    }

    @Test func `is asked for its key in every word that S3 has`() throws {
        let s3 = S3Client(try TestServer())
        let (key, prefix) = (TestKey.own, "x-amz-server-side-encryption-customer-")
        let (algorithm, text, md5) = (
            (prefix + "algorithm", "AES256"), (prefix + "key", key.text), (prefix + "key-MD5", key.md5)
        )
        let start = "Requests specifying Server Side Encryption with Customer provided keys must provide "
        let cases: [([WireRequest.Field], String, String)] = [
            ([text, md5], "InvalidArgument", start + "a valid encryption algorithm."),
            ([algorithm, md5], "InvalidArgument", start + "an appropriate secret key."),
            ([algorithm, text], "InvalidArgument", "The secret key was invalid for the specified algorithm."),
            (
                [algorithm, (prefix + "key", Base64.string([1, 2, 3])), md5], "InvalidArgument",
                "The secret key was invalid for the specified algorithm."
            ),
            (
                [algorithm, text, (prefix + "key-MD5", TestKey.other.md5)], "InvalidArgument",
                "The calculated MD5 hash of the key did not match the hash that was provided."
            ),
            (
                [(prefix + "algorithm", "AES192"), text, md5], "InvalidEncryptionAlgorithmError",
                "The Encryption request you specified is not valid. Supported value: AES256."
            ),
            (
                [(prefix + "algorithm", "KMS"), text, md5, ("x-amz-server-side-encryption", "AES256")],
                "InvalidArgument",
                "Server Side Encryption with Customer provided key is incompatible with the encryption method specified"
            ),
        ]
        for (headers, code, message) in cases {
            let answer = try s3.put("a", "hello", headers: headers)
            #expect(answer.status == 400 && answer.code == code && answer.element("Message") == message)
            #expect(answer.element("ArgumentName") == "x-amz-server-side-encryption")
            let value = code == "InvalidEncryptionAlgorithmError" ? "AES192" : headers.count == 4 ? "AES256" : nil
            #expect(answer.element("ArgumentValue") == value)
            #expect(!answer.text.contains(key.text))
        }
        #expect(try !s3.has("a"))
        try s3.put("open", "hello")
        let needless = try s3.get("open", headers: key.headers())
        #expect(needless.status == 400 && needless.code == "InvalidRequest")
    }

    @Test func `is copied by who has both keys`() throws {
        let s3 = S3Client(try TestServer())
        try s3.put("a", "hello", headers: TestKey.own.headers())
        let source = ("x-amz-copy-source", "/photos/a")
        func copy(_ headers: [WireRequest.Field]) throws -> WireResponse {
            try s3.send(S3Call("PUT", "photos", "b", headers: [source] + headers))
        }
        #expect(try copy([]).code == "InvalidRequest")
        #expect(try copy(TestKey.other.headers(copySource: true)).code == "AccessDenied")
        let copied = try copy(TestKey.own.headers(copySource: true) + TestKey.other.headers())
        #expect(copied.status == 200)
        #expect(copied["x-amz-server-side-encryption-customer-key-MD5"] == TestKey.other.md5)
        #expect(try s3.get("b", headers: TestKey.other.headers()).text == "hello")
        #expect(try copy(TestKey.own.headers(copySource: true))["x-amz-server-side-encryption"] == "AES256")
        #expect(try s3.get("b").text == "hello")
    }

    @Test func `comes in parts that all bring the key of their upload`() throws {
        let s3 = S3Client(try TestServer())
        let key = TestKey.own
        let begun = try s3.send(
            S3Call("POST", "photos", "a", query: [("uploads", "")], headers: key.headers()))
        #expect(begun["x-amz-server-side-encryption-customer-key-MD5"] == key.md5)
        let upload = try #require(begun.element("UploadId"))
        func part(_ headers: [WireRequest.Field]) throws -> WireResponse {
            let query = [("partNumber", "1"), ("uploadId", upload)]
            return try s3.send(S3Call("PUT", "photos", "a", query: query, headers: headers, body: "hello"))
        }
        let bare = try part([])
        #expect(
            bare.status == 400 && bare.element("Message")?.hasPrefix("The multipart upload initiate requested") == true)
        let other = try part(TestKey.other.headers())
        #expect(other.status == 400 && other.element("Message")?.hasPrefix("The provided encryption") == true)
        let sent = try part(key.headers())
        #expect(sent.status == 200 && sent["x-amz-server-side-encryption-customer-key-MD5"] == key.md5)
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(sent["ETag"] ?? "")</ETag></Part>"
            + "</CompleteMultipartUpload>"
        func complete(_ headers: [WireRequest.Field]) throws -> WireResponse {
            try s3.send(S3Call("POST", "photos", "a", query: [("uploadId", upload)], headers: headers, body: list))
        }
        #expect(try complete(TestKey.other.headers()).status == 400)
        let done = try complete([])
        #expect(done.status == 200 && done.element("ChecksumType") == nil)
        #expect(try s3.get("a").code == "InvalidRequest")
        let read = try s3.get("a", headers: key.headers() + [("x-amz-checksum-mode", "ENABLED")])
        #expect(read.text == "hello" && read["x-amz-checksum-type"] == nil)
    }

    @Test func `is still under it after a restart, and the key is nowhere on the disk`() throws {
        let server = try TestServer()
        try S3Client(server).put("a", "hello", headers: TestKey.own.headers())
        server.stop()
        let files = server.files(below: "")
        #expect(files.count > 2)
        for file in files {
            let text = server.text(of: file)
            #expect(!text.contains(TestKey.own.text) && !text.contains("kkkkkkkkkkkkkkkk"), "\(file)")
        }
        #expect(!server.log.contains(TestKey.own.text))
        let again = try TestServer { $0.storage = .directory(server.data) }
        let s3 = S3Client(again)
        #expect(try s3.get("a").code == "InvalidRequest")
        #expect(try s3.get("a", headers: TestKey.own.headers()).text == "hello")
    }
}
