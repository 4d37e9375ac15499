import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A bucket policy` {
    private static let bucket = BucketName("photos")!

    private static func policy(_ statements: String) throws -> BucketPolicy {
        try BucketPolicy(Array(#"{"Version":"2012-10-17","Statement":[\#(statements)]}"#.utf8), of: bucket)
    }

    private static func allow(
        _ extra: String = "", principal: String = #""*""#, action: String = #""s3:GetObject""#,
        resource: String = #""arn:aws:s3:::photos/*""#
    ) -> String {
        #"{"Effect":"Allow","Principal":\#(principal),"Action":\#(action),"Resource":\#(resource)\#(extra)}"#
    }

    private static func request(
        _ principal: PolicyRequest.Principal = .anonymous, _ action: String = "s3:GetObject", key: String = "a/b",
        _ conditions: [ConditionKey: [String]] = [:]
    ) -> PolicyRequest {
        let path = ObjectPath(bucket: bucket, key: ObjectKey(key.utf8)!)
        return PolicyRequest(principal, action: action, resource: PolicyRequest.resource(path), conditions: conditions)
    }

    private static let alice = PolicyRequest.Principal.account(
        "111122223333", arn: "arn:aws:iam::111122223333:user/alice", canonicalID: "a1")

    @Test func `is returned as it was put`() throws {
        let text = Array(#"{ "Statement" : \#(Self.allow()) }"#.utf8)
        #expect(try BucketPolicy(text, of: Self.bucket).text == text)
    }

    @Test(arguments: [
        (allow(), BucketPolicy.Verdict.allow), (allow(action: #""S3:getobject""#), .allow),
        (allow(action: #"["s3:PutObject","s3:Get*"]"#), .allow), (allow(action: #""s3:GetObjec?""#), .allow),
        (allow(action: #""*""#), .allow), (allow(resource: #""arn:aws:s3:::photos/a/?""#), .allow),
        (allow(resource: #""arn:aws:s3:::photos/A/*""#), .none), (allow(resource: #""arn:aws:s3:::*""#), .allow),
        (allow(resource: #"["arn:aws:s3:::photos/x","arn:aws:s3:::photos/*b"]"#), .allow),
        (allow(principal: #"{"AWS":"*"}"#), .allow), (allow(principal: #"{"AWS":"111122223333"}"#), .none),
        (allow() + #",{"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::photos/a/*"}"#, .deny),
        (
            #"{"Effect":"Allow","Principal":"*","NotAction":"s3:PutObject","Resource":"arn:aws:s3:::photos/*"}"#, .allow
        ),
        (
            #"{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","NotResource":"arn:aws:s3:::photos/a/*"}"#,
            .none
        ),
        (
            #"{"Effect":"Allow","NotPrincipal":{"AWS":"111122223333"},"Action":"s3:*","#
                + #""Resource":"arn:aws:s3:::photos/*"}"#, .allow
        ),
    ])
    func `judges anonymous requests by its statements`(statements: String, verdict: BucketPolicy.Verdict) throws {
        #expect(try Self.policy(statements).verdict(Self.request()) == verdict)
    }

    @Test(arguments: [
        (#"{"AWS":"111122223333"}"#, true), (#"{"AWS":"arn:aws:iam::111122223333:root"}"#, true),
        (#"{"AWS":["444455556666","arn:aws:iam::111122223333:user/alice"]}"#, true),
        (#"{"AWS":"arn:aws:iam::111122223333:user/bob"}"#, false), (#"{"CanonicalUser":"a1"}"#, true),
        (#"{"CanonicalUser":"b2"}"#, false), (#"{"Service":"logging.s3.amazonaws.com"}"#, false),
        (#"{"AWS":"444455556666"}"#, false), (#""*""#, true),
    ])
    func `names accounts, users and everybody`(principal: String, isCovered: Bool) throws {
        let policy = try Self.policy(Self.allow(principal: principal))
        #expect(policy.verdict(Self.request(Self.alice)) == (isCovered ? .allow : .none))
    }

    @Test(
        arguments: [
            (#""StringEquals":{"s3:prefix":["a/","b/"]}"#, ["s3:prefix": ["b/"]], true),
            (#""StringEquals":{"s3:prefix":"A/"}"#, ["s3:prefix": ["a/"]], false),
            (#""StringEquals":{"S3:Prefix":"a"}"#, ["s3:prefix": ["a"]], true),
            (#""StringEquals":{"s3:prefix":"a"}"#, [:], false),
            (#""StringEqualsIfExists":{"s3:prefix":"a"}"#, [:], true),
            (#""StringNotEquals":{"s3:prefix":"a"}"#, [:], true),
            (#""StringNotEquals":{"s3:prefix":["a","b"]}"#, ["s3:prefix": ["b"]], false),
            (#""StringEqualsIgnoreCase":{"s3:x-amz-acl":"PRIVATE"}"#, ["s3:x-amz-acl": ["private"]], true),
            (#""StringNotEqualsIgnoreCase":{"s3:x-amz-acl":"PRIVATE"}"#, ["s3:x-amz-acl": ["private"]], false),
            (#""StringLike":{"aws:Referer":["http://a.example/*"]}"#, ["aws:Referer": ["http://a.example/x"]], true),
            (#""StringNotLike":{"aws:Referer":"*"}"#, ["aws:Referer": ["x"]], false),
            (#""StringEquals":{"s3:prefix":"\u00e9"}"#, ["s3:prefix": ["e\u{301}"]], false),
            (#""NumericLessThanEquals":{"s3:max-keys":"10"}"#, ["s3:max-keys": ["10"]], true),
            (#""NumericLessThan":{"s3:max-keys":10}"#, ["s3:max-keys": ["10"]], false),
            (#""NumericGreaterThan":{"s3:signatureAge":"600000"}"#, ["s3:signatureAge": ["600001"]], true),
            (#""NumericGreaterThanEquals":{"s3:max-keys":1.5}"#, ["s3:max-keys": ["x"]], false),
            (#""NumericNotEquals":{"s3:max-keys":1}"#, ["s3:max-keys": ["2"]], true),
            (#""Bool":{"aws:SecureTransport":false}"#, ["aws:SecureTransport": ["false"]], true),
            (#""Bool":{"aws:SecureTransport":"true"}"#, ["aws:SecureTransport": ["false"]], false),
            (#""IpAddress":{"aws:SourceIp":"203.0.113.0/24"}"#, ["aws:SourceIp": ["203.0.113.7"]], true),
            (#""IpAddress":{"aws:SourceIp":"203.0.113.128/25"}"#, ["aws:SourceIp": ["203.0.113.7"]], false),
            (#""IpAddress":{"aws:SourceIp":"2001:db8::/33"}"#, ["aws:SourceIp": ["2001:db8:7fff::1"]], true),
            (#""IpAddress":{"aws:SourceIp":"::1"}"#, ["aws:SourceIp": ["0:0:0:0:0:0:0:1"]], true),
            (#""IpAddress":{"aws:SourceIp":"0.0.0.0/0"}"#, ["aws:SourceIp": ["::1"]], false),
            (#""NotIpAddress":{"aws:SourceIp":"10.0.0.0/8"}"#, ["aws:SourceIp": ["10.1.2.3"]], false),
            (
                #""DateLessThan":{"aws:CurrentTime":"2026-01-02T00:00:00Z"}"#,
                ["aws:CurrentTime": ["2026-01-01T23:59:59Z"]], true
            ),
            (#""DateGreaterThan":{"aws:EpochTime":"1700000000"}"#, ["aws:EpochTime": ["1700000000"]], false),
            (#""Null":{"s3:x-amz-acl":"true"}"#, [:], true),
            (#""Null":{"s3:x-amz-acl":"true"}"#, ["s3:x-amz-acl": ["private"]], false),
            (#""Null":{"s3:x-amz-acl":false}"#, ["s3:x-amz-acl": ["private"]], true),
            (#""StringEquals":{"s3:ExistingObjectTag/Team":"x"}"#, ["s3:existingobjecttag/Team": ["x"]], true),
            (#""StringEquals":{"s3:ExistingObjectTag/team":"x"}"#, ["s3:ExistingObjectTag/Team": ["x"]], false),
            (
                #""ForAllValues:StringEquals":{"s3:RequestObjectTagKeys":["a","b"]}"#,
                ["s3:RequestObjectTagKeys": ["a", "c"]], false
            ),
            (#""ForAllValues:StringEquals":{"s3:RequestObjectTagKeys":["a","b"]}"#, [:], true),
            (
                #""ForAnyValue:StringEquals":{"s3:RequestObjectTagKeys":["a","b"]}"#,
                ["s3:RequestObjectTagKeys": ["a", "c"]], true
            ),
            (
                #""StringEquals":{"s3:prefix":"a"},"Bool":{"aws:SecureTransport":"true"}"#,
                ["s3:prefix": ["a"], "aws:SecureTransport": ["false"]], false
            ),
        ] as [(String, [ConditionKey: [String]], Bool)])
    func `holds under its conditions`(condition: String, found: [ConditionKey: [String]], holds: Bool) throws {
        let policy = try Self.policy(Self.allow(#","Condition":{\#(condition)}"#))
        #expect(policy.verdict(Self.request(.anonymous, "s3:GetObject", found)) == (holds ? .allow : .none))
    }

    private static let invalidSyntax = "MalformedPolicy | Policies must be valid JSON and the first byte must be '{'"

    @Test(arguments: [
        ("", invalidSyntax), (" {}", invalidSyntax), ("[]", invalidSyntax), (#"{"Statement":"#, invalidSyntax),
        (#"{"Id":"x","Id":"y"}"#, invalidSyntax),
        ("{}", "MalformedPolicy | Missing required field Statement"),
        (#"{"Statement":[]}"#, "MalformedPolicy | Could not parse the policy: Statement is empty!"),
        (
            #"{"Version":"2020-01-01","Statement":[]}"#,
            "MalformedPolicy | The policy must contain a valid version string"
        ),
        (#"{"Statement":"x"}"#, "MalformedPolicy | Invalid policy syntax."),
        (#"{"Rules":[]}"#, "MalformedPolicy | Unknown field Rules"),
        (#"{"Statement":{}}"#, "MalformedPolicy | Missing required field Effect"),
        (#"{"Statement":{"Effect":"allow"}}"#, "MalformedPolicy | Invalid effect: \"allow\""),
        (#"{"Statement":{"Effect":"Allow"}}"#, "MalformedPolicy | Missing required field Principal"),
        (#"{"Statement":{"Effect":"Allow","Principal":"*"}}"#, "MalformedPolicy | Missing required field Action"),
        (
            #"{"Statement":{"Effect":"Allow","Principal":"*","Action":"s3:*"}}"#,
            "MalformedPolicy | Missing required field Resource"
        ),
        (#"{"Statement":{"Sid":1,"Effect":"Allow"}}"#, "MalformedPolicy | Invalid policy syntax."),
        (#"{"Statement":{"Effects":"Allow"}}"#, "MalformedPolicy | Unknown field Effects"),
    ])
    func `is malformed in S3's words`(text: String, expected: String) {
        #expect(refusal { _ = try BucketPolicy(Array(text.utf8), of: Self.bucket) } == expected)
    }

    private static let invalidResource = "MalformedPolicy | Policy has invalid resource"
    private static let invalidAction = "MalformedPolicy | Policy has invalid action"
    private static let invalidPrincipal = "MalformedPolicy | Invalid principal in policy"
    private static let applies = "MalformedPolicy | Action does not apply to any resource(s) in statement"

    @Test(arguments: [
        (allow(resource: #""arn:aws:s3:::other/*""#), invalidResource), (allow(resource: #""*""#), invalidResource),
        (allow(resource: #""photos/*""#), invalidResource), (allow(resource: "[]"), invalidResource),
        (allow(resource: "7"), invalidResource), (allow(action: #""GetObject""#), invalidAction),
        (allow(action: #""s3:Fly""#), invalidAction), (allow(action: #""ec2:*""#), invalidAction),
        (allow(action: "[7]"), invalidAction), (allow(principal: #""x""#), invalidPrincipal),
        (allow(principal: "{}"), invalidPrincipal), (allow(principal: #"{"AWS":[]}"#), invalidPrincipal),
        (allow(principal: #"{"AWS":"1234"}"#), invalidPrincipal), (allow(principal: #"{"GCP":"*"}"#), invalidPrincipal),
        (allow(principal: #"{"AWS":"arn:aws:iam::x:root"}"#), invalidPrincipal),
        (allow(resource: #""arn:aws:s3:::photos""#), applies), (allow(action: #""s3:ListBucket""#), applies),
        (allow(#","Condition":{"Like":{"s3:prefix":"a"}}"#), "MalformedPolicy | Invalid Condition type : Like"),
        (
            allow(#","Condition":{"NullIfExists":{"s3:prefix":"true"}}"#),
            "MalformedPolicy | Invalid Condition type : NullIfExists"
        ),
        (
            allow(#","Condition":{"StringEquals":{"ec2:x":"a"}}"#),
            "MalformedPolicy | Policy has an invalid condition key"
        ),
        (
            allow(#","Condition":{"IpAddress":{"aws:SourceIp":"1.2.3.4/33"}}"#),
            "MalformedPolicy | Invalid value in Condition"
        ),
        (allow(#","Condition":[]"#), "MalformedPolicy | Invalid Condition in policy"),
    ])
    func `refuses a statement in S3's words`(statement: String, expected: String) {
        #expect(refusal { _ = try Self.policy(statement) } == expected)
    }

    @Test func `has at most 20 KiB`() {
        let body = Array(#"{"Id":"\#(String(repeating: "x", count: 20_480))"}"#.utf8)
        #expect(
            refusal { _ = try BucketPolicy(body, of: Self.bucket) }
                == "MaxMessageLengthExceeded | Your request was too big. | MaxMessageLengthBytes=20480")
    }

    @Test(arguments: [
        (allow(), true), (allow(principal: #"{"AWS":"111122223333"}"#), false),
        (#"{"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::photos/*"}"#, false),
        (allow(#","Condition":{"IpAddress":{"aws:SourceIp":"203.0.113.0/24"}}"#), false),
        (allow(#","Condition":{"IpAddress":{"aws:SourceIp":"0.0.0.0/1"}}"#), true),
        (allow(#","Condition":{"StringLike":{"aws:SourceVpc":"vpc-*"}}"#), true),
        (allow(#","Condition":{"StringLike":{"aws:SourceVpc":"vpc-91237329"}}"#), false),
        (allow(#","Condition":{"StringNotEquals":{"aws:SourceVpc":"vpc-91237329"}}"#), true),
        (allow(#","Condition":{"Bool":{"aws:SecureTransport":"true"}}"#), true),
    ])
    func `is public if it lets in anybody`(statement: String, isPublic: Bool) throws {
        #expect(try Self.policy(statement).isPublic == isPublic)
    }

    @Test func `tells its status`() throws {
        #expect(text(try Self.policy(Self.allow()).statusDocument) == (try goldenXML("policy-status")))
    }

    @Test func `tells NFC from NFD in keys`() throws {
        let policy = try Self.policy(Self.allow(resource: #""arn:aws:s3:::photos/\u00e9?""#))
        #expect(policy.verdict(Self.request(.anonymous, key: "é€")) == .allow)
        #expect(policy.verdict(Self.request(.anonymous, key: "e\u{301}€")) == .none)
    }

    @Test func `ends in a verdict or a refusal for random statements`() {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "\"Effect\":", "\"Allow\",", "\"Principal\":", "\"*\",", "{\"AWS\":", "}", "\"Action\":", "\"s3:*\",", "[",
            "]",
            "\"Resource\":", "\"arn:aws:s3:::photos/*\"", ",\"Condition\":{\"IpAddress\":{\"aws:SourceIp\":\"", "::",
            "1",
            "/", ".", "\"}}", "{", ",",
        ]
        for _ in 0..<3_000 {
            let text = "{\"Statement\":{" + (0..<12).map { _ in pieces.randomElement(using: &random)! }.joined() + "}}"
            guard let policy = try? BucketPolicy(Array(text.utf8), of: Self.bucket) else { continue }
            _ = policy.verdict(Self.request())
        }
        for _ in 0..<2_000 {
            let address = (0..<6).map { _ in
                ["::", ":", "1", "ffff", "1.2.3.4", "/", "0"].randomElement(using: &random)!
            }
            let condition = #","Condition":{"IpAddress":{"aws:SourceIp":"\#(address.joined())"}}"#
            guard let policy = try? Self.policy(Self.allow(condition)) else { continue }
            _ = policy.verdict(Self.request(.anonymous, "s3:GetObject", ["aws:SourceIp": [address.joined()]]))
        }
    }
}

@Suite struct `A request before a policy` {
    @Test func `tells its circumstances`() throws {
        let fields = try requestFields(
            "GET /bucket?prefix=a%2F&max-keys=7&X-Amz-Acl=private",
            ["Referer: http://a.example/", "User-Agent: curl", "x-amz-server-side-encryption: AES256"])
        let conditions = PolicyRequest.conditions(
            fields, sourceIP: "127.0.0.1", isSecure: false, now: Timestamp(seconds: 1_700_049_760),
            signing: .init(kind: .query, ageMilliseconds: 1_500), tags: TagSet(stored: [.init(key: "Team", value: "x")])
        )
        let expected: [ConditionKey: [String]] = [
            "aws:SecureTransport": ["false"], "aws:SourceIp": ["127.0.0.1"],
            "aws:CurrentTime": ["2023-11-15T12:02:40Z"], "aws:EpochTime": ["1700049760"],
            "aws:Referer": ["http://a.example/"], "aws:UserAgent": ["curl"], "s3:prefix": ["a/"],
            "s3:max-keys": ["7"], "s3:x-amz-acl": ["private"], "s3:x-amz-server-side-encryption": ["AES256"],
            "s3:authType": ["REST-QUERY-STRING"], "s3:signatureversion": ["AWS4-HMAC-SHA256"],
            "s3:signatureAge": ["1500"], .requestObjectTag("Team"): ["x"], "s3:RequestObjectTagKeys": ["Team"],
        ]
        #expect(conditions == expected)
    }

    @Test func `needs a right by the name of IAM`() {
        let without: Set<S3Operation> = [.listBuckets, .optionsPreflight, .unknown, .deleteObjects]
        for operation in S3Operation.allCases {
            #expect((PolicyAction.name(of: operation) == nil) == without.contains(operation), "\(operation)")
        }
        #expect(PolicyAction.name(of: .headObject) == "s3:GetObject")
        #expect(PolicyAction.name(of: .getObject, namesVersion: true) == "s3:GetObjectVersion")
        #expect(PolicyAction.name(of: .uploadPart) == "s3:PutObject")
    }
}
