import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `Deleting many objects` {
    private static let malformed =
        "MalformedXML | The XML you provided was not well-formed or did not validate against our published schema"

    private static func body(_ content: String) -> [UInt8] { Array("<Delete>\(content)</Delete>".utf8) }

    private static func object(_ more: String) -> String { "<Object>\(more)</Object>" }

    @Test func `reads keys, versions, tags and whether to be quiet`() throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Quiet>true</Quiet>
              <Object><Key> a&amp;b/ </Key></Object>
              <Object><VersionId>v1</VersionId><Key>é</Key><ETag>&quot;abc&quot;</ETag></Object>
              <Object><Key>é</Key><VersionId/><ETag></ETag></Object>
            </Delete>
            """
        let request = try DeleteObjectsRequest(Array(document.utf8))
        #expect(request.isQuiet)
        #expect(
            request.items == [
                .init(key: ObjectKey(" a&b/ ".utf8)!),
                .init(key: ObjectKey("é".utf8)!, versionID: "v1", etag: ETag(unquoted: "abc")),
                .init(key: ObjectKey("é".utf8)!),
            ])
    }

    @Test(arguments: [
        ("", false), ("<Quiet>false</Quiet>", false), ("<Quiet>1</Quiet>", true), ("<Quiet>0</Quiet>", false),
    ])
    func `tells everything unless it is to be quiet`(quiet: String, expected: Bool) throws {
        #expect(try DeleteObjectsRequest(Self.body(quiet + Self.object("<Key>a</Key>"))).isQuiet == expected)
    }

    @Test(
        arguments: [
            ([], "MissingRequestBodyError | Request Body is empty"), (Array("x".utf8), malformed),
            (body(""), malformed),
            (body("<Quiet>true</Quiet>"), malformed), (body(object("")), malformed),
            (body(object("<Key>a</Key><Key>b</Key>")), malformed), (body(object("<Key><b/></Key>")), malformed),
            (body(object("<Key>a</Key><VersionId>1</VersionId><VersionId>2</VersionId>")), malformed),
            (body(object("<Key>a</Key><ETag>1</ETag><ETag>2</ETag>")), malformed),
            (body(object("<Key>a</Key><Size>1</Size>")), malformed),
            (body(object("<Key>a</Key><LastModifiedTime>x</LastModifiedTime>")), malformed),
            (body("<Quiet>true</Quiet><Quiet>true</Quiet>" + object("<Key>a</Key>")), malformed),
            (body("<Quiet>yes</Quiet>" + object("<Key>a</Key>")), malformed),
            (body("<Quiet/>" + object("<Key>a</Key>")), malformed),
            (body(object("<Key>a</Key>") + "<Thing/>"), malformed), (body("text" + object("<Key>a</Key>")), malformed),
            (body(object("<Key/>")), "UserKeyMustBeSpecified | User key must be specified."),
            (
                body(object("<Key>\(String(repeating: "k", count: 1_025))</Key>")),
                "KeyTooLongError | Your key is too long | Size=1025 | MaxSizeAllowed=1024"
            ),
            (body(String(repeating: object("<Key>a</Key>"), count: 1_001)), malformed),
        ] as [([UInt8], String)])
    func `is refused in S3's words`(body: [UInt8], expected: String) {
        #expect(refusal { _ = try DeleteObjectsRequest(body) } == expected)
    }

    @Test func `takes 1,000 objects`() throws {
        let body = Self.body(String(repeating: Self.object("<Key>a</Key>"), count: 1_000))
        #expect(try DeleteObjectsRequest(body).items.count == 1_000)
    }

    @Test(
        arguments: [
            ([], "InvalidRequest | Missing required header for this request: Content-MD5 OR x-amz-checksum-*"),
            (["Content-MD5: JfnnlDI7RTiF9RgfG2JNCw=="], nil), (["x-amz-checksum-crc32: y/Q5Jg=="], nil),
            (["x-amz-trailer: x-amz-checksum-crc32"], nil),
        ] as [([String], String?)])
    func `needs a digest of the list`(lines: [String], expected: String?) throws {
        let expectation = try ChecksumExpectation(try requestHead("POST /bucket?delete", lines))
        #expect(refusal { try DeleteObjectsRequest.checkIntegrity(expectation) } == expected)
    }

    private static let deleted: [DeleteResult.Deleted] = [
        .init(key: ObjectKey("a/<&>\"'.txt".utf8)!),
        .init(key: ObjectKey("b".utf8)!, isDeleteMarker: true, deleteMarkerVersionID: "v1"),
        .init(key: ObjectKey("b".utf8)!, versionID: "v2", isDeleteMarker: true, deleteMarkerVersionID: "v2"),
    ]
    private static let failures: [DeleteResult.Failure] = [
        .init(key: ObjectKey("c".utf8)!, versionID: "v3", error: S3Error(.noSuchVersion)),
        .init(key: ObjectKey("d".utf8)!, error: .preconditionFailed("If-Match")),
    ]

    @Test(arguments: [(false, "delete-result"), (true, "delete-result-quiet")])
    func `is answered object by object`(isQuiet: Bool, golden: String) throws {
        let result = DeleteResult(isQuiet: isQuiet, deleted: Self.deleted, failures: Self.failures)
        #expect(text(result.document) == (try goldenXML(golden)))
    }

    @Test func `is answered with nothing if all went well and quietly`() throws {
        let result = DeleteResult(isQuiet: true, deleted: Self.deleted, failures: [])
        #expect(text(result.document) == (try goldenXML("delete-result-empty")))
    }

    @Test func `ends in a value or an S3Error for random pieces`() {
        var random = SeededGenerator(seed: 77)
        let pieces = [
            "<Object>", "</Object>", "<Key>", "</Key>", "<Key>a</Key>", "<VersionId>v</VersionId>", "<ETag>\"</ETag>",
            "<Quiet>true</Quiet>", "é", "&#1;", "&amp;", "\0", " ",
        ]
        for _ in 0..<3_000 {
            let content = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            guard let request = try? DeleteObjectsRequest(Self.body(content.joined())) else { continue }
            #expect(!request.items.isEmpty)
        }
    }
}
