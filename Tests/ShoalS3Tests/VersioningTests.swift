import ShoalS3
import Testing

@Suite struct `A versioning configuration` {
    private static func body(_ content: String) -> [UInt8] {
        Array("<VersioningConfiguration>\(content)</VersioningConfiguration>".utf8)
    }

    @Test(arguments: [
        ("<Status>Enabled</Status>", VersioningConfiguration.Status.enabled),
        ("<Status>Suspended</Status><MfaDelete>Disabled</MfaDelete>", .suspended),
    ])
    func `is read`(content: String, status: VersioningConfiguration.Status) throws {
        let configuration = try VersioningConfiguration(Self.body(content))
        #expect(configuration == VersioningConfiguration(status: status))
        #expect(try VersioningConfiguration(configuration.document) == configuration)
    }

    @Test(arguments: [
        ("", "IllegalVersioningConfigurationException | The Versioning element must be specified"),
        ("<Status>enabled</Status>", malformedXML), ("<Status/>", malformedXML),
        ("<Status>Enabled</Status><MfaDelete>On</MfaDelete>", malformedXML), ("<State/>", malformedXML),
        (
            "<Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>",
            "NotImplemented | A header you provided implies functionality that is not implemented | Header=x-amz-mfa"
        ),
    ])
    func `is refused in S3's words`(content: String, expected: String) {
        #expect(refusal { _ = try VersioningConfiguration(Self.body(content)) } == expected)
    }

    @Test(arguments: [("versioning-enabled", VersioningConfiguration.Status.enabled), ("versioning-never", nil)])
    func `is written byte for byte as S3 writes it`(golden: String, status: VersioningConfiguration.Status?) throws {
        #expect(text(VersioningConfiguration(status: status).document) == (try goldenXML(golden)))
    }
}

@Suite struct `A listing of versions` {
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let time = Timestamp(milliseconds: 1_700_049_760_987)
    private static let id = String(repeating: "A", count: 32)
    private static let object = VersionListing.Version(
        key: ObjectKey("a/b&c".utf8)!, etag: ETag(unquoted: "d41d8cd98f00b204e9800998ecf8427e"),
        facts: ObjectFacts(
            lastModified: time, size: 9, checksum: Checksum.Form(algorithm: .crc64nvme, kind: .fullObject)))

    private static func parameters(_ query: String) throws -> ListObjectVersionsParameters {
        try ListObjectVersionsParameters(try route("GET /photos?versions&" + query).query)
    }

    private static func document(_ query: String, _ listing: VersionListing) throws -> String {
        text(try parameters(query).document(listing, bucket: BucketName("photos")!, owner: owner))
    }

    @Test func `mixes versions and markers and names the last for the next page`() throws {
        let listing = VersionListing(
            entries: [
                .deleteMarker(Self.object.key, versionID: Self.id, isLatest: true, lastModified: Self.time),
                .version(Self.object, versionID: "null", isLatest: false),
            ], isTruncated: true)
        #expect(
            try Self.document("prefix=a/&key-marker=a/0&version-id-marker=null&max-keys=1001&delimiter=", listing)
                == (try goldenXML("list-versions")))
    }

    @Test func `encodes names and goes on behind a roll-up without a version`() throws {
        let listing = VersionListing(
            entries: [.version(Self.object, versionID: Self.id, isLatest: true)],
            commonPrefixes: [Array("a/z ß/".utf8)], isTruncated: true)
        #expect(
            try Self.document("prefix=a/%2B&delimiter=/&encoding-type=url", listing)
                == (try goldenXML("list-versions-url")))
    }

    @Test(
        arguments: [
            ("", "", nil), ("key-marker=", "", nil), ("key-marker=k", "k", nil),
            ("key-marker=k&version-id-marker=null", "k", "null"),
            (
                "key-marker=k%2F&version-id-marker=0123456789.abcdefghijklmnop_QRST", "k/",
                "0123456789.abcdefghijklmnop_QRST"
            ),
        ] as [(String, String, String?)])
    func `begins behind its markers`(query: String, key: String, versionID: String?) throws {
        let start = try Self.parameters(query).start()
        #expect(text(start.key) == key && start.versionID == versionID)
    }

    @Test(arguments: [("max-keys=7", 7, 7), ("max-keys=5000", 5_000, 1_000), ("", 1_000, 1_000), ("max-keys=0", 0, 0)])
    func `has at most 1,000 entries and echoes the number asked for`(query: String, echoed: Int, size: Int) throws {
        let parameters = try Self.parameters(query)
        #expect(parameters.maxKeys == echoed && parameters.pageSize == size && parameters.delimiter == nil)
    }

    @Test(arguments: [
        (
            "max-keys=x&version-id-marker=",
            "InvalidArgument | Provided max-keys not an integer or within integer range | ArgumentName=max-keys | "
                + "ArgumentValue=x"
        ),
        (
            "version-id-marker=x",
            "InvalidArgument | A version-id marker cannot be specified without a key marker. | "
                + "ArgumentName=version-id-marker | ArgumentValue=x"
        ),
        (
            "key-marker=&version-id-marker=&max-keys=-1",
            "InvalidArgument | A version-id marker cannot be empty. | ArgumentName=version-id-marker | ArgumentValue="
        ),
    ])
    func `is refused before a credential is read`(query: String, expected: String) {
        #expect(refusal { _ = try route("GET /photos?versions&" + query) } == expected)
    }

    @Test(arguments: [
        (
            "key-marker=k&version-id-marker=x&encoding-type=x&max-keys=-1",
            "InvalidArgument | Invalid version id specified | ArgumentName=version-id-marker | ArgumentValue=x"
        ),
        (
            "encoding-type=&max-keys=-1",
            "InvalidArgument | Invalid Encoding Method specified in Request | ArgumentName=encoding-type | "
                + "ArgumentValue="
        ),
        ("max-keys=-1", "InvalidArgument | max-keys cannot be negative | ArgumentName=max-keys"),
    ])
    func `is refused behind the bucket in S3's order`(query: String, expected: String) throws {
        let parameters = try Self.parameters(query)
        #expect(refusal { _ = try parameters.start() } == expected)
    }
}
