import ShoalHTTP

/// The access control list a write asks for: a ready-made one, grants in headers, or a document.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/managing-acls.html
package enum RequestedACL: Sendable, Equatable {
    case canned(CannedACL)
    case grants([Grant])
    case policy(AccessControlPolicy)

    /// What the headers of CreateBucket, PutObject and their like ask for; nil if they are silent.
    ///
    /// Throws 400: `InvalidRequest` for both kinds of headers, `InvalidArgument` for what they cannot say, and
    /// `UnresolvableGrantByEmailAddress`.
    package static func named(in fields: RequestFields) throws(S3Error) -> RequestedACL? {
        let canned = try CannedACL.named(in: fields)
        let grants = try Grant.named(in: fields)
        guard canned == nil || grants == nil else {
            throw S3Error(.invalidRequest, "Specifying both Canned ACLs and Header Grants is not allowed")
        }
        return canned.map(RequestedACL.canned) ?? grants.map(RequestedACL.grants)
    }

    /// What PutBucketAcl and PutObjectAcl ask for.
    ///
    /// Throws what the headers and the document throw, and 400: `UnexpectedContent` for a document besides headers,
    /// `MissingSecurityHeader` for neither.
    package init(_ fields: RequestFields, body: [UInt8]) throws(S3Error) {
        if let named = try Self.named(in: fields) {
            guard body.isEmpty else { throw S3Error(.unexpectedContent) }
            self = named
        } else {
            guard !body.isEmpty else {
                throw S3Error(.missingSecurityHeader, elements: [.init("MissingHeaderName", "x-amz-acl")])
            }
            self = .policy(try AccessControlPolicy(body))
        }
    }

    /// The list itself; `owner` is that of the object or bucket, which a document cannot change.
    package func policy(owner: Owner, bucketOwner: Owner) -> AccessControlPolicy {
        switch self {
        case .canned(let canned): AccessControlPolicy(canned, owner: owner, bucketOwner: bucketOwner)
        case .grants(let grants): AccessControlPolicy(owner: owner, grants: grants)
        case .policy(let policy): AccessControlPolicy(owner: owner, grants: policy.grants)
        }
    }

    /// Throws 400 `InvalidBucketAclWithObjectOwnership` if a bucket is to be made with this list and an ownership under
    /// which lists do not count.
    package func checkCreation(under ownership: ObjectOwnership) throws(S3Error) {
        guard ownership != .bucketOwnerEnforced || self == .canned(.private) else {
            throw S3Error(.invalidBucketAclWithObjectOwnership)
        }
    }

    /// Throws 400 `AccessControlListNotSupported` if the bucket leaves no room for lists and this one says more than
    /// that the owner may do everything.
    package func check(under ownership: ObjectOwnership) throws(S3Error) {
        guard ownership == .bucketOwnerEnforced else { return }
        let isHarmless =
            switch self {
            case .canned(let canned): canned.isAllowedUnderBucketOwnerEnforced
            case .grants: false
            case .policy(let policy): policy.isOwnersFullControl
            }
        guard isHarmless else { throw S3Error(.accessControlListNotSupported) }
    }
}

extension Grant {
    private static func permission(_ fields: RequestFields, _ index: Int) -> (
        name: String, value: ArraySlice<UInt8>?, permission: Permission
    ) {
        switch index {
        case 0: ("x-amz-grant-full-control", fields.first("x-amz-grant-full-control"), .fullControl)
        case 1: ("x-amz-grant-read", fields.first("x-amz-grant-read"), .read)
        case 2: ("x-amz-grant-read-acp", fields.first("x-amz-grant-read-acp"), .readACP)
        case 3: ("x-amz-grant-write", fields.first("x-amz-grant-write"), .write)
        default: ("x-amz-grant-write-acp", fields.first("x-amz-grant-write-acp"), .writeACP)
        }
    }

    /// The grants of the `x-amz-grant-*` headers, each a list such as `id="…", uri="…"`; nil if there is none.
    ///
    /// Throws 400 `InvalidArgument`, or `UnresolvableGrantByEmailAddress`.
    fileprivate static func named(in fields: RequestFields) throws(S3Error) -> [Grant]? {
        var grants: [Grant] = []
        var isNamed = false
        for index in 0..<5 {
            let (name, value, permission) = permission(fields, index)
            guard let value else { continue }
            isNamed = true
            for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let (kind, text) = Self.pair(item.trimmed) else { throw .unknownGrant(name, value) }
                switch kind.lowercased() {
                case "id": grants.append(Grant(permission, to: try Grantee(userID: text)))
                case "uri": grants.append(Grant(permission, to: try Grantee(groupURI: text)))
                case "emailaddress": throw S3Error(.unresolvableGrantByEmailAddress)
                default: throw .unknownGrant(name, value)
                }
            }
        }
        return isNamed ? grants : nil
    }

    /// Name and value of `name="value"` or `name=value`.
    private static func pair(_ item: ArraySlice<UInt8>) -> (String, String)? {
        guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        var value = item[(equals + 1)...].trimmed
        if value.first == UInt8(ascii: "\"") || value.first == UInt8(ascii: "'") {
            guard value.count >= 2, value.last == value.first else { return nil }
            value = value.dropFirst().dropLast()
        }
        return (item[..<equals].trimmed.text, value.text)
    }
}

extension S3Error {
    fileprivate static func unknownGrant(_ name: String, _ value: ArraySlice<UInt8>) -> S3Error {
        .invalidArgument("Argument format not recognized", name: name, value: value.text)
    }
}
