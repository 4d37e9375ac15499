import ShoalXML

/// What a bucket refuses to make public, whatever its lists and its policy say.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PublicAccessBlockConfiguration.html
package struct PublicAccessBlockConfiguration: Sendable, Equatable {
    /// A write with a public access control list is refused.
    package let blockPublicACLs: Bool
    /// Public grants do not count.
    package let ignorePublicACLs: Bool
    /// A public policy is refused.
    package let blockPublicPolicy: Bool
    /// A public policy lets in nobody but the bucket's own account.
    package let restrictPublicBuckets: Bool

    package init(
        blockPublicACLs: Bool = false, ignorePublicACLs: Bool = false, blockPublicPolicy: Bool = false,
        restrictPublicBuckets: Bool = false
    ) {
        self.blockPublicACLs = blockPublicACLs
        self.ignorePublicACLs = ignorePublicACLs
        self.blockPublicPolicy = blockPublicPolicy
        self.restrictPublicBuckets = restrictPublicBuckets
    }

    /// That of a new bucket; once deleted, a bucket has none and blocks nothing.
    package static let ofNewBucket = PublicAccessBlockConfiguration(
        blockPublicACLs: true, ignorePublicACLs: true, blockPublicPolicy: true, restrictPublicBuckets: true)

    /// What is absent is false. Throws 400 `MissingRequestBodyError`, `MalformedXML`, or `InvalidRequest` if all four are
    /// absent.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "PublicAccessBlockConfiguration")
        try root.checkChildren(
            once: ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"])
        guard !root.children.isEmpty else {
            throw S3Error(.invalidRequest, "Must specify at least one configuration.")
        }
        self.init(
            blockPublicACLs: try root.flag("BlockPublicAcls") ?? false,
            ignorePublicACLs: try root.flag("IgnorePublicAcls") ?? false,
            blockPublicPolicy: try root.flag("BlockPublicPolicy") ?? false,
            restrictPublicBuckets: try root.flag("RestrictPublicBuckets") ?? false)
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        document.openRoot("PublicAccessBlockConfiguration")
        document.element("BlockPublicAcls", blockPublicACLs)
        document.element("IgnorePublicAcls", ignorePublicACLs)
        document.element("BlockPublicPolicy", blockPublicPolicy)
        document.element("RestrictPublicBuckets", restrictPublicBuckets)
        document.close("PublicAccessBlockConfiguration")
        return document.bytes
    }
}

// MARK: - Rules

extension PublicAccessBlockConfiguration {
    /// Throws 403 `AccessDenied` if a list like this may not be put.
    package func check(_ acl: AccessControlPolicy) throws(S3Error) {
        guard !(blockPublicACLs && acl.isPublic) else { throw S3Error(.accessDenied) }
    }

    /// Throws 403 `AccessDenied` if a policy like this may not be put.
    package func check(_ policy: BucketPolicy) throws(S3Error) {
        guard !(blockPublicPolicy && policy.isPublic) else { throw S3Error(.accessDenied) }
    }
}
