import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `Stored metadata` {
    private static func sample() -> ObjectMetadata {
        var builder = ObjectMetadata.Builder()
        builder.set(.contentType, Array("text/css".utf8)[...])
        builder.set(.cacheControl, Array("max-age=60".utf8)[...])
        builder.set(.expires, Array("0".utf8)[...])
        builder.set(.websiteRedirectLocation, Array("/x".utf8)[...])
        builder.addUserField(Array("a".utf8)[...], Array(repeating: UInt8(ascii: "v"), count: 300)[...])
        return builder.build()
    }

    @Test func `is read back from its stored form`() throws {
        let metadata = try #require(ObjectMetadata(decoding: Self.sample().encode()))
        #expect(metadata == Self.sample())
        #expect(metadata.value(of: .contentType).map(text) == "text/css")
        #expect(metadata.value(of: .contentLanguage) == nil)
        #expect(metadata.userFields.map { $0.value.count } == [300])
    }

    /// A change here is a change of what databases hold: raise the version and read both.
    @Test func `has a stored form that does not change`() {
        #expect(ObjectMetadata().encode() == [1])
        #expect(Array(Self.sample().encode().prefix(11)) == [1, 1, 8] + Array("text/css".utf8))
        #expect(Array(Self.sample().encode()[30..<35]) == [64, 1, 0xAC, 2, UInt8(ascii: "a")])
    }

    @Test(
        arguments: [
            [], [2], [0], [1, 9, 0], [1, 1], [1, 1, 5, 0], [1, 1, 0x80], [1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            [1, 64, 1],
            [1, 64, 1, 1, 0],
        ] as [[UInt8]])
    func `is nil if it is damaged or of another version`(bytes: [UInt8]) {
        #expect(ObjectMetadata(decoding: bytes) == nil)
    }

    @Test func `survives random bytes`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes: [UInt8] =
                [1]
                + (0..<count).map { _ in
                    [1, 2, 64, 0, 3, 0x80, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random)!
                }
            guard let metadata = ObjectMetadata(decoding: bytes) else { continue }
            #expect(metadata.encode() == bytes)
            var lines: [UInt8] = []
            metadata.appendFieldLines(to: &lines)
            #expect(metadata.setting(.contentType, to: nil).value(of: .contentType) == nil)
        }
    }

    @Test func `leaves the redirect behind when it is copied`() {
        let copy = Self.sample().setting(.websiteRedirectLocation, to: nil)
        #expect(copy.value(of: .websiteRedirectLocation) == nil)
        #expect(copy.value(of: .contentType).map(text) == "text/css")
        #expect(copy.userFields.count == 1)
    }

    @Test func `repeats in a 304 what a cache needs`() {
        var lines: [UInt8] = []
        Self.sample().appendNotModifiedFieldLines(to: &lines)
        #expect(text(lines) == "Cache-Control: max-age=60\r\nExpires: 0\r\n")
    }
}

@Suite struct `Response overrides` {
    private static func lines(_ query: String) throws -> String {
        let parameters = try requestFields("GET /bucket/key?" + query).query
        var builder = ObjectMetadata.Builder()
        builder.set(.contentType, Array("text/css".utf8)[...])
        builder.set(.contentLanguage, Array("de".utf8)[...])
        var lines: [UInt8] = []
        builder.build().appendFieldLines(
            to: &lines, overrides: try ResponseOverrides(parameters, isAnonymous: false))
        return String(decoding: lines.map { UInt16($0) }, as: UTF16.self)
    }

    @Test(arguments: [
        ("x=y", "Content-Type: text/css\r\nContent-Language: de\r\n"),
        (
            "response-content-type=image%2Fpng&response-content-type=b",
            "Content-Language: de\r\nContent-Type: image/png\r\n"
        ),
        (
            "response-cache-control=a&response-content-disposition=b%20c&response-content-encoding=d"
                + "&response-content-language=e&response-expires=f&response-content-type=g",
            "Cache-Control: a\r\nContent-Disposition: b c\r\nContent-Encoding: d\r\nContent-Language: e\r\nExpires: f"
                + "\r\nContent-Type: g\r\n"
        ),
        (
            "response-content-disposition=caf%C3%A9",
            "Content-Type: text/css\r\nContent-Language: de\r\nContent-Disposition: caf\u{E9}\r\n"
        ),
    ])
    func `replace stored headers`(query: String, expected: String) throws {
        #expect(try Self.lines(query) == expected)
    }

    @Test(arguments: [
        (
            "response-content-type=%E2%82%AC", false,
            "InvalidArgument | Header value cannot be represented using ISO-8859-1. | "
                + "ArgumentName=response-content-type | ArgumentValue=€"
        ),
        (
            "response-expires=a%0D%0Ab", false,
            "InvalidArgument | Header value cannot be represented using ISO-8859-1. | ArgumentName=response-expires | "
                + "ArgumentValue=a\r\nb"
        ),
        (
            "response-etag=x", false,
            "InvalidArgument | response-etag is not in the set of overridable response headers | "
                + "ArgumentName=response-etag | ArgumentValue=x"
        ),
        (
            "response-expires=x", true,
            "InvalidRequest | Request specific response headers cannot be used for anonymous GET requests."
        ),
    ])
    func `are refused in S3's words`(query: String, isAnonymous: Bool, expected: String) throws {
        let parameters = try requestFields("GET /bucket/key?" + query).query
        #expect(refusal { _ = try ResponseOverrides(parameters, isAnonymous: isAnonymous) } == expected)
    }
}
