import ShoalJSON

/// A bucket's policy: who may do what with it and its objects, beyond its owner.
///
/// Differs from S3: variables such as `${aws:username}` stand for themselves, as there are no users to name.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
package struct BucketPolicy: Sendable, Equatable {
    package static let byteCountMax = 20_480

    /// The JSON as it was put, which GetBucketPolicy returns.
    package let text: [UInt8]
    private let statements: [PolicyStatement]

    private static let versions = ["2012-10-17", "2008-10-17"]

    /// Throws 400: `MalformedPolicy`, also for a resource that is not of `bucket`, and `MaxMessageLengthExceeded` beyond
    /// 20 KiB.
    package init(_ body: [UInt8], of bucket: BucketName) throws(S3Error) {
        guard body.count <= Self.byteCountMax else {
            throw S3Error(
                .maxMessageLengthExceeded, elements: [.init("MaxMessageLengthBytes", "\(Self.byteCountMax)")])
        }
        text = body
        statements = try Self.statements(Self.parse(body), of: bucket)
    }

    private static func parse(_ body: [UInt8]) throws(S3Error) -> JSON {
        guard body.first == UInt8(ascii: "{") else { throw S3Error(.malformedPolicy) }
        do throws(JSONParser.Flaw) {
            return try JSONParser.parse(body)
        } catch {
            throw S3Error(.malformedPolicy, cause: error)
        }
    }

    private static func statements(_ json: JSON, of bucket: BucketName) throws(S3Error) -> [PolicyStatement] {
        guard case .object(let members) = json else { throw S3Error(.malformedPolicy) }
        if let unknown = members.first(where: { !["Version", "Id", "Statement"].contains($0.name) }) {
            throw .malformedPolicy("Unknown field \(unknown.name)")
        }
        if let version = json["Version"] {
            guard case .string(let text) = version, versions.contains(text) else {
                throw .malformedPolicy("The policy must contain a valid version string")
            }
        }
        var list: [PolicyStatement] = []
        switch json["Statement"] {
        case nil: throw .malformedPolicy("Missing required field Statement")
        case .array(let elements):
            guard !elements.isEmpty else { throw .malformedPolicy("Could not parse the policy: Statement is empty!") }
            for element in elements { list.append(try PolicyStatement(element, of: bucket)) }
        case let element?: list.append(try PolicyStatement(element, of: bucket))
        }
        return list
    }
}

// MARK: - Judgement

extension BucketPolicy {
    package enum Verdict: Sendable {
        /// A statement allows it and none denies it.
        case allow
        case deny
        /// No statement is about it.
        case none
    }

    /// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
    package func verdict(_ request: PolicyRequest) -> Verdict {
        var verdict = Verdict.none
        for statement in statements where statement.applies(to: request) {
            if statement.effect == .deny { return .deny }
            verdict = .allow
        }
        return verdict
    }

    /// Whether a statement lets in anybody, in the sense of PublicAccessBlock.
    package var isPublic: Bool { statements.contains(where: \.isPublic) }

    /// The answer of GetBucketPolicyStatus.
    /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicyStatus.html
    package var statusDocument: [UInt8] {
        var document = XMLWriter()
        document.openRoot("PolicyStatus")
        document.element("IsPublic", isPublic)
        document.close("PolicyStatus")
        return document.bytes
    }
}

extension S3Error {
    static func malformedPolicy(_ message: String) -> S3Error { S3Error(.malformedPolicy, message) }
}
