import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `The source of a copy` {
    private static func source(_ header: String) throws -> CopySource {
        try CopySource.named(in: try requestFields("PUT /bucket/key", ["x-amz-copy-source: " + header]))
    }

    @Test(
        arguments: [
            ("/photos/a.jpg", "photos", "a.jpg", nil), ("photos/a.jpg", "photos", "a.jpg", nil),
            ("photos/a/b//c", "photos", "a/b//c", nil), ("/photos//x", "photos", "/x", nil),
            ("photos%2Fa%2fb", "photos", "a/b", nil), ("%2Fphotos%2Fa", "photos", "a", nil),
            ("photos/a+b%2Bc%20d", "photos", "a b+c d", nil), ("photos/é%C3%A9", "photos", "éé", nil),
            ("photos/a?versionId=v.1_", "photos", "a", "v.1_"), ("photos/a?versionId=null", "photos", "a", "null"),
            ("photos/a?versionId=x?versionId=y%2B", "photos", "a?versionId=x", "y+"),
            ("photos/a%3FversionId=x", "photos", "a?versionId=x", nil),
            ("photos/a?b", "photos", "a?b", nil),
            ("http://127.0.0.1:9000/photos/a/b", "photos", "a/b", nil),
            ("HTTPS://s3.eu-west-1.amazonaws.com/photos/a%20b?versionId=v", "photos", "a b", "v"),
        ] as [(String, String, String, String?)])
    func `is decoded once`(header: String, bucket: String, key: String, version: String?) throws {
        let source = try Self.source(header)
        #expect(source.path == ObjectPath(bucket: BucketName(bucket)!, key: ObjectKey(key.utf8)!))
        #expect(source.versionID == version)
    }

    private static let bucketName = "InvalidArgument | Invalid copy source bucket name | "
    private static let objectKey = "InvalidArgument | Invalid copy source object key | "
    private static let encoding = "InvalidArgument | Invalid copy source encoding | "

    @Test(arguments: [
        ("", bucketName), ("/", bucketName), ("Photos/a", bucketName), ("//a", bucketName), ("a/b", bucketName),
        ("http://photos", bucketName), ("http://host/", bucketName), ("ftp://host/photos/a", bucketName),
        ("photos", objectKey), ("photos/", objectKey), ("/photos/", objectKey), ("photos?versionId=x", objectKey),
        ("photos/" + String(repeating: "k", count: 1_025), objectKey), ("photos/%", encoding), ("photos/%4", encoding),
        ("photos/%zz", encoding), ("photos/%FF", encoding), ("%FF/a", encoding), ("photos/a?versionId=%", encoding),
    ])
    func `is refused in S3's words`(header: String, expected: String) {
        #expect(
            refusal { _ = try Self.source(header) }
                == expected + "ArgumentName=x-amz-copy-source | ArgumentValue=x-amz-copy-source")
    }

    @Test func `is refused without a version where one is announced, and if it is absent`() throws {
        #expect(
            refusal { _ = try Self.source("photos/a?versionId=") }
                == "InvalidArgument | Version id cannot be the empty string | ArgumentName=versionId | ArgumentValue=")
        let fields = try requestFields()
        #expect(refusal { _ = try CopySource.named(in: fields) }?.hasPrefix(Self.bucketName) == true)
    }

    @Test func `is limited to 5 GiB and is no delete marker`() {
        #expect(refusal { try CopySource.check(byteCount: 5_368_709_120) } == nil)
        #expect(
            refusal { try CopySource.check(byteCount: 5_368_709_121) }
                == "InvalidRequest | The specified copy source is larger than the maximum allowable size for a copy source: "
                + "5368709120")
        #expect(
            summary(CopySource.isDeleteMarker)
                == "InvalidRequest | The source of a copy request may not specifically refer to a delete marker by version "
                + "id.")
    }

    private static let form =
        "InvalidArgument | The x-amz-copy-source-range value must be of the form bytes=first-last where first and last "
        + "are the zero-based offsets of the first and last bytes to copy | "

    @Test(
        arguments: [
            ("bytes=0-9", 0..<10), ("bytes=3-3", 3..<4), ("bytes=0009-9", 9..<10),
        ] as [(String, Range<UInt64>)])
    func `may be a range of it`(header: String, expected: Range<UInt64>) throws {
        let fields = try requestFields("PUT /b/k", ["x-amz-copy-source-range: " + header])
        #expect(try CopySourceRange.named(in: fields, ofSize: 10) == expected)
        #expect(try CopySourceRange.named(in: try requestFields(), ofSize: 10) == nil)
    }

    @Test(arguments: [
        ("bytes=0-", form), ("bytes=-5", form), ("bytes=5-4", form), ("bytes=0-1,3-4", form), ("Bytes=0-1", form),
        ("0-1", form), ("bytes=0-1 x", form), ("bytes= 0-1", form), ("bytes=a-b", form), ("", form),
        ("bytes=+0-1", form),
        ("bytes=0-10", "InvalidArgument | Range specified is not valid for source object of size: 10 | "),
        (
            "bytes=9-99999999999999999999",
            "InvalidArgument | Range specified is not valid for source object of size: 10 | "
        ),
    ])
    func `has a range of its own form`(header: String, expected: String) throws {
        let fields = try requestFields("PUT /b/k", ["x-amz-copy-source-range: " + header])
        #expect(
            refusal { _ = try CopySourceRange.named(in: fields, ofSize: 10) }
                == expected + "ArgumentName=x-amz-copy-source-range | ArgumentValue=" + header)
    }

    @Test(arguments: [("bytes=10-12", 10), ("bytes=100-200", 10), ("bytes=0-0", 0)] as [(String, UInt64)])
    func `has no range that begins behind it`(header: String, size: UInt64) throws {
        let fields = try requestFields("PUT /b/k", ["x-amz-copy-source-range: " + header])
        #expect(
            refusal { _ = try CopySourceRange.named(in: fields, ofSize: size) }
                == "InvalidRequest | The specified copy range is invalid for the source object size")
    }

    @Test func `ends in a value or an S3Error for random headers`() throws {
        var random = SeededGenerator(seed: 31)
        let pieces = [
            "/", "photos", "a", "%2F", "%", "%C3", "%A9", "+", "?", "?versionId=", "é", "bytes=", "0", "-", "9",
            "99999999999999999999", ",", " ",
        ]
        for _ in 0..<3_000 {
            let value = (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let fields = try requestFields(
                "PUT /b/k", ["x-amz-copy-source: " + value, "x-amz-copy-source-range: " + value])
            _ = try? CopySource.named(in: fields)
            for size: UInt64 in [0, 10, .max] {
                if let range = try? CopySourceRange.named(in: fields, ofSize: size) {
                    #expect(!range.isEmpty && range.upperBound <= size)
                }
            }
        }
    }
}
