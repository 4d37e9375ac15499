import ShoalS3
import Testing

@Suite struct `The answers about an upload` {
    private static let bucket = BucketName("photos")!
    private static let key = ObjectKey("a/<&>\"'.txt".utf8)!
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let time = Timestamp(milliseconds: 1_700_049_760_987)
    private static let etag = ETag(unquoted: "25f9e794323b453885f5181f1b624d0b")

    @Test func `name it when it begins`() throws {
        let result = InitiateMultipartUploadResult(bucket: Self.bucket, key: Self.key, uploadID: "u-1_x.")
        #expect(text(result.document) == (try goldenXML("initiate-multipart-upload")))
    }

    @Test func `describe the object when it ends`() throws {
        let result = CompleteMultipartUploadResult(
            location: CompleteMultipartUploadResult.location(of: Self.key, in: "http://localhost:9000/photos"),
            bucket: Self.bucket, key: Self.key, etag: ETag(unquoted: "4d45984fc3feb2ac9b22683c49674b56-3"),
            checksum: Checksum(.crc32, kind: .composite, text: "5FRUiw==-3"))
        #expect(text(result.document) == (try goldenXML("complete-multipart-upload")))
    }

    @Test func `describe a part that was copied`() throws {
        let checksum = Checksum(.sha1, kind: .fullObject, text: "98O8HYCOBHMq32eZZczDTKeuNEE=")
        let result = CopyPartResult(lastModified: Self.time, etag: Self.etag, checksum: checksum)
        #expect(text(result.document) == (try goldenXML("copy-part")))
        let plain = CopyPartResult(lastModified: Self.time, etag: Self.etag, checksum: nil)
        #expect(text(plain.document) == (try goldenXML("copy-part-plain")))
    }

    private static func listParts(_ query: String) throws -> ListPartsParameters {
        try ListPartsParameters(try requestFields("GET /photos/key?uploadId=u" + query).query)
    }

    @Test func `list its parts with their checksums`() throws {
        let parameters = try Self.listParts("&max-parts=2&part-number-marker=1")
        #expect(parameters.pageSize == 2 && parameters.marker == 1)
        let document = parameters.document(
            parts: [uploadedPart(2, .crc32), uploadedPart(7, size: 9, .crc32)], isTruncated: true,
            bucket: Self.bucket, key: Self.key, uploadID: "u-1_x.", owner: Self.owner,
            initiator: Owner(id: Self.owner.id, displayName: "shoal"), storageClass: .standardIA,
            upload: MultipartChecksum(stored: .crc32, .composite))
        #expect(text(document) == (try goldenXML("list-parts")))
    }

    @Test func `hide the checksums that only the server wanted`() throws {
        let document = try Self.listParts("&max-parts=5000").document(
            parts: [uploadedPart(1)], isTruncated: false, bucket: Self.bucket, key: Self.key, uploadID: "u-1_x.",
            owner: Self.owner, initiator: Owner(id: Self.owner.id, displayName: "shoal"), storageClass: .standardIA,
            upload: nil)
        #expect(text(document) == (try goldenXML("list-parts-plain")))
    }

    @Test(arguments: [
        ("", 1_000, 0), ("&max-parts=&part-number-marker=", 1_000, 0), ("&max-parts=0", 0, 0),
        ("&max-parts=1001&part-number-marker=007", 1_000, 7), ("&part-number-marker=99999", 1_000, 99_999),
    ])
    func `list parts from a marker on`(query: String, size: Int, marker: Int) throws {
        let parameters = try Self.listParts(query)
        #expect(parameters.pageSize == size && parameters.marker == marker)
        #expect(refusal { try parameters.check() } == nil)
    }

    @Test(arguments: [
        (
            "&max-parts=x",
            "InvalidArgument | Provided max-parts not an integer or within integer range | ArgumentName=max-parts | "
                + "ArgumentValue=x"
        ),
        (
            "&part-number-marker=2147483648",
            "InvalidArgument | Provided part-number-marker not an integer or within integer range | "
                + "ArgumentName=part-number-marker | ArgumentValue=2147483648"
        ),
        (
            "&max-parts=-1",
            "InvalidArgument | Argument max-parts must be an integer between 0 and 2147483647 | ArgumentName=max-parts | "
                + "ArgumentValue=-1"
        ),
        (
            "&part-number-marker=-01",
            "InvalidArgument | Argument part-number-marker must be an integer between 0 and 2147483647 | "
                + "ArgumentName=part-number-marker | ArgumentValue=-1"
        ),
    ])
    func `refuse numbers of parts in S3's words`(query: String, expected: String) {
        #expect(refusal { try Self.listParts(query).check() } == expected)
    }

    @Test func `find no upload without an id`() throws {
        #expect(try UploadIDParameter.named(in: try requestFields("GET /b/k?uploadId=a%20b").query) == "a b")
        for query in ["", "?uploadId", "?uploadId=%FF"] {
            let outcome = refusal {
                _ = try UploadIDParameter.named(in: try requestFields("GET /b/k" + query).query)
            }
            #expect(
                outcome?.hasPrefix(
                    "NoSuchUpload | The specified upload does not exist. The upload ID may be invalid, or the upload may "
                        + "have been aborted or completed. | UploadId=") == true)
        }
    }
}
