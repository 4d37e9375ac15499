import ShoalS3
import Testing

@Suite struct `A conditional read` {
    private static let etag = ETag(unquoted: "abc")
    private static let modified = Timestamp(httpDate: "Wed, 15 Nov 2023 12:02:40 GMT")!.adding(milliseconds: 999)
    private static let now = Timestamp(httpDate: "Fri, 17 Nov 2023 00:00:00 GMT")!
    private static let before = "Wed, 15 Nov 2023 12:02:39 GMT"
    private static let same = "Wed, 15 Nov 2023 12:02:40 GMT"
    private static let after = "2023-11-16T00:00:00Z"
    private static let future = "Sat, 18 Nov 2023 00:00:00 GMT"

    @Test(
        arguments: [
            ([], .proceed), (["If-Match: \"abc\""], .proceed), (["If-Match: abc"], .proceed),
            (["If-Match: *"], .proceed),
            (["If-Match: \"x\", W/\"abc\" , \"y\""], .proceed), (["If-Match: \"x\"", "If-Match: \"abc\""], .proceed),
            (["If-Match: \"x\""], .failed("If-Match")), (["If-Match: ABC"], .failed("If-Match")),
            (["If-Match: \"abc\"", "If-Unmodified-Since: " + before], .proceed),
            (["If-Match: \"x\"", "If-Unmodified-Since: " + after], .failed("If-Match")),
            (["If-Unmodified-Since: " + before], .failed("If-Unmodified-Since")),
            (["If-Unmodified-Since: " + same], .proceed), (["If-Unmodified-Since: " + future], .proceed),
            (["If-Unmodified-Since: soon"], .proceed), (["If-None-Match: \"x\""], .proceed),
            (["If-None-Match: \"x\",abc"], .notModified("If-None-Match")),
            (["If-None-Match: *"], .notModified("If-None-Match")),
            (["If-None-Match: \"x\"", "If-Modified-Since: " + same], .proceed),
            (["If-None-Match: \"abc\"", "If-Modified-Since: " + before], .notModified("If-None-Match")),
            (["If-Modified-Since: " + before], .proceed),
            (["If-Modified-Since: " + same], .notModified("If-Modified-Since")),
            (["If-Modified-Since: " + after], .notModified("If-Modified-Since")),
            (["If-Modified-Since: " + future], .proceed),
            (["If-Match: \"abc\"", "If-None-Match: \"abc\""], .notModified("If-None-Match")),
            (["If-Unmodified-Since: " + before, "If-None-Match: \"abc\""], .failed("If-Unmodified-Since")),
        ] as [([String], ReadConditions.Verdict)])
    func `is judged in the order of S3`(lines: [String], expected: ReadConditions.Verdict) throws {
        let conditions = ReadConditions(try requestFields("GET /bucket/key", lines))
        #expect(conditions.verdict(etag: Self.etag, lastModified: Self.modified, now: Self.now) == expected)
    }

    @Test func `is read from the query of a presigned URL too`() throws {
        let conditions = ReadConditions(try requestFields("GET /bucket/key?if-match=%22x%22"))
        #expect(conditions.verdict(etag: Self.etag, lastModified: Self.modified, now: Self.now) == .failed("If-Match"))
    }

    @Test(
        arguments: [
            ("x-amz-copy-source-if-match: \"x\"", "x-amz-copy-source-If-Match"),
            ("x-amz-copy-source-if-none-match: \"abc\"", "x-amz-copy-source-If-None-Match"),
            ("x-amz-copy-source-if-unmodified-since: " + before, "x-amz-copy-source-If-Unmodified-Since"),
            ("x-amz-copy-source-if-modified-since: " + same, "x-amz-copy-source-If-Modified-Since"),
            ("If-Match: \"x\"", nil), ("x-amz-copy-source-if-match: \"abc\"", nil),
        ] as [(String, String?)])
    func `fails with a 412 for the source of a copy`(line: String, condition: String?) throws {
        let conditions = CopyConditions(try requestFields("PUT /bucket/key", [line]))
        let outcome = refusal {
            try conditions.check(etag: Self.etag, lastModified: Self.modified, now: Self.now)
        }
        let message = "PreconditionFailed | At least one of the pre-conditions you specified did not hold | Condition="
        #expect(outcome == condition.map { message + $0 })
    }
}

@Suite struct `A conditional write` {
    private static let key = ObjectKey("key".utf8)!
    private static let current = ETag(unquoted: "abc")
    private static let notHeld = "PreconditionFailed | At least one of the pre-conditions you specified did not hold | "
    private static let notTaken =
        "NotImplemented | A header you provided implies functionality that is not implemented | "

    @Test(
        arguments: [
            ([], true, nil), ([], false, nil), (["If-None-Match: *"], false, nil),
            (["If-None-Match: *"], true, notHeld + "Condition=If-None-Match"), (["If-Match: \"abc\""], true, nil),
            (["If-Match: abc"], true, nil), (["If-Match: abc\""], true, nil), (["If-Match: \"abc"], true, nil),
            (["If-Match: \"x\""], true, notHeld + "Condition=If-Match"),
            (["If-Match: \"abc\""], false, "NoSuchKey | The specified key does not exist. | Key=key"),
        ] as [([String], Bool, String?)])
    func `is judged against the object that is there`(lines: [String], exists: Bool, expected: String?) throws {
        let condition = try WriteCondition(try requestFields("PUT /bucket/key", lines))
        #expect(refusal { try condition.check(current: exists ? Self.current : nil, key: Self.key) } == expected)
    }

    @Test(arguments: [
        (
            ["If-None-Match: \"abc\""],
            notTaken + "Header=If-None-Match | "
                + "additionalMessage=We don't accept the provided value of If-None-Match header for this API"
        ),
        (
            ["If-Match: *"],
            notTaken + "Header=If-Match | "
                + "additionalMessage=We don't accept the provided value of If-Match header for this API"
        ),
        (
            ["If-Match: \"abc\"", "If-None-Match: *"],
            notTaken + "Header=If-Match,If-None-Match | "
                + "additionalMessage=Multiple conditional request headers present in the request"
        ),
    ])
    func `is not implemented for what S3 does not take`(lines: [String], expected: String) throws {
        let fields = try requestFields("PUT /bucket/key", lines)
        #expect(refusal { _ = try WriteCondition(fields) } == expected)
    }

    @Test func `acts from the query of a presigned URL like a header`() throws {
        let fields = try requestFields("PUT /bucket/key?If-None-Match=*&X-Amz-SignedHeaders=host")
        #expect(try WriteCondition(fields) == .absent)
    }
}
