import ShoalJSON

/// One rule of a policy: for whom, what and where it holds, and what follows.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_statement.html
struct PolicyStatement: Sendable, Equatable {
    enum Effect: String { case allow = "Allow", deny = "Deny" }

    let effect: Effect
    private let principals: PolicyPrincipals
    private let excludesPrincipals: Bool
    private let actions: [WildcardPattern]
    private let excludesActions: Bool
    private let resources: [WildcardPattern]
    private let excludesResources: Bool
    private let conditions: [PolicyCondition]

    private static let members = [
        "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    ]

    /// Throws 400 `MalformedPolicy`.
    init(_ json: JSON, of bucket: BucketName) throws(S3Error) {
        guard case .object(let members) = json else { throw .malformedPolicy("Invalid policy syntax.") }
        if let unknown = members.first(where: { !Self.members.contains($0.name) }) {
            throw .malformedPolicy("Unknown field \(unknown.name)")
        }
        if let id = json["Sid"], case .string = id {
        } else if json["Sid"] != nil {
            throw .malformedPolicy("Invalid policy syntax.")
        }
        effect = try Self.effect(json)
        let (principal, excludesPrincipals) = try Self.either("Principal", "NotPrincipal", of: json)
        self.excludesPrincipals = excludesPrincipals
        principals = try PolicyPrincipals(principal)
        let (action, excludesActions) = try Self.either("Action", "NotAction", of: json)
        self.excludesActions = excludesActions
        let names = try Self.strings(action, orElse: .malformedPolicy("Policy has invalid action"))
        let (resource, excludesResources) = try Self.either("Resource", "NotResource", of: json)
        self.excludesResources = excludesResources
        let arns = try Self.strings(resource, orElse: .malformedPolicy("Policy has invalid resource"))
        actions = try Self.actions(names)
        resources = try Self.resources(arns, of: bucket)
        conditions = try json["Condition"].map(PolicyCondition.list) ?? []
        if !excludesActions && !excludesResources { try Self.checkThatActionsApply(names, arns) }
    }

    private static func effect(_ json: JSON) throws(S3Error) -> Effect {
        guard let effect = json["Effect"] else { throw .malformedPolicy("Missing required field Effect") }
        guard case .string(let text) = effect, let known = Effect(rawValue: text) else {
            throw .malformedPolicy("Invalid effect: \(effect.text)")
        }
        return known
    }

    /// The one of two members that is there, and whether it is the second.
    private static func either(_ name: String, _ negation: String, of json: JSON) throws(S3Error) -> (JSON, Bool) {
        switch (json[name], json[negation]) {
        case (let value?, nil): return (value, false)
        case (nil, let value?): return (value, true)
        case (nil, nil): throw .malformedPolicy("Missing required field \(name)")
        case (.some, .some): throw .malformedPolicy("Invalid policy syntax.")
        }
    }

    /// A string, or a list of them that is not empty.
    static func strings(_ json: JSON, orElse error: @autoclosure () -> S3Error) throws(S3Error) -> [String] {
        switch json {
        case .string(let text): return [text]
        case .array(let elements) where !elements.isEmpty:
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw error() }
                texts.append(text)
            }
            return texts
        default: throw error()
        }
    }

    private static func actions(_ names: [String]) throws(S3Error) -> [WildcardPattern] {
        var patterns: [WildcardPattern] = []
        for name in names {
            let pattern = WildcardPattern(name.utf8.map(\.lowercasedASCII))
            guard PolicyAction.isKnown(pattern) else { throw .malformedPolicy("Policy has invalid action") }
            patterns.append(pattern)
        }
        return patterns
    }

    /// A policy speaks of its own bucket only.
    private static func resources(_ arns: [String], of bucket: BucketName) throws(S3Error) -> [WildcardPattern] {
        var patterns: [WildcardPattern] = []
        for arn in arns {
            guard arn.hasPrefix("arn:aws:s3:::") else { throw .malformedPolicy("Policy has invalid resource") }
            let bytes = Array(arn.utf8)
            let name = bytes[13...].prefix { $0 != UInt8(ascii: "/") }
            guard WildcardPattern(name).matches(bucket.text.utf8) else {
                throw .malformedPolicy("Policy has invalid resource")
            }
            patterns.append(WildcardPattern(bytes))
        }
        return patterns
    }

    /// A right to objects says nothing about a bucket, and the other way round.
    private static func checkThatActionsApply(_ names: [String], _ arns: [String]) throws(S3Error) {
        let reachesObjects = arns.contains { $0.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "*") } }
        let reachesBucket = arns.contains { !$0.utf8.contains(UInt8(ascii: "/")) || $0.hasPrefix("arn:aws:s3:::*") }
        for name in names where !WildcardPattern(name.utf8).hasWildcards {
            guard PolicyAction.isOnObjects(name) ? reachesObjects : reachesBucket else {
                throw .malformedPolicy("Action does not apply to any resource(s) in statement")
            }
        }
    }
}

// MARK: - Evaluation

extension PolicyStatement {
    func applies(to request: PolicyRequest) -> Bool {
        let action = request.action.utf8.map(\.lowercasedASCII)
        return principals.cover(request.principal) != excludesPrincipals
            && actions.contains { $0.matches(action) } != excludesActions
            && resources.contains { $0.matches(request.resource) } != excludesResources
            && conditions.allSatisfy { $0.holds(request) }
    }

    /// Whether the statement lets in whoever comes, from wherever.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-policy-status
    var isPublic: Bool {
        effect == .allow && (principals.includeAnybody || excludesPrincipals)
            && !conditions.contains(where: \.restrictsToFixedCallers)
    }
}

extension PolicyCondition {
    private static let callerKeys: Set<ConditionKey> = [
        "aws:SourceArn", "aws:SourceVpc", "aws:SourceVpce", "aws:SourceOwner", "aws:SourceAccount", "aws:userid",
        "aws:PrincipalOrgID", "aws:PrincipalAccount", "aws:PrincipalArn", "s3:DataAccessPointAccount",
        "s3:DataAccessPointArn", "s3:x-amz-server-side-encryption-aws-kms-key-id",
    ]

    /// Whether it holds only for callers that the policy names without wildcards, or from no wide range of addresses.
    var restrictsToFixedCallers: Bool {
        guard !isNegated, !ifExists, quantifier != .all, !values.isEmpty else { return false }
        switch comparison {
        case .string, .stringIgnoringCase: return Self.callerKeys.contains(key)
        case .pattern:
            return Self.callerKeys.contains(key) && !values.contains { WildcardPattern($0.utf8).hasWildcards }
        case .address:
            return key == "aws:SourceIp"
                && values.allSatisfy { value in
                    AddressRange(value).map { $0.prefixLength >= ($0.address.count == 4 ? 8 : 32) } ?? false
                }
        case .number, .date, .bool, .null: return false
        }
    }
}
