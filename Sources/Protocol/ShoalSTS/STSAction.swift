import ShoalHTTP
import ShoalS3

/// What a request asks of the Security Token Service.
/// https://docs.aws.amazon.com/STS/latest/APIReference/API_Operations.html
package enum STSAction: Sendable, Equatable {
    case getSessionToken(durationSeconds: Int64)
    case assumeRole(AssumeRole)
    case getCallerIdentity

    package var name: String {
        switch self {
        case .getSessionToken: "GetSessionToken"
        case .assumeRole: "AssumeRole"
        case .getCallerIdentity: "GetCallerIdentity"
        }
    }

    /// Bytes of a request body at most: an AssumeRole with everything that AWS allows in it stays below.
    package static let bodyByteCountMax = 128 * 1024

    private static let version = "2011-06-15"

    /// Whether a request to the root of this port is meant for this service: S3 has nothing that is posted there, and
    /// ListBuckets has no such parameters.
    package static func isAddressed(by head: RequestHead) -> Bool {
        // The shortest test first: every request passes here.
        guard head.path.count <= 1 else { return false }
        switch head.method {
        case .post: return head.first("content-type").map(isForm) ?? false
        case .get:
            // A query that does not decode is S3's matter.
            guard let query = try? QueryParameters(head.query, of: head.target) else { return false }
            return query.first("Action") != nil && query.first("Version")?.elementsEqual(version.utf8) == true
        default: return false
        }
    }

    private static func isForm(_ contentType: ArraySlice<UInt8>) -> Bool {
        let name = contentType.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return name.equalsIgnoringCase("application/x-www-form-urlencoded")
    }

    /// Reads the parameters of query and body, `application/x-www-form-urlencoded` both.
    ///
    /// Throws 400 `MalformedQueryString`, `InvalidAction` or `ValidationError`, and 501 `NotImplemented` for actions and
    /// parameters that Shoal knows and does not act on: ignoring a policy would hand out more than was asked for.
    package init(query: ArraySlice<UInt8>, body: [UInt8]) throws(STSError) {
        let parameters: QueryParameters
        do throws(S3Error) {
            parameters = try QueryParameters((Array(query) + Array("&".utf8) + body)[...], of: [])
        } catch {
            throw STSError(.malformedQueryString, "The query string contains a syntax error")
        }
        let action = parameters.text("Action") ?? ""
        let version = parameters.text("Version") ?? "NO_VERSION_SPECIFIED"
        guard version == Self.version, Self.known.contains(action) else {
            throw STSError(.invalidAction, "Could not find operation \(action) for version \(version)")
        }
        switch action {
        case "GetCallerIdentity": self = .getCallerIdentity
        case "GetSessionToken":
            try parameters.refuse(["SerialNumber", "TokenCode"], in: action)
            self = .getSessionToken(durationSeconds: try parameters.duration(in: 900...129_600) ?? 43_200)
        case "AssumeRole":
            try parameters.refuse(AssumeRole.notBuilt, in: action)
            self = .assumeRole(try AssumeRole(parameters))
        default: throw STSError(.notImplemented, "\(action) is not implemented by Shoal.")
        }
    }

    private static let known: Set<String> = [
        "AssumeRole", "AssumeRoleWithSAML", "AssumeRoleWithWebIdentity", "AssumeRoot", "DecodeAuthorizationMessage",
        "GetAccessKeyInfo", "GetCallerIdentity", "GetDelegatedAccessToken", "GetFederationToken", "GetSessionToken",
        "GetWebIdentityToken",
    ]
}

/// `AssumeRole`: a session under the name of a role.
/// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
package struct AssumeRole: Sendable, Equatable {
    package let roleARN: String
    /// The account that the ARN names.
    package let account: String
    /// The last part of the ARN.
    package let roleName: String
    package let sessionName: String
    /// Nil if the request leaves it to the service: an hour.
    package let durationSeconds: Int64?

    /// The longest session that a role may have, and the longest that a session may hand on.
    package static let durationSecondsMax: Int64 = 43_200
    package static let chainedSecondsMax: Int64 = 3_600
    private static let usualSeconds: Int64 = 3_600

    fileprivate static let notBuilt: [String] = [
        "Policy", "PolicyArns", "ProvidedContexts", "SerialNumber", "SourceIdentity", "Tags", "TokenCode",
        "TransitiveTagKeys",
    ]

    fileprivate init(_ parameters: QueryParameters) throws(STSError) {
        let roleARN = parameters.text("RoleArn")
        let sessionName = parameters.text("RoleSessionName")
        var flaws = Flaws()
        flaws.check(roleARN, "roleArn", length: 20...2_048)
        flaws.check(sessionName, "roleSessionName", length: 2...64, pattern: #"[\w+=,.@-]*"#, isAllowed: Self.isName)
        durationSeconds = try parameters.duration(in: 900...Self.durationSecondsMax, flaws)
        self.roleARN = roleARN ?? ""
        self.sessionName = sessionName ?? ""
        // arn:aws:iam::123456789012:role/path/name
        let parts = self.roleARN.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "arn", parts[1].hasPrefix("aws"), parts[2] == "iam", parts[3].isEmpty,
            parts[4].utf8.count == 12, parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            parts[5].hasPrefix("role/"), let name = parts[5].split(separator: "/").dropFirst().last,
            name.utf8.count <= 64, name.utf8.allSatisfy(Self.isName), !parts[5].hasSuffix("/")
        else { throw STSError(.validationError, "\(self.roleARN) is invalid") }
        account = String(parts[4])
        roleName = String(name)
    }

    /// How long the session lives, in seconds. Throws 400 `ValidationError` for a session that hands on more than an hour.
    package func seconds(isChained: Bool) throws(STSError) -> Int64 {
        let seconds = durationSeconds ?? Self.usualSeconds
        guard !isChained || seconds <= Self.chainedSecondsMax else {
            throw STSError(
                .validationError,
                "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining")
        }
        return seconds
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_+=,.@-".utf8.contains(byte)
        }
    }
}

// MARK: - Parameters

/// Everything that is wrong with the members of one request, for one message.
private struct Flaws {
    private var texts: [String] = []

    mutating func add(_ value: String?, _ member: String, _ constraint: String) {
        let shown = value.map { "'\($0)'" } ?? "null"
        texts.append("Value \(shown) at '\(member)' failed to satisfy constraint: \(constraint)")
    }

    mutating func check(
        _ value: String?, _ member: String, length: ClosedRange<Int>, pattern: String = "",
        isAllowed: (UInt8) -> Bool = { _ in true }
    ) {
        guard let value else { return add(nil, member, "Member must not be null") }
        if value.utf8.count < length.lowerBound {
            add(value, member, "Member must have length greater than or equal to \(length.lowerBound)")
        } else if value.utf8.count > length.upperBound {
            add(value, member, "Member must have length less than or equal to \(length.upperBound)")
        }
        if !value.utf8.allSatisfy(isAllowed) {
            add(value, member, "Member must satisfy regular expression pattern: \(pattern)")
        }
    }

    mutating func check(_ seconds: Int64, _ text: String?, in range: ClosedRange<Int64>) {
        if seconds < range.lowerBound {
            add(text, "durationSeconds", "Member must have value greater than or equal to \(range.lowerBound)")
        } else if seconds > range.upperBound {
            add(text, "durationSeconds", "Member must have value less than or equal to \(range.upperBound)")
        }
    }

    func raise() throws(STSError) {
        guard !texts.isEmpty else { return }
        let noun = texts.count == 1 ? "error" : "errors"
        throw STSError(
            .validationError, "\(texts.count) validation \(noun) detected: \(texts.joined(separator: "; "))")
    }
}

extension QueryParameters {
    /// The first value of that name; nil if it is absent.
    fileprivate func text(_ name: StaticString) -> String? { first(name).map { String(decoding: $0, as: UTF8.self) } }

    /// `DurationSeconds`; nil if it is absent. Raises what was found wrong before, in front of what is wrong with it.
    fileprivate func duration(
        in range: ClosedRange<Int64>, _ earlier: Flaws = Flaws()
    ) throws(STSError) -> Int64? {
        var flaws = earlier
        let text = text("DurationSeconds")
        let seconds = text.flatMap { Int64($0) }
        if let seconds {
            flaws.check(seconds, text, in: range)
        } else if let text {
            flaws.add(text, "durationSeconds", "Member must be an integer")
        }
        try flaws.raise()
        return seconds
    }

    /// Throws 501 for the first parameter that is one of `names`, or a member of a list of that name.
    fileprivate func refuse(_ names: [String], in action: String) throws(STSError) {
        for parameter in self where !parameter.value.isEmpty {
            let name = String(decoding: parameter.name.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
            guard names.contains(name) else { continue }
            throw STSError(.notImplemented, "\(name) of \(action) is not implemented by Shoal.")
        }
    }
}
