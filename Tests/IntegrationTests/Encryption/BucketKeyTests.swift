import ShoalS3
import ShoalWire
import Testing

@Suite struct `An object under a key of KMS` {
    private static let keyID = "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f"
    private static let arn = "arn:aws:kms:us-east-1:000000000000:key/" + keyID
    private static let method = ("x-amz-server-side-encryption", "aws:kms")
    private static let idHeader = "x-amz-server-side-encryption-aws-kms-key-id"

    private func setDefault(_ rule: String, _ s3: S3Client) throws -> WireResponse {
        let body = "<ServerSideEncryptionConfiguration><Rule>\(rule)</Rule></ServerSideEncryptionConfiguration>"
        return try s3.send(S3Call("PUT", "photos", query: [("encryption", "")], body: body))
    }

    private static func byDefault(_ algorithm: String, _ key: String = "") -> String {
        "<ApplyServerSideEncryptionByDefault><SSEAlgorithm>\(algorithm)</SSEAlgorithm>\(key)"
            + "</ApplyServerSideEncryptionByDefault>"
    }

    @Test func `says which, by its whole name`() throws {
        let s3 = S3Client(try TestServer())
        let written = try s3.put("a", "hello", headers: [Self.method, (Self.idHeader, Self.keyID)])
        for answer in [written, try s3.get("a"), try s3.send(S3Call("HEAD", "photos", "a"))] {
            #expect(answer.status == 200 && answer["x-amz-server-side-encryption"] == "aws:kms")
            #expect(answer[Self.idHeader] == Self.arn)
            #expect(answer["x-amz-server-side-encryption-bucket-key-enabled"] == nil)
        }
        #expect(written["ETag"] != "\"5d41402abc4b2a76b9719d911017c592\"")
        let unnamed = try s3.put("b", "hello", headers: [Self.method])
        #expect(unnamed[Self.idHeader]?.hasPrefix("arn:aws:kms:us-east-1:000000000000:key/") == true)
        let alias = try s3.put("c", "hello", headers: [Self.method, (Self.idHeader, "alias/photos")])
        #expect(alias[Self.idHeader] == "arn:aws:kms:us-east-1:000000000000:alias/photos")
        let double = try s3.put(
            "d", "hello",
            headers: [
                ("x-amz-server-side-encryption", "aws:kms:dsse"), (Self.idHeader, Self.arn),
                ("x-amz-server-side-encryption-bucket-key-enabled", "true"),
            ])
        #expect(double["x-amz-server-side-encryption"] == "aws:kms:dsse" && double[Self.idHeader] == Self.arn)
        #expect(double["x-amz-server-side-encryption-bucket-key-enabled"] == "true")
    }

    @Test func `is what a bucket makes of every write, if it is told to`() throws {
        let s3 = S3Client(try TestServer())
        let key = "<KMSMasterKeyID>\(Self.keyID)</KMSMasterKeyID>"
        let rule = Self.byDefault("aws:kms", key) + "<BucketKeyEnabled>true</BucketKeyEnabled>"
        #expect(try setDefault(rule, s3).status == 200)
        let shown = try s3.send(S3Call("GET", "photos", query: [("encryption", "")]))
        #expect(shown.element("SSEAlgorithm") == "aws:kms" && shown.element("KMSMasterKeyID") == Self.keyID)
        let written = try s3.put("a", "hello")
        #expect(written["x-amz-server-side-encryption"] == "aws:kms" && written[Self.idHeader] == Self.arn)
        #expect(written["x-amz-server-side-encryption-bucket-key-enabled"] == "true")
        #expect(try s3.put("b", "hello", headers: [("x-amz-server-side-encryption", "AES256")])[Self.idHeader] == nil)
        let copied = try s3.send(S3Call("PUT", "photos", "c", headers: [("x-amz-copy-source", "/photos/b")]))
        #expect(copied[Self.idHeader] == Self.arn)
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("encryption", "")])).status == 204)
        #expect(try s3.put("d", "hello")["x-amz-server-side-encryption"] == "AES256")
        #expect(try s3.get("a")[Self.idHeader] == Self.arn)
    }

    @Test func `is asked for as S3 wants it`() throws {
        let s3 = S3Client(try TestServer())
        let name = "x-amz-server-side-encryption"
        let cases: [([WireRequest.Field], String)] = [
            ([(name, "aes:kms")], "The encryption method specified is not supported"),
            (
                [(name, "AES256"), (Self.idHeader, "k")],
                "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : "
                    + "aws:kms"
            ),
            (
                [(Self.idHeader, "k")],
                "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : "
                    + "aws:kms"
            ),
            (
                [Self.method, (name + "-context", "e30")],
                "The header 'x-amz-server-side-encryption-context' shall be Base64-encoded UTF-8 string holding JSON "
                    + "which represents a string-string map"
            ),
        ]
        for (headers, message) in cases {
            let answer = try s3.put("a", "hello", headers: headers)
            #expect(answer.status == 400 && answer.code == "InvalidArgument" && answer.element("Message") == message)
        }
        #expect(try s3.put("a", "x", headers: [Self.method, (name + "-context", "eyJhIjoiYiJ9")]).status == 200)
        #expect(try s3.get("a", headers: [Self.method]).code == "InvalidArgument")
    }

    @Test(arguments: [String(repeating: "k", count: 70_000), "k&#13;&#10;X-Forged: yes", "\u{e4}"])
    func `has a name that a header can hold`(name: String) throws {
        let s3 = S3Client(try TestServer())
        let rule = Self.byDefault("aws:kms", "<KMSMasterKeyID>\(name)</KMSMasterKeyID>")
        let refused = try setDefault(rule, s3)
        #expect(refused.status == 400 && refused.code == "MalformedXML")
        #expect(try s3.put("a", "x")["x-amz-server-side-encryption"] == "AES256")
    }

    @Test func `and under a customer's key is refused where the bucket blocks it`() throws {
        let s3 = S3Client(try TestServer())
        let rule =
            Self.byDefault("AES256")
            + "<BlockedEncryptionTypes><EncryptionType>SSE-C</EncryptionType></BlockedEncryptionTypes>"
        #expect(try setDefault(rule, s3).status == 200)
        let blocked = try s3.put("a", "hello", headers: TestKey.own.headers())
        #expect(blocked.status == 403 && blocked.code == "AccessDenied")
        #expect(try s3.put("a", "hello").status == 200)
    }
}
