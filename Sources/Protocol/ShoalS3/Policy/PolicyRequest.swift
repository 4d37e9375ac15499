/// What a policy judges: who wants to do what with which resource, and the circumstances.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
package struct PolicyRequest: Sendable {
    package let principal: Principal
    /// `s3:GetObject` and the like.
    package let action: String
    /// An ARN as UTF-8 bytes, which are compared one by one.
    package let resource: [UInt8]
    package var conditions: [ConditionKey: [String]]

    package enum Principal: Sendable, Equatable {
        case anonymous
        /// Signed by a user or role of this account, 12 digits; `arn` is the user's own or the account's root's.
        case account(String, arn: String, canonicalID: String?)
    }

    package init(
        _ principal: Principal, action: String, resource: [UInt8], conditions: [ConditionKey: [String]] = [:]
    ) {
        self.principal = principal
        self.action = action
        self.resource = resource
        self.conditions = conditions
    }

    private static let resourcePrefix = "arn:aws:s3:::"

    /// `arn:aws:s3:::bucket`.
    package static func resource(_ bucket: BucketName) -> [UInt8] { Array((resourcePrefix + bucket.text).utf8) }

    /// `arn:aws:s3:::bucket/key`.
    package static func resource(_ path: ObjectPath) -> [UInt8] {
        resource(path.bucket) + [UInt8(ascii: "/")] + path.key.bytes
    }
}

/// The name of a circumstance, such as `aws:SourceIp`; case counts only behind a slash, in the name of a tag.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
package struct ConditionKey: Hashable, Sendable, ExpressibleByStringLiteral {
    private let name: [UInt8]

    package init(_ name: String) {
        let bytes = Array(name.utf8)
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        self.name = bytes[..<slash].map(\.lowercasedASCII) + bytes[slash...]
    }

    package init(stringLiteral value: String) { self.init(value) }

    /// A tag of the object that is there.
    package static func existingObjectTag(_ key: String) -> ConditionKey { ConditionKey("s3:ExistingObjectTag/" + key) }

    /// A tag that the request brings.
    package static func requestObjectTag(_ key: String) -> ConditionKey { ConditionKey("s3:RequestObjectTag/" + key) }

    /// Whether S3 would know the name by its service.
    var isOfKnownService: Bool { name[...].hasPrefix("aws:") || name[...].hasPrefix("s3:") }
}
