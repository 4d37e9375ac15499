import ShoalS3
import Testing

@Suite struct `A CORS configuration` {
    private static let rules = CORSConfiguration(rules: [
        CORSRule(
            allowedOrigins: ["https://app.example"], allowedMethods: ["PUT", "GET"],
            allowedHeaders: ["Content-*", "x-amz-date"], exposeHeaders: ["ETag", "x-custom"], maxAgeSeconds: 60),
        CORSRule(allowedOrigins: ["http://*.example:8080"], allowedMethods: ["GET"]),
        CORSRule(allowedOrigins: ["*"], allowedMethods: ["DELETE"], allowedHeaders: ["*"]),
    ])

    private static let vary = "Vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method"

    private static func preflight(_ lines: [String], _ bucket: CORSRequest.Bucket) throws -> [String] {
        try CORSRequest(preflight: try requestHead("OPTIONS /bucket/key", lines))
            .preflightFields(bucket, isObject: true).map { $0.name + ": " + $0.value }
    }

    @Test func `answers a preflight with what its rule allows`() throws {
        let lines = [
            "Origin: https://app.example", "Access-Control-Request-Method: PUT",
            "Access-Control-Request-Headers: Content-Type,  X-Amz-Date",
        ]
        #expect(
            try Self.preflight(lines, .configured(Self.rules)) == [
                "Access-Control-Allow-Origin: https://app.example", "Access-Control-Allow-Methods: PUT, GET",
                "Access-Control-Allow-Headers: content-type, x-amz-date",
                "Access-Control-Expose-Headers: ETag, x-custom", "Access-Control-Max-Age: 60",
                "Access-Control-Allow-Credentials: true", Self.vary,
            ])
    }

    @Test func `answers any origin without credentials`() throws {
        let lines = ["Origin: null", "Access-Control-Request-Method: DELETE"]
        #expect(
            try Self.preflight(lines, .configured(Self.rules))
                == ["Access-Control-Allow-Origin: *", "Access-Control-Allow-Methods: DELETE", Self.vary])
    }

    @Test func `lets a browser PUT to a new bucket`() throws {
        let lines = [
            "Origin: http://localhost:5173", "Access-Control-Request-Method: PUT",
            "Access-Control-Request-Headers: content-type,x-amz-meta-a",
        ]
        #expect(
            try Self.preflight(lines, .configured(.permissive)) == [
                "Access-Control-Allow-Origin: *", "Access-Control-Allow-Methods: GET, PUT, POST, DELETE, HEAD",
                "Access-Control-Allow-Headers: content-type, x-amz-meta-a",
                "Access-Control-Expose-Headers: ETag, x-amz-request-id, x-amz-id-2, x-amz-version-id, "
                    + "x-amz-checksum-type, x-amz-checksum-crc32, x-amz-checksum-crc32c, x-amz-checksum-crc64nvme, "
                    + "x-amz-checksum-sha1, x-amz-checksum-sha256",
                "Access-Control-Max-Age: 3000", Self.vary,
            ])
    }

    private static let notAllowed =
        "AccessForbidden | CORSResponse: This CORS request is not allowed. This is usually because the evalution of "
        + "Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted "
        + "by the resource's CORS spec. | Method="

    @Test(arguments: [
        (
            ["Access-Control-Request-Method: PUT"],
            "BadRequest | Insufficient information. Origin request header needed."
        ),
        (["Origin:"], "BadRequest | Insufficient information. Origin request header needed."),
        (
            ["Origin: x", "Access-Control-Request-Method: put"],
            "BadRequest | Invalid Access-Control-Request-Method: put"
        ),
        (["Origin: x"], "BadRequest | Invalid Access-Control-Request-Method: "),
        (["Origin: x", "Access-Control-Request-Method: GET"], notAllowed + "GET | ResourceType=OBJECT"),
        (
            ["Origin: HTTPS://app.example", "Access-Control-Request-Method: PUT"],
            notAllowed + "PUT | ResourceType=OBJECT"
        ),
        (
            [
                "Origin: https://app.example", "Access-Control-Request-Method: PUT",
                "Access-Control-Request-Headers: content-type, x-other",
            ], notAllowed + "PUT | ResourceType=OBJECT"
        ),
        (["Origin: x", "Access-Control-Request-Method: PATCH"], notAllowed + "PATCH | ResourceType=OBJECT"),
    ])
    func `refuses a preflight in S3's words`(lines: [String], expected: String) {
        #expect(refusal { _ = try Self.preflight(lines, .configured(Self.rules)) } == expected)
    }

    @Test func `refuses a preflight to a bucket that is absent or has none`() {
        let lines = ["Origin: x", "Access-Control-Request-Method: PUT"]
        #expect(
            refusal { _ = try Self.preflight(lines, .absent) }
                == "AccessForbidden | CORSResponse: Bucket not found | Method=PUT | ResourceType=BUCKET")
        #expect(
            refusal { _ = try Self.preflight(lines, .withoutConfiguration) }
                == "AccessForbidden | CORSResponse: CORS is not enabled for this bucket. | Method=PUT | "
                + "ResourceType=BUCKET")
    }

    @Test func `names the preflight itself where it asks for no method`() {
        #expect(
            refusal { _ = try Self.preflight(["Origin: x"], .absent) }
                == "AccessForbidden | CORSResponse: Bucket not found | Method=OPTIONS | ResourceType=BUCKET")
        #expect(
            refusal { _ = try Self.preflight(["Origin: x"], .withoutConfiguration) }
                == "AccessForbidden | CORSResponse: CORS is not enabled for this bucket. | Method=OPTIONS | "
                + "ResourceType=BUCKET")
    }

    @Test(arguments: [
        (["Access-Control-Request-Method: PUT"], true), (["Access-Control-Request-Method: DELETE"], false),
        (["Access-Control-Request-Headers: x-amz-date"], true),
        (["Access-Control-Request-Headers: x-amz-date, x-other"], false),
    ])
    func `looks at what an actual request asks for like a preflight`(lines: [String], matches: Bool) throws {
        let head = try requestHead("GET /bucket/key", ["Origin: https://app.example"] + lines)
        let fields = try #require(CORSRequest(actual: head)).actualFields(
            CORSConfiguration(rules: [Self.rules.rules[0]]))
        #expect(fields.isEmpty != matches)
    }

    @Test(arguments: [
        ("GET", "http://a.example:8080", true), ("GET", "http://a.b.example:8080", true),
        ("GET", "http://example:8080", false), ("PUT", "http://a.example:8080", false), ("DELETE", "anything", true),
        ("HEAD", "https://app.example", false),
    ])
    func `marks an actual request only if a rule matches`(method: String, origin: String, matches: Bool) throws {
        let request = try #require(CORSRequest(actual: try requestHead(method + " /bucket/key", ["Origin: " + origin])))
        #expect(request.actualFields(Self.rules).isEmpty != matches)
    }

    @Test func `leaves alone a request without an origin`() throws {
        #expect(CORSRequest(actual: try requestHead("GET /bucket/key")) == nil)
    }
}
