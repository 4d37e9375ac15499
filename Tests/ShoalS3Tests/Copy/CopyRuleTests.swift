import ShoalS3
import Testing

@Suite struct `A copy` {
    @Test func `takes over metadata and tags unless told otherwise`() throws {
        #expect(try CopyDirective.metadata(in: try requestFields()) == .copy)
        #expect(try CopyDirective.tagging(in: try requestFields()) == .copy)
        let fields = try requestFields(
            "PUT /b/k", ["x-amz-metadata-directive: REPLACE", "x-amz-tagging-directive: COPY"])
        #expect(try CopyDirective.metadata(in: fields) == .replace)
        #expect(try CopyDirective.tagging(in: fields) == .copy)
    }

    @Test(arguments: ["replace", "", "KEEP"])
    func `has two directives and no others`(value: String) throws {
        let fields = try requestFields(
            "PUT /b/k", ["x-amz-metadata-directive: " + value, "x-amz-tagging-directive: " + value])
        #expect(
            refusal { _ = try CopyDirective.metadata(in: fields) }
                == "InvalidArgument | Unknown metadata directive. | ArgumentName=x-amz-metadata-directive | ArgumentValue="
                + value)
        #expect(
            refusal { _ = try CopyDirective.tagging(in: fields) }
                == "InvalidArgument | Unknown tagging directive. | ArgumentName=x-amz-tagging-directive | ArgumentValue="
                + value)
    }

    private static let illegal =
        "InvalidRequest | This copy request is illegal because it is trying to copy an object to itself without changing "
        + "the object's metadata, storage class, website redirect location or encryption attributes."

    @Test(
        arguments: [
            ([], illegal), (["x-amz-acl: private"], illegal), (["x-amz-meta-a: b"], illegal),
            (["x-amz-tagging-directive: REPLACE", "x-amz-tagging: a=b"], illegal),
            (["x-amz-storage-class: STANDARD"], nil),
            (["x-amz-website-redirect-location: /x"], nil), (["x-amz-server-side-encryption: AES256"], nil),
            (["x-amz-server-side-encryption-customer-algorithm: AES256"], nil),
            (["x-amz-checksum-algorithm: crc32"], illegal), (["x-amz-checksum-algorithm: SHA256"], nil),
        ] as [([String], String?)])
    func `onto itself has to change something`(lines: [String], expected: String?) throws {
        let fields = try requestFields("PUT /b/k", lines)
        #expect(
            refusal { try SelfCopyRule.check(fields, isSameObject: true, metadata: .copy, stored: .crc32) } == expected)
        #expect(
            refusal { try SelfCopyRule.check(fields, isSameObject: true, metadata: .replace, stored: .crc32) } == nil)
        #expect(
            refusal { try SelfCopyRule.check(fields, isSameObject: false, metadata: .copy, stored: .crc32) } == nil)
        let encrypting = refusal {
            try SelfCopyRule.check(
                fields, isSameObject: true, metadata: .copy, bucketNamesEncryption: true, stored: .crc32)
        }
        #expect(encrypting == nil)
    }

    @Test func `onto itself may add a checksum`() throws {
        let fields = try requestFields("PUT /b/k", ["x-amz-checksum-algorithm: CRC32"])
        #expect(refusal { try SelfCopyRule.check(fields, isSameObject: true, metadata: .copy, stored: nil) } == nil)
        let junk = try requestFields("PUT /b/k", ["x-amz-checksum-algorithm: CRC31"])
        #expect(
            refusal { try SelfCopyRule.check(junk, isSameObject: true, metadata: .copy, stored: nil) }?
                .hasPrefix("InvalidRequest | Checksum algorithm provided is unsupported.") == true)
    }

    @Test func `is answered with what was written`() throws {
        let result = CopyObjectResult(
            lastModified: Timestamp(milliseconds: 1_700_049_760_987),
            etag: ETag(unquoted: "25f9e794323b453885f5181f1b624d0b"),
            checksum: Checksum(.crc64nvme, kind: .fullObject, text: "rosUhgp5mIg="))
        #expect(text(result.document) == (try goldenXML("copy-object")))
    }
}
