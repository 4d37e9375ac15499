import ShoalS3
import ShoalSeeded
import ShoalXML
import Testing

@Suite struct `A bucket configuration` {
    private static let namespace = "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""

    private static func body(_ content: String, _ attributes: String = "") -> [UInt8] {
        Array("<CreateBucketConfiguration \(attributes)>\(content)</CreateBucketConfiguration>".utf8)
    }

    @Test(
        arguments: [
            ([], nil, nil), (body(""), nil, nil), (body("<LocationConstraint/>"), nil, nil),
            (body("<LocationConstraint>eu-west-1</LocationConstraint>", namespace), "eu-west-1", nil),
            (body(" \n<LocationConstraint>EU</LocationConstraint>\t"), "EU", nil),
            (
                body("<Tags><Tag><Value>1 2</Value><Key>a</Key></Tag></Tags>"),
                nil,
                ["a=1 2"]
            ),
            (body("<!-- c --><LocationConstraint><![CDATA[us-west-2]]></LocationConstraint>"), "us-west-2", nil),
            (
                Array(
                    "<?xml version='1.0' encoding='UTF-8'?>\n<x:CreateBucketConfiguration xmlns:x='http://s3.amazonaws.com/doc/2006-03-01/'/>"
                        .utf8),
                nil, nil
            ),
        ] as [([UInt8], String?, [String]?)])
    func `is read with or without its namespace`(body: [UInt8], location: String?, tags: [String]?) throws {
        let configuration = try CreateBucketConfiguration(body)
        #expect(configuration.locationConstraint == location)
        #expect(configuration.tags?.tags.map { $0.key + "=" + $0.value } == tags)
    }

    @Test(
        arguments: [
            Array("x".utf8), Array("<CreateBucketConfiguration>".utf8), Array("<Other/>".utf8),
            body("", "xmlns='http://example.org/'"), body("<Region>eu-west-1</Region>"), body("text"),
            body("<LocationConstraint>a</LocationConstraint><LocationConstraint>b</LocationConstraint>"),
            body("<LocationConstraint><b/></LocationConstraint>"), body("<Tags><Tag><Key>a</Key></Tag></Tags>"),
            body("<Tags><Label/></Tags>"), body("&undeclared;"), [0xFF, 0xFE, 0x00], body("\u{1}"),
            Array("<!DOCTYPE CreateBucketConfiguration><CreateBucketConfiguration/>".utf8),
            Array(
                "<!DOCTYPE c [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><CreateBucketConfiguration>&e;</CreateBucketConfiguration>"
                    .utf8),
        ] as [[UInt8]])
    func `is malformed if it is anything else`(body: [UInt8]) {
        #expect(
            refusal { _ = try CreateBucketConfiguration(body) }
                == "MalformedXML | The XML you provided was not well-formed or did not validate against our published "
                + "schema")
    }

    @Test(arguments: [
        (
            "aws:x",
            "InvalidTag | User-defined tag keys can't start with \"aws:\". This prefix is reserved for system "
                + "tags. Remove \"aws:\" from your tag keys and try again."
        ),
        ("twice", "InvalidTag | Cannot provide multiple Tags with the same key | TagKey=twice"),
    ])
    func `refuses tags that a bucket cannot have`(key: String, expected: String) {
        let tag = "<Tag><Key>\(key)</Key><Value/></Tag>"
        #expect(refusal { _ = try CreateBucketConfiguration(Self.body("<Tags>\(tag)\(tag)</Tags>")) } == expected)
    }

    @Test(
        arguments: [
            (nil, nil, "us-east-1"), (nil, "us-east-1", "us-east-1"), ("eu-west-1", nil, "eu-west-1"),
            ("eu-west-1", "us-east-1", "eu-west-1"), ("us-east-1", nil, "us-east-1"), ("EU", "eu-west-1", "EU"),
            ("eu-west-1", "eu-west-1", "eu-west-1"), ("home", "home", "home"),
            (
                nil, "eu-west-1",
                "IllegalLocationConstraintException | The unspecified location constraint is incompatible for the region "
                    + "specific endpoint this request was sent to."
            ),
            (
                "eu-west-2", "eu-west-1",
                "IllegalLocationConstraintException | The eu-west-2 location constraint is incompatible for the region "
                    + "specific endpoint this request was sent to."
            ),
            (
                "us-east-1", "us-east-1",
                "InvalidLocationConstraint | The specified location-constraint is not valid | LocationConstraint=us-east-1"
            ),
            (
                "aws-global", "us-west-1",
                "IllegalLocationConstraintException | The aws-global location constraint is incompatible for the region "
                    + "specific endpoint this request was sent to."
            ),
            (
                "eu-east-1", nil,
                "InvalidLocationConstraint | The specified location-constraint is not valid | LocationConstraint=eu-east-1"
            ),
        ] as [(String?, String?, String)])
    func `places the bucket by the server's region`(constraint: String?, server: String?, expected: String) throws {
        let content = constraint.map { "<LocationConstraint>\($0)</LocationConstraint>" } ?? ""
        let configuration = try CreateBucketConfiguration(Self.body(content))
        var region: Region?
        let outcome = refusal { region = try configuration.region(server: server.map(Region.init(configured:))) }
        #expect(outcome ?? region?.name == expected)
    }

    @Test(
        arguments: [
            ("photos", nil, true), ("photos", "global", true), ("xyz-an", "account-regional", false),
            ("xyz-123456789012-eu-west-1-an", "account-regional", true), ("photos-an", "global", true),
            ("xyz-123456789013-eu-west-1-an", "account-regional", false),
            ("xyz-123456789012-mars-1-an", "account-regional", false), ("photos", "other", false),
            ("xyz-123456789012-eu-west-1", "account-regional", false),
        ] as [(String, String?, Bool)])
    func `has a name of the namespace it is to be in`(name: String, namespace: String?, isAllowed: Bool) throws {
        let fields = try requestFields("PUT /b", namespace.map { ["x-amz-bucket-namespace: " + $0] } ?? [])
        let outcome = refusal { try BucketNamespace.check(BucketName(name)!, fields, account: "123456789012") }
        #expect(outcome?.prefix { $0 != " " } == (isAllowed ? nil : "InvalidBucketNamespace"))
    }

    @Test(arguments: [("us-east-1", "location-us-east-1"), ("EU", "location-eu")])
    func `is answered as GetBucketLocation answers`(region: String, golden: String) throws {
        #expect(text(try #require(Region(region)).locationDocument) == (try goldenXML(golden)))
    }

    @Test(
        arguments: [
            ("111122223333", nil), ("444455556666", "AccessDenied | Access Denied"),
            (
                "x",
                "InvalidBucketOwnerAWSAccountID | The value of the expected bucket owner parameter must be an AWS Account "
                    + "ID... [x]"
            ),
            (
                "11112222333３",
                "InvalidBucketOwnerAWSAccountID | The value of the expected bucket owner parameter must be an AWS Account "
                    + "ID... [11112222333３]"
            ),
        ] as [(String, String?)])
    func `belongs to the owner the client expects`(header: String, expected: String?) throws {
        let fields = try requestFields("GET /bucket", ["x-amz-expected-bucket-owner: " + header])
        #expect(refusal { try ExpectedBucketOwner.check(fields, owner: "111122223333") } == expected)
        #expect(throws: Never.self) {
            try ExpectedBucketOwner.check(fields, owner: "111122223333", ofCopySource: true)
        }
    }
}

@Suite struct `A parsed document` {
    @Test func `keeps names, namespaces, attributes, text and order`() throws {
        let document = "<a xmlns='urn:x' xmlns:s='urn:s'>1<b s:type='T' id='&lt;'/>2<c>é</c><b>x</b></a>"
        let root = try XMLDocument.parse(Array(document.utf8))
        #expect(root.name == "a" && root.namespace == "urn:x" && root.string == "12")
        #expect(root.children.map(\.name) == ["b", "c", "b"])
        #expect(root.children("b").map(\.string) == ["", "x"])
        #expect(root.child("c")?.text == Array("é".utf8))
        #expect(
            root.child("b")?.attributes == [
                .init(name: "type", namespace: "urn:s", value: "T"), .init(name: "id", namespace: nil, value: "<"),
            ])
    }

    @Test func `is refused if it is too deep, too large or has a document type`() {
        let deep = String(repeating: "<a>", count: 33) + String(repeating: "</a>", count: 33)
        #expect(throws: XMLError.tooComplex) { try XMLDocument.parse(Array(deep.utf8)) }
        let wide = "<a>" + String(repeating: "<b/>", count: 100_000) + "</a>"
        #expect(throws: XMLError.tooComplex) { try XMLDocument.parse(Array(wide.utf8)) }
        #expect(throws: XMLError.documentType) { try XMLDocument.parse(Array("<!DOCTYPE a><a/>".utf8)) }
        #expect(
            refusal { _ = try XMLBody.root([UInt8](repeating: 0x20, count: 2_097_153), named: "a") }
                == "MaxMessageLengthExceeded | Your request was too big. | MaxMessageLengthBytes=2097152")
    }

    @Test func `survives random bytes`() {
        var random = SeededGenerator(seed: 5)
        let pieces = [
            "<a>", "</a>", "<a ", "x='1'", "/>", "&lt;", "&", "<![CDATA[", "]]>", "<!--", "-->", "<?", "é", "\0",
        ]
        for _ in 0..<3_000 {
            let text = (0..<8).map { _ in pieces.randomElement(using: &random)! }.joined()
            if let root = try? XMLDocument.parse(Array(text.utf8)) { #expect(root.name == "a") }
        }
    }
}
