import ShoalS3
import Testing

@Suite struct `The headers of a write` {
    /// The lines a GET would answer.
    private static func lines(_ fields: [String], _ line: String = "PUT /bucket/key") throws -> [String] {
        var bytes: [UInt8] = []
        let metadata = try ObjectHeaders(try requestFields(line, fields)).metadata
        try #require(ObjectMetadata(decoding: metadata.encode())).appendFieldLines(to: &bytes)
        return text(bytes).split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: [
        ([], ["Content-Type: binary/octet-stream"]), (["Content-Type: text/plain"], ["Content-Type: text/plain"]),
        (["Content-Type:"], ["Content-Type: binary/octet-stream"]),
        (
            [
                "expires: 0", "Content-Language: de", "content-encoding: gzip", "CONTENT-DISPOSITION: inline; f=\"é\"",
                "Cache-Control: no-cache", "Content-Type: image/png", "x-amz-website-redirect-location: /other",
            ],
            [
                "Content-Type: image/png", "Cache-Control: no-cache", "Content-Disposition: inline; f=\"é\"",
                "Content-Encoding: gzip", "Content-Language: de", "Expires: 0",
                "x-amz-website-redirect-location: /other",
            ]
        ),
        (["Content-Encoding: aws-chunked"], ["Content-Type: binary/octet-stream"]),
        (
            ["Content-Encoding: AWS-Chunked, gzip ,br"],
            ["Content-Type: binary/octet-stream", "Content-Encoding: gzip,br"]
        ),
        (["Content-Encoding: gzip, br"], ["Content-Type: binary/octet-stream", "Content-Encoding: gzip, br"]),
        (
            ["X-Amz-Meta-Colour: red", "x-amz-meta-b: 1", "x-amz-META-colour: blue", "x-amz-meta-empty:"],
            [
                "Content-Type: binary/octet-stream", "x-amz-meta-colour: red,blue", "x-amz-meta-b: 1",
                "x-amz-meta-empty: ",
            ]
        ),
    ])
    func `come back with the object`(fields: [String], expected: [String]) throws {
        #expect(try Self.lines(fields) == expected)
    }

    @Test(arguments: [
        ("plain", "plain"), ("=?UTF-8?Q?plain_words?=", "plain words"), ("=?utf-8?b?aGVsbG8=?=", "hello"),
        ("café", "=?UTF-8?Q?caf=C3=A9?="), ("=?UTF-8?Q?caf=c3=a9?=", "=?UTF-8?Q?caf=C3=A9?="),
        ("=?ISO-8859-1?Q?caf=E9?=", "=?UTF-8?Q?caf=C3=A9?="), ("пятница", "=?UTF-8?B?0L/Rj9GC0L3QuNGG0LA=?="),
        ("=?UTF-8?Q?a?= =?UTF-8?Q?b?= c =?UTF-8?Q?d?=", "ab c d"), ("=?UTF-8?Q?a=0D=0Ab?=", "=?UTF-8?Q?a=0D=0Ab?="),
        ("a_b é=?", "=?UTF-8?Q?a=5Fb_=C3=A9=3D=3F?="), ("=?KOI8-R?Q?a?=", "=?KOI8-R?Q?a?="),
        ("=?UTF-8?Q?a", "=?UTF-8?Q?a"),
        ("=?UTF-8?X?a?=", "=?UTF-8?X?a?="), ("=?UTF-8?Q?=zz?=", "=?UTF-8?Q?=zz?="),
        ("=?UTF-8?Q?=ff?=", "=?UTF-8?Q?=ff?="),
        ("=?=?UTF-8?Q?a?=", "=?a"), ("1=?2", "1=?2"),
        // Which of both is chosen is JavaMail's rule, in UTF-16 units.
        ("=?UTF-8?Q?=00=01=02=03?=", "=?UTF-8?B?AAECAw==?="), ("=?UTF-8?Q?ab=01?=", "=?UTF-8?Q?ab=01?="),
        ("ab👑", "=?UTF-8?B?YWLwn5GR?="), ("abc👑", "=?UTF-8?Q?abc=F0=9F=91=91?="), ("aé", "=?UTF-8?B?YcOp?="),
    ])
    func `carry metadata through the encoded words of RFC 2047`(sent: String, returned: String) throws {
        #expect(try Self.lines(["x-amz-meta-a: " + sent]).last == "x-amz-meta-a: " + returned)
    }

    @Test(
        arguments: [
            ("Cache-Control: a—é👑b", "Cache-Control: a \u{E9}  b"), ("x-amz-meta-a: =?UTF-8?B?YWJj?=", nil),
            ("x-amz-meta-a: =?UTF-8?Q?abc?=", nil), ("x-amz-meta-a: café", "x-amz-meta-a: =?UTF-8?Q?caf=C3=A9?="),
        ] as [(String, String?)])
    func `of a form are UTF-8, and become what a header can carry`(field: String, returned: String?) throws {
        var bytes: [UInt8] = []
        try ObjectHeaders(form: try requestFields("POST /bucket", [field])).metadata.appendFieldLines(to: &bytes)
        let lines = String(decoding: bytes.map { UInt16($0) }, as: UTF16.self).split(separator: "\r\n")
        #expect(lines.last.map(String.init) == returned ?? field)
    }

    @Test func `keep metadata as UTF-8 in the order of the request`() throws {
        let metadata = try ObjectHeaders(
            try requestFields("PUT /bucket/key?X-Amz-Meta-Zz=%C3%A9", ["x-amz-meta-b: 2", "X-AMZ-META-A: 1"])
        ).metadata
        #expect(metadata.userFields.map { text($0.name) + "=" + text($0.value) } == ["b=2", "a=1", "zz=é"])
    }

    @Test(arguments: [
        ("x-amz-storage-class: GLACIER_IR", "", StorageClass.glacierIR),
        ("X-Amz-Acl: private", "X-AMZ-STORAGE-CLASS=STANDARD_IA", .standardIA), ("Via: x", "", .standard),
    ])
    func `name a storage class, in the query too`(line: String, parameter: String, expected: StorageClass) throws {
        let headers = try ObjectHeaders(try requestFields("PUT /bucket/key?" + parameter, [line]))
        #expect(headers.storageClass == expected)
        var answer: [UInt8] = []
        headers.storageClass.appendFieldLine(to: &answer)
        #expect(text(answer) == (expected == .standard ? "" : "x-amz-storage-class: \(expected.rawValue)\r\n"))
    }

    @Test func `act from a query only where they are always headers or were signed`() throws {
        let line = "PUT /bucket/key?Content-Type=text%2Fhtml&x-amz-acl=private&Expires=99"
        #expect(try Self.lines([], line) == ["Content-Type: binary/octet-stream"])
        let signed = line + "&X-Amz-SignedHeaders=content-type%3Bexpires%3Bhost"
        #expect(try Self.lines([], signed) == ["Content-Type: text/html"])
        #expect(try ObjectHeaders(try requestFields(line)).acl == .private)
    }

    @Test(arguments: [
        (
            "", "x-amz-storage-class: OUTPOSTS",
            "InvalidStorageClass | The storage class you specified is not valid | StorageClassRequested=OUTPOSTS"
        ),
        (
            "", "x-amz-storage-class: standard",
            "InvalidStorageClass | The storage class you specified is not valid | StorageClassRequested=standard"
        ),
        ("", "x-amz-acl: everyone", "InvalidArgument |  | ArgumentName=x-amz-acl | ArgumentValue=everyone"),
        (
            "", "x-amz-website-redirect-location: ftp://x",
            "InvalidRedirectLocation | The website redirect location must have a prefix of 'http://' or 'https://' or '/'."
        ),
        (
            "x-amz-website-redirect-location=/a%0d%0aSet-Cookie:x", "Via: x",
            "InvalidArgument | Invalid header value | ArgumentName=x-amz-website-redirect-location | "
                + "ArgumentValue=/a\r\nSet-Cookie:x"
        ),
        (
            "x-amz-meta-a%0d%0ab=c", "Via: x",
            "InvalidArgument | Invalid header name | ArgumentName=x-amz-meta-a\r\nb | ArgumentValue=c"
        ),
        (
            "", "x-amz-meta-" + String(repeating: "n", count: 48) + ": " + String(repeating: "é", count: 1_001),
            "MetadataTooLarge | Your metadata headers exceed the maximum allowed metadata size | Size=2050 | "
                + "MaxSizeAllowed=2048"
        ),
        (
            "", "Via: " + String(repeating: "v", count: 9_000),
            "RequestHeaderSectionTooLarge | Your request header section exceeds the maximum allowed size. | "
                + "MaxSizeAllowed=8192"
        ),
    ])
    func `are refused in S3's words`(parameter: String, line: String, expected: String) throws {
        let fields = try requestFields("PUT /bucket/key?" + parameter, [line])
        #expect(refusal { _ = try ObjectHeaders(fields) } == expected)
    }

    @Test func `may hold exactly 2,048 bytes of metadata, and any number of cookies`() throws {
        let fields = try requestFields(
            "PUT /bucket/key",
            [
                "x-amz-meta-nn: " + String(repeating: "v", count: 2_046),
                "Cookie: " + String(repeating: "c", count: 9_000),
            ])
        #expect(try ObjectHeaders(fields).metadata.userFields.count == 1)
    }
}

@Suite struct `Tags in a header` {
    @Test(
        arguments: [
            ("", nil), ("a=1", ["a=1"]), ("a=1&b", ["a=1", "b="]), ("a%20b=c+d&e=%C3%A9", ["a b=c d", "e=é"]),
            ("x=%2B-=._:/@", ["x=+-=._:/@"]),
        ] as [(String, [String]?)])
    func `are read with form encoding`(header: String, expected: [String]?) throws {
        let tags = try ObjectHeaders(try requestFields("PUT /bucket/key", ["x-amz-tagging: " + header])).tags
        #expect(tags?.tags.map { $0.key + "=" + $0.value } == expected)
    }

    private static let notEncoded =
        "InvalidArgument | The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters "
        + "without tag name duplicates. | ArgumentName=x-amz-tagging | ArgumentValue="

    @Test(arguments: [
        ("a=1&a=2", notEncoded + "a=1&a=2"), ("=1", notEncoded + "=1"), ("a=%", notEncoded + "a=%"),
        ("a=%ff", notEncoded + "a=%ff"),
        ("aws:a=1", "InvalidTag | Your TagKey cannot be prefixed with aws: | TagKey=aws:a"),
        ("a!=1", notEncoded + "a!=1"), ("a=!", notEncoded + "a=!"), ("a=1,b=2", notEncoded + "a=1,b=2"),
        (
            String(repeating: "k", count: 129) + "=",
            "InvalidTag | The TagKey you have provided is invalid | TagKey=" + String(repeating: "k", count: 129)
        ),
        (
            "a=" + String(repeating: "v", count: 257),
            "InvalidTag | The TagValue you have provided is invalid | TagKey=a | TagValue="
                + String(repeating: "v", count: 257)
        ),
        ((0...10).map { "k\($0)=" }.joined(separator: "&"), "BadRequest | Object tags cannot be greater than 10"),
    ])
    func `are refused in S3's words`(header: String, expected: String) throws {
        let fields = try requestFields("PUT /bucket/key", ["x-amz-tagging: " + header])
        #expect(refusal { _ = try TagSet.named(in: fields) } == expected)
    }
}
