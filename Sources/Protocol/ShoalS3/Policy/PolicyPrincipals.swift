import ShoalJSON

/// Whom a statement is about.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
struct PolicyPrincipals: Sendable, Equatable {
    private enum Entry: Sendable, Equatable {
        case anybody
        /// All of an account, by its 12 digits.
        case account(String)
        /// One user, role or session.
        case arn(String)
        case canonicalUser(String)
        /// A service or an identity provider, none of which comes here.
        case elsewhere
    }

    private let entries: [Entry]

    /// Throws 400 `MalformedPolicy`.
    init(_ json: JSON) throws(S3Error) {
        switch json {
        case .string("*"): entries = [.anybody]
        case .object(let kinds):
            var entries: [Entry] = []
            for kind in kinds {
                for name in try PolicyStatement.strings(kind.value, orElse: Self.invalid) {
                    entries.append(try Self.entry(kind.name, name))
                }
            }
            guard !entries.isEmpty else { throw Self.invalid }
            self.entries = entries
        default: throw Self.invalid
        }
    }

    private static var invalid: S3Error { .malformedPolicy("Invalid principal in policy") }

    private static func entry(_ kind: String, _ name: String) throws(S3Error) -> Entry {
        switch kind {
        case "AWS":
            if name == "*" { return .anybody }
            if isAccount(name[...]) { return .account(name) }
            guard name.hasPrefix("arn:aws:iam::") || name.hasPrefix("arn:aws:sts::") else { throw invalid }
            let rest = name.dropFirst(13)
            guard let colon = rest.firstIndex(of: ":"), isAccount(rest[..<colon]) || rest[..<colon] == "cloudfront",
                rest.index(after: colon) < rest.endIndex
            else { throw invalid }
            return rest[colon...] == ":root" ? .account(String(rest[..<colon])) : .arn(name)
        case "CanonicalUser": return .canonicalUser(name)
        case "Service", "Federated": return .elsewhere
        default: throw invalid
        }
    }

    private static func isAccount(_ text: Substring) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Whether everybody is meant, unsigned requests too.
    var includeAnybody: Bool { entries.contains(.anybody) }

    func cover(_ principal: PolicyRequest.Principal) -> Bool {
        entries.contains { entry in
            switch (entry, principal) {
            case (.anybody, _): true
            case (.account(let account), .account(let id, _, _)): account == id
            case (.arn(let arn), .account(_, let own, _)): arn == own
            case (.canonicalUser(let canonicalID), .account(_, _, let own)): canonicalID == own
            default: false
            }
        }
    }
}
