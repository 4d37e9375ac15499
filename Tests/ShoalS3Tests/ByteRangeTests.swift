import ShoalS3
import Testing

@Suite struct `A byte range` {
    private static let md5OfNothing = ETag(unquoted: "d41d8cd98f00b204e9800998ecf8427e")
    private static let modified = Timestamp(milliseconds: 1_700_049_760_987)

    private static func selection(
        _ lines: [String], of size: UInt64 = 10, query: String = ""
    ) throws -> Range<UInt64>? {
        try ByteRange.selection(
            try requestFields("GET /bucket/key" + query, lines), of: size, etag: md5OfNothing, lastModified: modified)
    }

    @Test(
        arguments: [
            ("bytes=0-8", 0..<9), ("bytes=-2", 8..<10), ("bytes=5-", 5..<10), ("bytes=0-100", 0..<10),
            ("bytes=-15", 0..<10),
            ("bytes=9-9", 9..<10), ("BYTES=0-0", 0..<1), ("bytes=00-01", 0..<2),
            ("bytes=0-99999999999999999999999", 0..<10),
            ("bytes=-99999999999999999999999", 0..<10),
        ] as [(String, Range<UInt64>)])
    func `selects the bytes RFC 9110 says it does`(header: String, expected: Range<UInt64>) throws {
        #expect(try Self.selection(["Range: " + header]) == expected)
    }

    @Test(arguments: [
        "bytes=1-0", "bytes=-1-", "bytes=0--1", "bytes=0-1,3-4", "bits=0-1", "bytes=-", "bytes=", "bytes", "bytes=a-b",
        "bytes=0-1 ,", "bytes= 0-1", "bytes=0", "bytes=0x0-0x1", "bytes=99999999999999999999-1",
    ])
    func `is ignored where S3 takes it for none`(header: String) throws {
        #expect(try Self.selection(["Range: " + header]) == nil)
    }

    @Test(
        arguments: [
            ("bytes=10-", 10), ("bytes=-0", 10), ("bytes=10-11", 10), ("bytes=0-0", 0), ("bytes=0-", 0),
            ("bytes=-1", 0),
            ("bytes=99999999999999999999-", 10),
        ] as [(String, UInt64)])
    func `is refused where it selects nothing`(header: String, size: UInt64) {
        #expect(
            refusal { _ = try Self.selection(["Range: " + header], of: size) }
                == "InvalidRange | The requested range is not satisfiable | RangeRequested=\(header) | "
                + "ActualObjectSize=\(size)")
    }

    @Test(arguments: [
        ("\"d41d8cd98f00b204e9800998ecf8427e\"", true), ("d41d8cd98f00b204e9800998ecf8427e", true),
        ("\"other\"", false),
        ("Wed, 15 Nov 2023 12:02:40 GMT", true), ("Wed, 15 Nov 2023 12:02:41 GMT", false),
        ("Wed, 15 Nov 2023 12:02:39 GMT", false), ("yesterday", false),
    ])
    func `applies only if If-Range names the object as it is`(condition: String, applies: Bool) throws {
        let range = try Self.selection(["Range: bytes=0-0", "If-Range: " + condition])
        #expect(range == (applies ? 0..<1 : nil))
        // Where it does not apply, a range that cannot be satisfied is no error either.
        #expect((refusal { _ = try Self.selection(["Range: bytes=99-", "If-Range: " + condition]) } == nil) != applies)
    }

    @Test func `may not stand beside a part number`() {
        #expect(
            refusal { _ = try Self.selection(["Range: bytes=0-0"], query: "?partNumber=1") }
                == "InvalidRequest | Cannot specify both Range header and partNumber query parameter")
    }

    @Test(
        arguments: [
            ("1", 1), ("10000", 10_000), ("0", nil), ("10001", nil), ("-1", nil), ("", nil), ("x", nil),
        ] as [(String, Int?)])
    func `has its counterpart in part numbers from 1 to 10,000`(text: String, value: Int?) throws {
        let query = try requestFields("GET /bucket/key?partNumber=" + text).query
        if let value {
            #expect(try PartNumber.named(in: query)?.value == value)
        } else {
            #expect(
                refusal { _ = try PartNumber.named(in: query) }
                    == "InvalidArgument | Part number must be an integer between 1 and 10000, inclusive | "
                    + "ArgumentName=partNumber | ArgumentValue=\(text)")
        }
    }
}
