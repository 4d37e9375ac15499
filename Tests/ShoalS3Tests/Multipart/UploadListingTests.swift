import ShoalS3
import Testing

@Suite struct `A list of uploads` {
    private static let bucket = BucketName("photos")!
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let time = Timestamp(milliseconds: 1_700_049_760_987)

    private static func parameters(_ query: String) throws -> ListMultipartUploadsParameters {
        try ListMultipartUploadsParameters(try route("GET /photos?uploads&" + query).query)
    }

    private static func upload(
        _ id: String, _ checksum: MultipartChecksum? = nil, by initiator: Owner = owner
    ) -> UploadListing.Upload {
        .init(
            key: ObjectKey("a/b c".utf8)!, uploadID: id, initiator: initiator, owner: owner, initiated: time,
            checksum: checksum)
    }

    private static let page = UploadListing(
        uploads: [upload("u1", MultipartChecksum(stored: .sha256, .composite)), upload("u2")],
        commonPrefixes: [Array("a/<1>/".utf8)], isTruncated: true, nextKeyMarker: Array("a/b c".utf8),
        nextUploadIDMarker: "u2")

    @Test(arguments: [
        ("list-uploads-page", "prefix=a/&delimiter=/&key-marker=a/&upload-id-marker=u0&max-uploads=3"),
        ("list-uploads-url", "prefix=a/%2B&delimiter=%3D&key-marker=a/&encoding-type=URL&max-uploads=1001"),
    ])
    func `is written byte for byte`(golden: String, query: String) throws {
        let parameters = try Self.parameters(query)
        #expect(refusal { try parameters.check() } == nil)
        let document = parameters.document(Self.page, bucket: Self.bucket)
        #expect(text(document) == (try goldenXML(golden)))
    }

    @Test func `may be empty`() throws {
        let document = try Self.parameters("upload-id-marker=ignored&delimiter=").document(
            UploadListing(uploads: []), bucket: Self.bucket)
        #expect(text(document) == (try goldenXML("list-uploads")))
    }

    @Test func `names whoever began an upload`() throws {
        let upload = Self.upload("u", by: Owner(id: "i", displayName: "someone"))
        let document = try Self.parameters("").document(UploadListing(uploads: [upload]), bucket: Self.bucket)
        #expect(text(document).contains("<Initiator><ID>i</ID><DisplayName>someone</DisplayName></Initiator><Owner>"))
    }

    @Test(
        arguments: [
            ("", "", nil, nil, 1_000), ("key-marker=k&upload-id-marker=u", "k", "u", nil, 1_000),
            ("key-marker=&upload-id-marker=u&max-uploads=", "", nil, nil, 1_000),
            ("key-marker=k&upload-id-marker=&delimiter=%2F&max-uploads=7", "k", nil, "/", 7),
            ("max-uploads=5000&delimiter=", "", nil, nil, 1_000), ("max-uploads=0", "", nil, nil, 0),
        ] as [(String, String, String?, String?, Int)])
    func `goes on from a pair of markers`(
        query: String, key: String, uploadID: String?, delimiter: String?, size: Int
    ) throws {
        let parameters = try Self.parameters(query)
        #expect(text(parameters.keyMarker) == key)
        #expect(parameters.uploadIDMarker == uploadID)
        #expect(parameters.delimiter.map { text($0) } == delimiter)
        #expect(parameters.pageSize == size)
    }

    @Test(arguments: [
        (
            "max-uploads=1e3",
            "InvalidArgument | Provided max-uploads not an integer or within integer range | ArgumentName=max-uploads | "
                + "ArgumentValue=1e3"
        ),
        (
            "max-uploads=-2&encoding-type=x",
            "InvalidArgument | Invalid Encoding Method specified in Request | ArgumentName=encoding-type | ArgumentValue=x"
        ),
        (
            "max-uploads=-2",
            "InvalidArgument | Argument max-uploads must be an integer between 0 and 2147483647 | "
                + "ArgumentName=max-uploads | ArgumentValue=-2"
        ),
    ])
    func `refuses its parameters in S3's words`(query: String, expected: String) {
        #expect(refusal { try Self.parameters(query).check() } == expected)
    }

    @Test func `has an error for markers that name no upload`() {
        #expect(
            summary(ListMultipartUploadsParameters.invalidUploadIDMarker("u"))
                == "InvalidArgument | Invalid uploadId marker | ArgumentName=upload-id-marker | ArgumentValue=u")
    }
}
