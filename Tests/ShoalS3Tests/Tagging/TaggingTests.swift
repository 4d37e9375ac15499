import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A tagging document` {
    private static let malformed =
        "MalformedXML | The XML you provided was not well-formed or did not validate against our published schema"

    private static func body(_ content: String) -> [UInt8] { Array("<Tagging>\(content)</Tagging>".utf8) }

    private static func set(_ tags: (key: String, value: String)...) -> [UInt8] {
        body("<TagSet>" + tags.map { tag($0.key, $0.value) }.joined() + "</TagSet>")
    }

    private static func tag(_ key: String, _ value: String) -> String {
        "<Tag><Key>\(key)</Key><Value>\(value)</Value></Tag>"
    }

    @Test(arguments: ["tagging", "tagging-empty"])
    func `is read as it was written`(golden: String) throws {
        let document = try goldenXML(golden)
        let tagging = try Tagging(Array(document.utf8), of: .object)
        #expect(text(tagging.document) == document)
        #expect(tagging.tags.tags.count == (golden == "tagging" ? 2 : 0))
    }

    private static func many(_ count: Int) -> [UInt8] {
        body("<TagSet>" + (0..<count).map { tag("k\($0)", "v") }.joined() + "</TagSet>")
    }

    @Test(
        arguments: [
            ([], .object, "MissingRequestBodyError | Request Body is empty"), (body(""), .object, nil),
            (body("<TagSet/><TagSet/>"), .object, malformed),
            (body("<TagSet><Key>a</Key></TagSet>"), .bucket, malformed),
            (body("<TagSet><Tag><Key>a</Key></Tag></TagSet>"), .object, malformed),
            (body("<TagSet><Tag><Value>a</Value></Tag></TagSet>"), .object, malformed),
            (Array("<TagSet/>".utf8), .object, malformed), (body("<TagSet>x</TagSet>"), .object, malformed),
            (
                set(("a", "1"), ("a", "2")), .object,
                "InvalidTag | Cannot provide multiple Tags with the same key | TagKey=a"
            ),
            (set(("", "1")), .object, "InvalidTag | The TagKey you have provided is invalid | TagKey="),
            (
                set(("a", "?")), .bucket,
                "InvalidTag | The TagValue you have provided is invalid | TagKey=a | TagValue=?"
            ),
            (set(("aws:a", "")), .object, "InvalidTag | Your TagKey cannot be prefixed with aws: | TagKey=aws:a"),
            (
                set(("AWS:a", "")), .bucket,
                "InvalidTag | System tags cannot be added/updated by requester | TagKey=AWS:a"
            ),
            (many(11), .object, "BadRequest | Object tags cannot be greater than 10"),
            (many(51), .bucket, "BadRequest | Bucket tag count cannot be greater than 50"), (many(10), .object, nil),
            (many(50), .bucket, nil),
        ] as [([UInt8], TagSet.Owner, String?)])
    func `is judged by whose tags they are`(body: [UInt8], owner: TagSet.Owner, expected: String?) {
        #expect(refusal { _ = try Tagging(body, of: owner) } == expected)
    }

    @Test func `ends in a value or an S3Error for random pieces`() throws {
        var random = SeededGenerator(seed: 78)
        let pieces = [
            "<TagSet>", "</TagSet>", "<Tag>", "</Tag>", "<Key>a</Key>", "<Value>b</Value>", "<Key/>", "é", "&lt;", "\0",
            " ",
        ]
        for _ in 0..<3_000 {
            let content = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            guard let tagging = try? Tagging(Self.body(content.joined()), of: .bucket) else { continue }
            #expect(try Tagging(tagging.document, of: .bucket) == tagging)
        }
    }
}
