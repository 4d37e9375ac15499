import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A listing` {
    private static let bucket = BucketName("photos")!
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let time = Timestamp(milliseconds: 1_700_049_760_987)

    private static func parameters(_ query: String, _ version: ListObjectsParameters.Version = .v2) throws
        -> ListObjectsParameters
    {
        try ListObjectsParameters(try route("GET /photos?" + query).query, version)
    }

    /// A page that holds what is hard to write, and says that more follows.
    private static func page(_ parameters: ListObjectsParameters, owner: Owner = owner) -> String {
        var page = ListBucketResult(parameters, bucket: bucket, owner: owner)
        func append(_ key: String, size: UInt64) {
            let facts = ObjectFacts(
                lastModified: time, size: size, checksum: Checksum.Form(algorithm: .crc64nvme, kind: .fullObject))
            Array(key.utf8).withUnsafeBytes {
                page.append(key: $0, facts) { $0 += "d41d8cd98f00b204e9800998ecf8427e".utf8 }
            }
        }
        append("a/<&>\"'.txt", size: 9)
        for prefix in ["a/dir 1/", "a/zß/"] { page.append(commonPrefix: Array(prefix.utf8)) }
        append("a/~tilde +\u{1}é", size: 5_000_000_000_000)
        return text(page.document(isTruncated: true))
    }

    private static func emptyPage(_ parameters: ListObjectsParameters) -> [UInt8] {
        ListBucketResult(parameters, bucket: bucket, owner: owner).document(isTruncated: false)
    }

    @Test(arguments: [
        ("list-v2-full", "list-type=2&prefix=a/&delimiter=/&max-keys=4&fetch-owner=true&start-after="),
        ("list-v2-url", "list-type=2&prefix=a/%2B&delimiter=/&encoding-type=URL&start-after=a%20b"),
    ])
    func `of version 2 is written byte for byte as S3 writes it`(golden: String, query: String) throws {
        #expect(Self.page(try Self.parameters(query)) == (try goldenXML(golden)))
    }

    @Test func `of version 2 echoes its token and ends`() throws {
        let token = text(ContinuationToken.encode(Array("k1".utf8)))
        let parameters = try Self.parameters("list-type=2&start-after=k0&continuation-token=" + token)
        #expect(try parameters.start() == Array("k1".utf8))
        #expect(text(Self.emptyPage(parameters)) == (try goldenXML("list-v2-last")))
    }

    @Test func `of version 1 names the owner and its markers`() throws {
        let parameters = try Self.parameters("prefix=a/&delimiter=/&marker=a&max-keys=1001", .v1)
        #expect(Self.page(parameters, owner: Owner(id: "id", displayName: "shoal")) == (try goldenXML("list-v1")))
    }

    @Test(arguments: [
        ("", 1_000, 1_000), ("max-keys=7", 7, 7), ("max-keys=5000", 5_000, 1_000), ("max-keys=0", 0, 0),
        ("max-keys=", 1_000, 1_000),
    ])
    func `has at most 1,000 entries and echoes the number asked for`(query: String, echoed: Int, size: Int) throws {
        let parameters = try Self.parameters(query)
        #expect(parameters.maxKeys == echoed)
        #expect(parameters.pageSize == size)
    }

    private static let provided =
        "InvalidArgument | Provided max-keys not an integer or within integer range | ArgumentName=max-keys | ArgumentValue="

    @Test(arguments: [
        (
            ListObjectsParameters.Version.v1, "start-after=x&continuation-token=x",
            "InvalidArgument | continuation-token only supported in REST.GET.BUCKET with list-type=2 | "
                + "ArgumentName=continuation-token"
        ),
        (
            .v1, "start-after=x",
            "InvalidArgument | startAfter only supported in REST.GET.BUCKET with list-type=2 | ArgumentName=start-after"
        ),
        (
            .v2, "marker=x&encoding-type=x",
            "InvalidArgument | Marker unsupported with REST.GET.BUCKET in list-type=2 | ArgumentName=marker"
        ),
        (
            .v2, "max-keys=-1&encoding-type=x&continuation-token=x",
            "InvalidArgument | Invalid Encoding Method specified in Request | ArgumentName=encoding-type | ArgumentValue=x"
        ),
        (
            .v2, "encoding-type=",
            "InvalidArgument | Invalid Encoding Method specified in Request | ArgumentName=encoding-type | ArgumentValue="
        ),
        (
            .v2, "max-keys=-1&continuation-token=",
            "InvalidArgument | The continuation token provided is incorrect | ArgumentName=continuation-token"
        ),
        (
            .v2, "max-keys=-01",
            "InvalidArgument | Argument maxKeys must be an integer between 0 and 2147483647 | ArgumentName=maxKeys | "
                + "ArgumentValue=-1"
        ),
    ])
    func `refuses its parameters in S3's order and words`(
        version: ListObjectsParameters.Version, query: String, expected: String
    ) {
        #expect(refusal { _ = try Self.parameters(query, version).start() } == expected)
    }

    @Test(arguments: ["", "a", "k\0", "é/\u{1F41F}", String(repeating: "k", count: 1_024)])
    func `goes on from a token that holds its last entry`(entry: String) {
        let token = ContinuationToken.encode(Array(entry.utf8))
        #expect(ContinuationToken.decode(token[...]) == Array(entry.utf8))
        #expect(token.allSatisfy { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 > 0x2F && $0 < 0x7B })
    }

    /// Tokens are kept in clients: one of today must be good tomorrow.
    @Test func `has tokens that stay good`() {
        #expect(text(ContinuationToken.encode(Array("a/b.jpg".utf8))) == "AVzhEBdhL2IuanBn")
    }

    @Test func `takes no token that it did not write`() {
        let token = ContinuationToken.encode(Array("key".utf8))
        for index in token.indices {
            var damaged = token
            damaged[index] = damaged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(ContinuationToken.decode(damaged[...]) == nil)
        }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0x20...0x7E, using: &random)
            }
            #expect(ContinuationToken.decode(bytes[...]) == nil)
        }
    }

    @Test func `is UTF-8 even where a prefix is not`() throws {
        let document = Self.emptyPage(try Self.parameters("prefix=%FF%EF%BF%BFa"))
        #expect(text(document).contains("<Prefix>\u{FFFD}&#xffff;a</Prefix>"))
        #expect(String(validating: document, as: UTF8.self) != nil)
    }
}

@Suite struct `A list of buckets` {
    private static let owner = Owner(id: String(repeating: "a1", count: 32))

    private static func parameters(_ query: String, server: String? = nil) throws -> ListBucketsParameters {
        try ListBucketsParameters(try requestFields("GET /?" + query).query, server: server.flatMap { Region($0) })
    }

    @Test(arguments: [("list-buckets", "", false), ("list-buckets-page", "prefix=p&max-buckets=2", true)])
    func `is written byte for byte as S3 writes it`(golden: String, query: String, isTruncated: Bool) throws {
        let buckets = [("photos", "us-east-1"), ("pictures", "eu-west-1")].map {
            ListedBucket(
                name: BucketName($0)!, created: Timestamp(milliseconds: 1_700_049_760_987), region: Region($1)!)
        }
        let document = try Self.parameters(query).document(buckets, owner: Self.owner, isTruncated: isTruncated)
        #expect(text(document) == (try goldenXML(golden)))
    }

    @Test func `may be empty`() throws {
        #expect(
            text(try Self.parameters("").document([], owner: Self.owner)) == (try goldenXML("list-buckets-empty")))
    }

    @Test func `goes on from its token`() throws {
        let token = text(ContinuationToken.encode(Array("photos".utf8)))
        let parameters = try Self.parameters("max-buckets=3&continuation-token=" + token)
        #expect(parameters.startAfter == Array("photos".utf8))
        #expect(parameters.pageSize == 3)
        #expect(try Self.parameters("continuation-token=").startAfter == [])
        #expect(try Self.parameters("").pageSize == 10_000)
    }

    @Test(arguments: [
        (
            "max-buckets=0",
            "InvalidArgument | Argument max-buckets must be an integer between 1 and 10000 | ArgumentName=max-buckets | "
                + "ArgumentValue=0"
        ),
        (
            "max-buckets=x",
            "InvalidArgument | Provided max-buckets not an integer or within integer range | ArgumentName=max-buckets | "
                + "ArgumentValue=x"
        ),
        (
            "bucket-region=eu-east-1",
            "InvalidArgument | Argument value eu-east-1 is not a valid AWS Region | ArgumentName=bucket-region"
        ),
        (
            "bucket-region=us-west-1",
            "InvalidArgument | Requests with bucket-region specified must be made to the corresponding regional endpoint "
                + "| ArgumentName=bucket-region"
        ),
        (
            "continuation-token=x",
            "InvalidArgument | The continuation token provided is incorrect | ArgumentName=continuation-token"
        ),
    ])
    func `refuses its parameters in S3's words`(query: String, expected: String) {
        #expect(refusal { _ = try Self.parameters(query, server: "eu-west-1") } == expected)
    }
}
