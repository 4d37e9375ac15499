import ShoalS3
import Testing

@Suite struct `An access control list` {
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let other = String(repeating: "b2", count: 32)
    private static let allUsers = "http://acs.amazonaws.com/groups/global/AllUsers"

    private static func canned(_ name: CannedACL) -> AccessControlPolicy {
        AccessControlPolicy(name, owner: owner, bucketOwner: owner)
    }

    private static func grants(_ grants: [Grant]) -> AccessControlPolicy {
        AccessControlPolicy(owner: owner, grants: grants)
    }

    private static func body(_ list: String, owner: String = "<Owner><ID>x</ID></Owner>") -> [UInt8] {
        Array("<AccessControlPolicy>\(owner)<AccessControlList>\(list)</AccessControlList></AccessControlPolicy>".utf8)
    }

    private static func grant(_ type: String, _ content: String, _ permission: String = "READ") -> String {
        "<Grant><Grantee xmlns:x='http://www.w3.org/2001/XMLSchema-instance' x:type='\(type)'>\(content)</Grantee>"
            + "<Permission>\(permission)</Permission></Grant>"
    }

    @Test(arguments: [
        ("acl-private", canned(.private)), ("acl-private", canned(.bucketOwnerFullControl)),
        ("acl-public", canned(.publicReadWrite)), ("acl-empty", grants([])),
    ])
    func `is written byte for byte as S3 writes it`(golden: String, policy: AccessControlPolicy) throws {
        #expect(text(policy.document) == (try goldenXML(golden)))
        #expect(try AccessControlPolicy(policy.document) == policy)
    }

    @Test func `gives the bucket's owner a share of another's object`() {
        let bucketOwner = Owner(id: Self.other)
        func shared(_ canned: CannedACL) -> [Grant] {
            AccessControlPolicy(canned, owner: Self.owner, bucketOwner: bucketOwner).grants
        }
        let own = Grant(.fullControl, to: .user(id: Self.owner.id))
        #expect(shared(.bucketOwnerRead) == [own, Grant(.read, to: .user(id: Self.other))])
        #expect(shared(.bucketOwnerFullControl) == [own, Grant(.fullControl, to: .user(id: Self.other))])
        #expect(shared(.authenticatedRead) == [own, Grant(.read, to: .group(.authenticatedUsers))])
        #expect(shared(.awsExecRead).count == 2)
    }

    @Test(arguments: [
        (canned(.private), "rwRW", "", ""), (canned(.publicRead), "rwRW", "r", "r"),
        (canned(.publicReadWrite), "rwRW", "rw", "rw"), (canned(.authenticatedRead), "rwRW", "r", ""),
        (grants([]), "RW", "", ""), (grants([Grant(.write, to: .user(id: other))]), "RW", "w", ""),
        (grants([Grant(.fullControl, to: .group(.allUsers))]), "rwRW", "rwRW", "rwRW"),
        (grants([Grant(.readACP, to: .group(.logDelivery))]), "RW", "", ""),
    ])
    func `lets in whom its grants cover`(policy: AccessControlPolicy, owner: String, user: String, anybody: String) {
        func allowed(_ requester: AccessControlPolicy.Requester) -> String {
            zip("rwRW", [Grant.Permission.read, .write, .readACP, .writeACP])
                .filter { policy.allows($0.1, to: requester) }.map { String($0.0) }.joined()
        }
        #expect(allowed(.user(id: Self.owner.id)) == owner)
        #expect(allowed(.user(id: Self.other)) == user)
        #expect(allowed(.anonymous) == anybody)
    }

    @Test func `is not public where public grants are ignored`() {
        let policy = Self.canned(.publicRead)
        #expect(policy.isPublic && !Self.canned(.private).isPublic && Self.canned(.authenticatedRead).isPublic)
        #expect(!policy.allows(.read, to: .anonymous, ignoringPublic: true))
        #expect(policy.allows(.read, to: .user(id: Self.owner.id), ignoringPublic: true))
    }

    private static let malformedACL =
        "MalformedACLError | The XML you provided was not well-formed or did not validate against our published schema"

    @Test(arguments: [
        (Array("x".utf8), malformedACL), (Array("<AccessControlPolicy/>".utf8), malformedACL),
        (body("", owner: ""), malformedACL), (body("", owner: "<Owner/>"), malformedACL),
        (body("<Grant/>"), malformedACL), (body(grant("CanonicalUser", "", "READ")), malformedACL),
        (body(grant("User", "<ID>\(other)</ID>")), malformedACL),
        (body(grant("CanonicalUser", "<ID>\(other)</ID>", "read")), malformedACL),
        (body("<Grant><Grantee><ID>\(other)</ID></Grantee><Permission>READ</Permission></Grant>"), malformedACL),
        (body(String(repeating: grant("Group", "<URI>\(allUsers)</URI>"), count: 101)), malformedACL),
        (
            body("", owner: "<Owner><ID>x</ID></Owner>"),
            "InvalidArgument | Invalid id | ArgumentName=CanonicalUser/ID | ArgumentValue=x"
        ),
        (
            body(grant("CanonicalUser", "<ID>x</ID>")),
            "InvalidArgument | Invalid id | ArgumentName=CanonicalUser/ID | ArgumentValue=x"
        ),
        (
            body(grant("Group", "<URI>x</URI>")),
            "InvalidArgument | Invalid group uri | ArgumentName=Group/URI | ArgumentValue=x"
        ),
        (
            body(grant("AmazonCustomerByEmail", "<EmailAddress>a@example.org</EmailAddress>")),
            "UnresolvableGrantByEmailAddress | The email address you provided does not match any account on record."
        ),
    ])
    func `is refused in S3's words`(body: [UInt8], expected: String) {
        #expect(refusal { _ = try AccessControlPolicy(body) } == expected)
    }
}

@Suite struct `A request for an access control list` {
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let other = String(repeating: "b2", count: 32)
    private static let document = AccessControlPolicy.private(owner).document

    private static func requested(_ lines: [String], body: [UInt8] = []) throws -> RequestedACL {
        try RequestedACL(try requestFields("PUT /bucket?acl", lines), body: body)
    }

    @Test func `is a ready-made list, grants or a document`() throws {
        #expect(try Self.requested(["x-amz-acl: public-read"]) == .canned(.publicRead))
        #expect(try Self.requested([], body: Self.document) == .policy(.private(Self.owner)))
        let grants = try Self.requested([
            "x-amz-grant-read: uri=\"http://acs.amazonaws.com/groups/global/AllUsers\", id=\"\(Self.other)\"",
            "x-amz-grant-full-control: id=\(Self.owner.id)",
        ])
        #expect(
            grants
                == .grants([
                    Grant(.fullControl, to: .user(id: Self.owner.id)), Grant(.read, to: .group(.allUsers)),
                    Grant(.read, to: .user(id: Self.other)),
                ]))
        #expect(grants.policy(owner: Self.owner, bucketOwner: Self.owner).grants.count == 3)
        #expect(try RequestedACL.named(in: try requestFields()) == nil)
    }

    @Test(
        arguments: [
            (
                [], [],
                "MissingSecurityHeader | Your request was missing a required header | MissingHeaderName=x-amz-acl"
            ),
            (["x-amz-acl: private"], document, "UnexpectedContent | This request does not support content"),
            (
                ["x-amz-acl: private", "x-amz-grant-read: id=\(other)"], [],
                "InvalidRequest | Specifying both Canned ACLs and Header Grants is not allowed"
            ),
            (["x-amz-acl: public"], [], "InvalidArgument |  | ArgumentName=x-amz-acl | ArgumentValue=public"),
            (
                ["x-amz-grant-read: \(other)"], [],
                "InvalidArgument | Argument format not recognized | ArgumentName=x-amz-grant-read | ArgumentValue=\(other)"
            ),
            (
                ["x-amz-grant-write-acp: name=x"], [],
                "InvalidArgument | Argument format not recognized | ArgumentName=x-amz-grant-write-acp | ArgumentValue=name=x"
            ),
            (
                ["x-amz-grant-write: id=\""], [],
                "InvalidArgument | Argument format not recognized | ArgumentName=x-amz-grant-write | ArgumentValue=id=\""
            ),
            (["x-amz-grant-read-acp: id=x"], [], "InvalidArgument | Invalid id | ArgumentName=id | ArgumentValue=x"),
            (
                ["x-amz-grant-read: uri='x'"], [],
                "InvalidArgument | Invalid group uri | ArgumentName=uri | ArgumentValue=x"
            ),
            (
                ["x-amz-grant-read: emailAddress=\"a@example.org\""], [],
                "UnresolvableGrantByEmailAddress | The email address you provided does not match any account on record."
            ),
        ] as [([String], [UInt8], String)])
    func `is refused in S3's words`(lines: [String], body: [UInt8], expected: String) {
        #expect(refusal { _ = try Self.requested(lines, body: body) } == expected)
    }

    @Test func `is refused with a bucket that is made so that lists do not count`() {
        let refused =
            "InvalidBucketAclWithObjectOwnership | Bucket cannot have ACLs set with ObjectOwnership's "
            + "BucketOwnerEnforced setting"
        for (requested, expected) in [(RequestedACL.canned(.private), nil), (.canned(.publicRead), refused)] {
            #expect(refusal { try requested.checkCreation(under: .bucketOwnerEnforced) } == expected)
            #expect(refusal { try requested.checkCreation(under: .objectWriter) } == nil)
        }
    }

    @Test(arguments: [
        (RequestedACL.canned(.private), false), (.canned(.bucketOwnerFullControl), true), (.canned(.publicRead), false),
        (.grants([]), false), (.policy(.private(owner)), true),
        (.policy(AccessControlPolicy(.publicRead, owner: owner, bucketOwner: owner)), false),
    ])
    func `is refused where lists do not count`(requested: RequestedACL, isTaken: Bool) {
        #expect(refusal { try requested.check(under: .objectWriter) } == nil)
        #expect(
            refusal { try requested.check(under: .bucketOwnerEnforced) }
                == (isTaken ? nil : "AccessControlListNotSupported | The bucket does not allow ACLs"))
    }
}
