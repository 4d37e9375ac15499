import ShoalS3
import Testing

@Suite struct `A CORS document` {
    private static func body(_ rules: String) -> [UInt8] {
        Array("<CORSConfiguration>\(rules)</CORSConfiguration>".utf8)
    }

    private static let minimum = "<AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin>"

    @Test func `is read in any order of elements and written in one`() throws {
        let configuration = try CORSConfiguration(
            Self.body(
                """
                <CORSRule>
                  <MaxAgeSeconds>3000</MaxAgeSeconds><ExposeHeader>ETag</ExposeHeader>
                  <AllowedOrigin>https://*.example</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
                  <AllowedOrigin>http://localhost:5173</AllowedOrigin><AllowedMethod>PUT</AllowedMethod>
                  <AllowedHeader>x-amz-*</AllowedHeader><ID>a &amp; b</ID>
                </CORSRule>
                <CORSRule>\(Self.minimum)</CORSRule>
                """))
        let expected = CORSConfiguration(rules: [
            CORSRule(
                id: "a & b", allowedOrigins: ["https://*.example", "http://localhost:5173"],
                allowedMethods: ["GET", "PUT"], allowedHeaders: ["x-amz-*"], exposeHeaders: ["ETag"],
                maxAgeSeconds: 3_000),
            CORSRule(allowedOrigins: ["*"], allowedMethods: ["GET"]),
        ])
        #expect(configuration == expected)
        #expect(text(configuration.document) == (try goldenXML("cors")))
        #expect(try CORSConfiguration(configuration.document) == configuration)
    }

    @Test func `has at most 100 rules`() throws {
        let rule = "<CORSRule>\(Self.minimum)</CORSRule>"
        #expect(try CORSConfiguration(Self.body(String(repeating: rule, count: 100))).rules.count == 100)
        #expect(
            refusal { _ = try CORSConfiguration(Self.body(String(repeating: rule, count: 101))) }
                == "InvalidRequest | The number of CORS rules should not exceed allowed limit of 100 rules.")
    }

    @Test(arguments: [
        (
            "<AllowedMethod>PATCH</AllowedMethod><AllowedOrigin>*</AllowedOrigin>",
            "InvalidRequest | Found unsupported HTTP method in CORS config. Unsupported method is PATCH"
        ),
        (
            "<AllowedMethod>get</AllowedMethod><AllowedOrigin>*</AllowedOrigin>",
            "InvalidRequest | Found unsupported HTTP method in CORS config. Unsupported method is get"
        ),
        (
            "<AllowedMethod>GET</AllowedMethod><AllowedOrigin>http://*.*</AllowedOrigin>",
            "InvalidRequest | AllowedOrigin \"http://*.*\" can not have more than one wildcard."
        ),
        (
            minimum + "<AllowedHeader>*-*</AllowedHeader>",
            "InvalidRequest | AllowedHeader \"*-*\" can not have more than one wildcard."
        ),
        (
            minimum + "<ExposeHeader>x-amz-*</ExposeHeader>",
            "InvalidRequest | ExposeHeader \"x-amz-*\" contains wildcard. We currently do not support wildcard for "
                + "ExposeHeader."
        ),
    ])
    func `refuses a rule in S3's words`(rule: String, expected: String) {
        #expect(refusal { _ = try CORSConfiguration(Self.body("<CORSRule>\(rule)</CORSRule>")) } == expected)
    }

    @Test(arguments: [
        "", "<CORSRule/>", "<CORSRule><AllowedMethod>GET</AllowedMethod></CORSRule>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>", "<Rule>\(minimum)</Rule>",
        "<CORSRule>\(minimum)<MaxAgeSeconds>1h</MaxAgeSeconds></CORSRule>",
        "<CORSRule>\(minimum)<MaxAgeSeconds>-1</MaxAgeSeconds></CORSRule>",
        "<CORSRule>\(minimum)<ID>a</ID><ID>b</ID></CORSRule>", "<CORSRule>\(minimum)<Extra/></CORSRule>",
        "<CORSRule>\(minimum)text</CORSRule>",
        "<CORSRule>\(minimum)<ID>\(String(repeating: "x", count: 256))</ID></CORSRule>",
        "<CORSRule>\(minimum)<ExposeHeader>a&#13;b</ExposeHeader></CORSRule>",
    ])
    func `is malformed if a rule lacks or adds something`(rules: String) {
        #expect(refusal { _ = try CORSConfiguration(Self.body(rules)) } == malformedXML)
    }

    @Test func `needs a body`() {
        #expect(refusal { _ = try CORSConfiguration([]) } == "MissingRequestBodyError | Request Body is empty")
    }
}
