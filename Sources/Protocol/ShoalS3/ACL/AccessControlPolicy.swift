import ShoalXML

/// The access control list of a bucket or an object, with its owner.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_AccessControlPolicy.html
package struct AccessControlPolicy: Sendable, Equatable {
    package static let grantCountMax = 100

    package let owner: Owner
    package let grants: [Grant]

    package init(owner: Owner, grants: [Grant]) {
        self.owner = owner
        self.grants = grants
    }

    /// Throws 400: `MalformedACLError` for what the schema does not know, for no owner and for more than 100 grants,
    /// `InvalidArgument` for an id or a group that S3 does not have, and `UnresolvableGrantByEmailAddress`.
    package init(_ body: [UInt8]) throws(S3Error) {
        do throws(S3Error) {
            let root = try XMLBody.requiredRoot(body, named: "AccessControlPolicy")
            try root.checkChildren(once: ["Owner", "AccessControlList"])
            guard let owner = root.child("Owner"), let list = root.child("AccessControlList") else {
                throw S3Error(.malformedACL)
            }
            try owner.checkChildren(once: ["ID", "DisplayName"])
            self.owner = Owner(
                id: try owner.requiredText("ID"), displayName: try owner.optionalText("DisplayName"))
            grants = try Grant.list(list)
        } catch {
            throw error.code == .malformedXML ? S3Error(.malformedACL, cause: error.cause) : error
        }
        guard grants.count <= Self.grantCountMax else { throw S3Error(.malformedACL) }
        _ = try Grantee(userID: owner.id, argument: "CanonicalUser/ID")
    }

    /// As it is stored, with ids only.
    package var document: [UInt8] { document { _ in nil } }

    /// As it is told: `name` gives the display name of a canonical id, if the account has one.
    package func document(name: (String) -> String?) -> [UInt8] {
        var document = XMLWriter(capacity: 512 + grants.count * 320)
        document.openRoot("AccessControlPolicy")
        document.owner(Owner(id: owner.id, displayName: name(owner.id) ?? owner.displayName))
        if grants.isEmpty {
            document.empty("AccessControlList")
        } else {
            document.open("AccessControlList")
            for grant in grants { grant.write(to: &document, name: name) }
            document.close("AccessControlList")
        }
        document.close("AccessControlPolicy")
        return document.bytes
    }
}

// MARK: - Evaluation

extension AccessControlPolicy {
    package enum Requester: Sendable, Equatable {
        case anonymous
        /// Signed, by the account with this canonical id.
        case user(id: String)
    }

    /// Whether the list grants `permission`; `ignoringPublic` leaves out public grants, as IgnorePublicAcls asks.
    ///
    /// The owner may always read and replace the list itself.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#permissions
    package func allows(
        _ permission: Grant.Permission, to requester: Requester, ignoringPublic: Bool = false
    ) -> Bool {
        if requester == .user(id: owner.id), permission == .readACP || permission == .writeACP { return true }
        return grants.contains { grant in
            (grant.permission == permission || grant.permission == .fullControl)
                && !(ignoringPublic && grant.isPublic) && Self.covers(grant.grantee, requester)
        }
    }

    private static func covers(_ grantee: Grantee, _ requester: Requester) -> Bool {
        switch (grantee, requester) {
        case (.user(let id), .user(let requester)): id == requester
        case (.group(.allUsers), _), (.group(.authenticatedUsers), .user): true
        default: false
        }
    }

    package var isPublic: Bool { grants.contains(where: \.isPublic) }

    /// Whether it says no more than that the owner may do everything, which every bucket takes.
    package var isOwnersFullControl: Bool {
        !grants.isEmpty && grants.allSatisfy { $0 == Grant(.fullControl, to: .user(id: owner.id)) }
    }
}
