import ShoalCrypto
import ShoalS3
import Testing

/// A form with these fields.
func postForm(_ fields: [(String, String)]) -> PostForm {
    var form = PostForm()
    for (name, value) in fields { form.append(Array(name.utf8), Array(value.utf8)) }
    return form
}

@Suite struct `The policy of a form` {
    private static let now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!

    private static func policy(_ text: String) throws(S3Error) -> PostPolicy {
        try PostPolicy(Base64.encode(Array(text.utf8)))
    }

    /// With these conditions, besides those on bucket and key.
    private static func policy(conditions: String) throws(S3Error) -> PostPolicy {
        let others = conditions.isEmpty ? "" : ", " + conditions
        return try policy(
            #"{"expiration": "2026-03-14T15:09:26.000Z", "conditions": [{"bucket": "photos"}, ["eq", "$key", "a"]\#(others)]}"#
        )
    }

    @Test(arguments: [
        ("", "Expecting '{' but found End-of-Input"), ("{", "Invalid JSON."), ("[]", "Invalid JSON."),
        ("{}", "Policy missing expiration."), (#"{"EXPIRATION": "x"}"#, "Policy missing expiration."),
        (#"{"expiration": "tomorrow"}"#, "Invalid 'expiration' value: 'tomorrow'"),
        (#"{"expiration": "2026-03-14"}"#, "Invalid 'expiration' value: '2026-03-14'"),
        (#"{"expiration": 5}"#, "Invalid 'expiration' value: '5'"),
        (#"{"expiration": "2026-03-14T15:09:26Z"}"#, "Policy missing conditions."),
        (#"{"expiration": "2026-03-14T15:09:26Z", "conditions": {}}"#, "Invalid 'conditions' value: must be a List."),
        (#"{"expiration": "2026-03-14T15:09:26Z", "conditions": [], "x": 1}"#, #"Unexpected: "x""#),
    ])
    func `is refused if it is none`(text: String, reason: String) {
        #expect(refusal { _ = try Self.policy(text) } == "InvalidPolicyDocument | Invalid Policy: \(reason)")
    }

    @Test func `is refused if it is no base 64`() {
        let answer = refusal { _ = try PostPolicy(Array("{}".utf8)) }
        #expect(answer == "InvalidPolicyDocument | Invalid Policy: invalid Base64 encoding.")
    }

    @Test(arguments: [
        ("5", "Invalid condition test: must be a List or Object."),
        ("[]", "Invalid Condition: missing operation identifier."),
        (#"["like", "$a", "b"]"#, "Invalid Condition: unknown operation 'like'."),
        (#"["eq", "$a"]"#, "Invalid eq: wrong number of arguments."),
        (#"["starts-with", "$a", "b", "c"]"#, "Invalid starts-with: wrong number of arguments."),
        (#"["content-length-range", 0]"#, "Invalid content-length-range: wrong number of arguments."),
        (
            #"{"a": "b", "c": "d"}"#,
            "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified."
        ),
        ("{}", "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified."),
        (#"{"a": 1}"#, "Invalid Simple-Condition: value must be a string."),
    ])
    func `is refused for a condition that is none`(condition: String, reason: String) {
        let answer = refusal { _ = try Self.policy(conditions: condition) }
        #expect(answer == "InvalidPolicyDocument | Invalid Policy: \(reason)")
    }

    @Test(
        arguments: [
            (#"{"acl": "private"}"#, [("acl", "private")], nil),
            (#"["EQ", "$ACL", "private"]"#, [("Acl", "private")], nil),
            (
                #"["eq", "$acl", "Private"]"#, [("acl", "private")],
                #"Policy Condition failed: ["eq", "$acl", "Private"]"#
            ),
            (
                #"{"success_action_redirect": "http://localhost/"}"#, [],
                #"Policy Condition failed: ["eq", "$success_action_redirect", "http://localhost/"]"#
            ),
            (#"["eq", "acl", "private"]"#, [("acl", "private")], #"Policy Condition failed: ["eq", "acl", "private"]"#),
            (#"["starts-with", "$x-amz-meta-a", ""]"#, [], nil),
            (#"["starts-with", "$x-amz-meta-a", "b"]"#, [("x-amz-meta-a", "bc")], nil),
            (
                #"["starts-with","$x-amz-meta-a","b"]"#, [("x-amz-meta-a", "cb")],
                #"Policy Condition failed: ["starts-with", "$x-amz-meta-a", "b"]"#
            ),
            (
                #"{"x-amz-meta-a": "b"}"#, [("x-amz-meta-a", "b"), ("X-Amz-Meta-A", "c")],
                #"Policy Condition failed: ["eq", "$x-amz-meta-a", "b"]"#
            ),
            (#"{"acl": "private"}"#, [("acl", "private"), ("acl", "public-read")], nil),
            (#"["starts-with", "$Content-Type", "image/"]"#, [("Content-Type", "image/png, image/gif")], nil),
            (
                #"["starts-with", "$Content-Type", "image/"]"#, [("Content-Type", "image/png,text/html")],
                #"Policy Condition failed: ["starts-with", "$Content-Type", "image/"]"#
            ),
            ("", [("Content-Type", "a")], "Extra input fields: content-type"),
            ("", [("x-ignore-this", "a"), ("policy", ""), ("Signature", ""), ("AWSAccessKeyId", "")], nil),
            ("", [("x-amz-date", "a")], "Extra input fields: x-amz-date"),
            (
                #"["content-length-range", "test", "10"]"#, [],
                #"Policy Condition failed: ["content-length-range", "test", "10"]"#
            ),
            (#"["content-length-range", "1", 10]"#, [], nil),
        ] as [(String, [(String, String)], String?)])
    func `holds for the fields it names, and allows no others`(
        condition: String, fields: [(String, String)], reason: String?
    ) throws {
        let policy = try Self.policy(conditions: condition)
        let answer = refusal {
            try policy.check(postForm([("key", "a")] + fields), in: BucketName("photos")!, at: Self.now)
        }
        #expect(answer == reason.map { "AccessDenied | Invalid according to Policy: \($0)" })
    }

    @Test func `ends at its expiration, and is for its bucket`() throws {
        let policy = try Self.policy(conditions: "")
        let form = postForm([("key", "a")])
        let late = refusal { try policy.check(form, in: BucketName("photos")!, at: Self.now.adding(seconds: 1)) }
        #expect(late == "AccessDenied | Invalid according to Policy: Policy expired.")
        let other = refusal { try policy.check(form, in: BucketName("films")!, at: Self.now) }
        #expect(
            other
                == #"AccessDenied | Invalid according to Policy: Policy Condition failed: ["eq", "$bucket", "photos"]"#)
        let without = try Self.policy(#"{"expiration": "2026-03-14T15:09:26Z", "conditions": [{"key": "a"}]}"#)
        let answer = refusal { try without.check(form, in: BucketName("photos")!, at: Self.now) }
        #expect(answer == "AccessDenied | Invalid according to Policy: Extra input fields: bucket")
    }

    @Test func `bounds the file on both sides`() throws {
        let policy = try Self.policy(conditions: #"["content-length-range", 2, "4"]"#)
        #expect(policy.fileByteCountMax == 4)
        for count in 2...4 { #expect(refusal { try policy.check(fileByteCount: UInt64(count)) } == nil) }
        #expect(
            refusal { try policy.check(fileByteCount: 1) }
                == "EntityTooSmall | Your proposed upload is smaller than the minimum allowed size | ProposedSize=1 | "
                + "MinSizeAllowed=2")
        #expect(
            refusal { try policy.check(fileByteCount: 5) }
                == "EntityTooLarge | Your proposed upload exceeds the maximum allowed size | ProposedSize=5 | "
                + "MaxSizeAllowed=4")
    }
}
