import ShoalS3
import Testing

@Suite struct `Access to a bucket` {
    private static let bucket = BucketName("photos")!
    private static let owner = Owner(id: String(repeating: "a1", count: 32))
    private static let own = PolicyRequest.Principal.account(
        "111122223333", arn: "arn:aws:iam::111122223333:root", canonicalID: owner.id)
    private static let other = PolicyRequest.Principal.account(
        "444455556666", arn: "arn:aws:iam::444455556666:root", canonicalID: String(repeating: "b2", count: 32))

    private static func policy(_ effect: String, principal: String = #""*""#) throws -> BucketPolicy {
        try BucketPolicy(
            Array(
                #"{"Statement":{"Effect":"\#(effect)","Principal":\#(principal),"Action":"s3:*","#
                    .utf8) + Array(#""Resource":["arn:aws:s3:::photos","arn:aws:s3:::photos/*"]}}"#.utf8), of: bucket)
    }

    private static func request(_ principal: PolicyRequest.Principal, _ operation: S3Operation) -> PolicyRequest {
        PolicyRequest(
            principal, action: PolicyAction.name(of: operation) ?? "",
            resource: PolicyRequest.resource(ObjectPath(bucket: bucket, key: ObjectKey("k".utf8)!)))
    }

    private static func allowed(
        _ rules: AccessRules, _ operation: S3Operation = .getObject, objectACL: AccessControlPolicy? = nil
    ) -> [Bool] {
        [own, other, .anonymous].map { rules.allow(request($0, operation), operation, objectACL: objectACL) }
    }

    @Test func `is the owner's alone in a new bucket`() {
        let rules = AccessRules(owner: Self.owner)
        let publicRead = AccessControlPolicy(.publicRead, owner: Self.owner, bucketOwner: Self.owner)
        for operation in S3Operation.allCases {
            #expect(Self.allowed(rules, operation, objectACL: publicRead) == [true, false, false])
        }
    }

    @Test func `is given and taken by a policy`() throws {
        let open = PublicAccessBlockConfiguration()
        let allowing = AccessRules(owner: Self.owner, policy: try Self.policy("Allow"), publicAccessBlock: open)
        #expect(Self.allowed(allowing) == [true, true, true])
        let naming = AccessRules(
            owner: Self.owner, policy: try Self.policy("Allow", principal: #"{"AWS":"444455556666"}"#))
        #expect(Self.allowed(naming) == [true, true, false])
        let denying = AccessRules(owner: Self.owner, policy: try Self.policy("Deny"), publicAccessBlock: open)
        #expect(Self.allowed(denying) == [false, false, false])
        #expect(Self.allowed(denying, .putBucketPolicy) == [true, false, false])
    }

    @Test func `is restricted to the owner's account where a public policy is not to count`() throws {
        let rules = AccessRules(owner: Self.owner, policy: try Self.policy("Allow"))
        #expect(Self.allowed(rules) == [true, false, false])
    }

    @Test(arguments: [
        (S3Operation.getObject, [true, true, true]), (.listObjects, [true, true, true]),
        (.putObject, [true, true, true]), (.getObjectAcl, [true, false, false]),
        (.putBucketCors, [true, false, false]),
    ])
    func `is given by lists where they count`(operation: S3Operation, expected: [Bool]) {
        let acl = AccessControlPolicy(.publicReadWrite, owner: Self.owner, bucketOwner: Self.owner)
        for ownership in [ObjectOwnership.objectWriter, .bucketOwnerPreferred, nil] {
            let rules = AccessRules(owner: Self.owner, acl: acl, ownership: ownership, publicAccessBlock: nil)
            #expect(Self.allowed(rules, operation, objectACL: acl) == expected)
        }
        let ignoring = AccessRules(
            owner: Self.owner, acl: acl, ownership: .objectWriter,
            publicAccessBlock: PublicAccessBlockConfiguration(ignorePublicACLs: true))
        #expect(Self.allowed(ignoring, operation, objectACL: acl) == [true, false, false])
    }

    @Test func `leaves an object to who wrote it where lists count`() {
        let writer = Owner(id: String(repeating: "b2", count: 32))
        let acl = AccessControlPolicy(.private, owner: writer, bucketOwner: Self.owner)
        let rules = AccessRules(owner: Self.owner, ownership: .objectWriter)
        #expect(Self.allowed(rules, objectACL: acl) == [false, true, false])
        #expect(Self.allowed(rules, .deleteObject, objectACL: acl) == [true, false, false])
        #expect(Self.allowed(AccessRules(owner: Self.owner), objectACL: acl) == [true, false, false])
    }

    @Test func `is not made public where that is blocked`() throws {
        let publicRead = AccessControlPolicy(.publicRead, owner: Self.owner, bucketOwner: Self.owner)
        let denied = "AccessDenied | Access Denied"
        let policy = try Self.policy("Allow")
        #expect(refusal { try PublicAccessBlockConfiguration.ofNewBucket.check(publicRead) } == denied)
        #expect(refusal { try PublicAccessBlockConfiguration.ofNewBucket.check(policy) } == denied)
        #expect(refusal { try PublicAccessBlockConfiguration().check(publicRead) } == nil)
        #expect(refusal { try PublicAccessBlockConfiguration().check(policy) } == nil)
        #expect(refusal { try PublicAccessBlockConfiguration.ofNewBucket.check(.private(Self.owner)) } == nil)
    }
}
