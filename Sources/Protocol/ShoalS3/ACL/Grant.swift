import ShoalXML

/// One line of an access control list: who may do what.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Grant.html
package struct Grant: Sendable, Equatable {
    package enum Permission: String, CaseIterable, Sendable {
        case fullControl = "FULL_CONTROL"
        case write = "WRITE"
        case writeACP = "WRITE_ACP"
        case read = "READ"
        case readACP = "READ_ACP"
    }

    package let grantee: Grantee
    package let permission: Permission

    package init(_ permission: Permission, to grantee: Grantee) {
        self.grantee = grantee
        self.permission = permission
    }

    /// Whether the grant makes something public in the sense of PublicAccessBlock.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    package var isPublic: Bool { grantee == .group(.allUsers) || grantee == .group(.authenticatedUsers) }
}

/// Whom a grant names. An address of mail is none: no account here has one.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Grantee.html
package enum Grantee: Sendable, Equatable {
    /// 64 hexadecimal digits, in lower case.
    case user(id: String)
    case group(Group)

    package enum Group: String, CaseIterable, Sendable {
        /// Anybody, signed or not.
        case allUsers = "http://acs.amazonaws.com/groups/global/AllUsers"
        /// Anybody whose request is signed, of whatever account.
        case authenticatedUsers = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers"
        case logDelivery = "http://acs.amazonaws.com/groups/s3/LogDelivery"
    }

    /// Throws 400 `InvalidArgument` for what is no canonical id; `argument` is how the error names it.
    package init(userID id: String, argument: String = "id") throws(S3Error) {
        guard Self.isCanonicalID(id) else { throw .invalidArgument("Invalid id", name: argument, value: id) }
        self = .user(id: id.lowercased())
    }

    /// Throws 400 `InvalidArgument` for a group S3 does not have; `argument` is how the error names it.
    package init(groupURI uri: String, argument: String = "uri") throws(S3Error) {
        guard let group = Group(rawValue: uri) else {
            throw .invalidArgument("Invalid group uri", name: argument, value: uri)
        }
        self = .group(group)
    }

    /// Whether it has the form of a canonical id.
    private static func isCanonicalID(_ id: String) -> Bool {
        id.utf8.count == 64 && id.utf8.allSatisfy(isHexadecimalDigit) || id == Owner.anonymousID
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

// MARK: - XML

extension Grant {
    /// The `Grant` children of a list.
    ///
    /// Throws 400: `MalformedXML`, `InvalidArgument` for an id or a group that S3 does not have, and
    /// `UnresolvableGrantByEmailAddress`.
    static func list(_ element: XMLElement) throws(S3Error) -> [Grant] {
        try element.checkChildren(repeated: ["Grant"])
        var grants: [Grant] = []
        for child in element.children {
            try child.checkChildren(once: ["Grantee", "Permission"])
            guard let grantee = child.child("Grantee") else { throw S3Error(.malformedXML) }
            let permission: Permission = try child.requiredChoice("Permission")
            grants.append(Grant(permission, to: try Grantee(grantee)))
        }
        return grants
    }

    /// `name` gives the display name of a canonical id, if the account has one.
    func write(to document: inout XMLWriter, name: (String) -> String? = { _ in nil }) {
        document.markup("<Grant><Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"")
        switch grantee {
        case .user(let id):
            document.markup("CanonicalUser\">")
            document.element("ID", id)
            if let name = name(id) { document.element("DisplayName", name) }
        case .group(let group):
            document.markup("Group\">")
            document.element("URI", group.rawValue)
        }
        document.close("Grantee")
        document.element("Permission", permission.rawValue)
        document.close("Grant")
    }
}

extension Grantee {
    private enum Kind: String {
        case canonicalUser = "CanonicalUser"
        case group = "Group"
        case amazonCustomerByEmail = "AmazonCustomerByEmail"
    }

    private static let instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"

    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: ["DisplayName", "EmailAddress", "ID", "URI"])
        let type = element.attributes.first { $0.name == "type" && $0.namespace == Self.instanceNamespace }
        switch type.flatMap({ Kind(rawValue: $0.value) }) {
        case .canonicalUser: try self.init(userID: try element.requiredText("ID"), argument: "CanonicalUser/ID")
        case .group: try self.init(groupURI: try element.requiredText("URI"), argument: "Group/URI")
        case .amazonCustomerByEmail:
            _ = try element.requiredText("EmailAddress")
            throw S3Error(.unresolvableGrantByEmailAddress)
        case nil: throw S3Error(.malformedXML)
        }
    }
}
