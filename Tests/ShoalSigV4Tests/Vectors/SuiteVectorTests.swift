import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// One signed request of AWS's own suites, whose service is called `service`.
private struct SuiteCase: Sendable, CustomTestStringConvertible {
    let name: String
    let secret: String
    /// The request with its signature, lines ended by LF.
    let signedRequest: String
    let canonicalRequest: String
    let stringToSign: String
    let signature: String

    var testDescription: String { name }

    /// What S3, or HTTP as we accept it, does otherwise than the suite's service.
    static let differences: [(names: Set<String>, reason: String)] = [
        (["get-header-value-multiline"], "HTTP/1.1 servers refuse folded header lines (RFC 9112 §5.2)"),
        (
            ["get-space-normalized", "get-space-unnormalized", "normalize-path/get-space"],
            "a request target holds no blank (RFC 9112 §3.2)"
        ),
        (
            [
                "get-relative-normalized", "get-relative-relative-normalized", "get-slash-dot-slash-normalized",
                "get-slash-normalized", "get-slash-pointless-dot-normalized", "get-slashes-normalized",
                "normalize-path/get-relative", "normalize-path/get-relative-relative",
                "normalize-path/get-slash-dot-slash", "normalize-path/get-slash",
                "normalize-path/get-slash-pointless-dot", "normalize-path/get-slashes",
            ], "S3 does not normalise a path"
        ),
        (["post-sts-header-after (query)"], "in S3 a token in the query is signed like every other parameter"),
    ]

    static let all = awsCAuth + botocore
    static let skipped = all.filter(\.differs)
    static let applicable = all.filter { !$0.differs }

    /// Listed with or without the mark of the mechanism.
    private var differs: Bool {
        let baseName = String(name.prefix { $0 != " " })
        return Self.differences.contains { $0.names.contains(name) || $0.names.contains(baseName) }
    }

    func parsed() throws -> RequestHead {
        let head = signedRequest.split(separator: "\n\n", maxSplits: 1)[0]
        let bytes = Array((head.split(separator: "\n").joined(separator: "\r\n") + "\r\n\r\n").utf8)
        var parser = HeadParser()
        guard let parsed = try parser.parse(bytes.span) else { throw WireRequest.IncompleteHead() }
        return parsed.head
    }
}

extension SuiteCase {
    private struct AWSCAuthCase: Decodable {
        struct Context: Decodable {
            struct Credentials: Decodable { let secret_access_key: String }
            let credentials: Credentials
        }
        let name: String
        let context: Context
        let headerCanonicalRequest: String
        let headerStringToSign: String
        let headerSignature: String
        let headerSignedRequest: String
        let queryCanonicalRequest: String
        let queryStringToSign: String
        let querySignature: String
        let querySignedRequest: String

        enum CodingKeys: String, CodingKey {
            case name, context
            case headerCanonicalRequest = "header-canonical-request"
            case headerStringToSign = "header-string-to-sign"
            case headerSignature = "header-signature"
            case headerSignedRequest = "header-signed-request"
            case queryCanonicalRequest = "query-canonical-request"
            case queryStringToSign = "query-string-to-sign"
            case querySignature = "query-signature"
            case querySignedRequest = "query-signed-request"
        }
    }

    static let awsCAuth = Fixture.vectors("aws-c-auth-v4.json", of: AWSCAuthCase.self).flatMap { one in
        [
            SuiteCase(
                name: "\(one.name) (header)", secret: one.context.credentials.secret_access_key,
                signedRequest: one.headerSignedRequest, canonicalRequest: one.headerCanonicalRequest,
                stringToSign: one.headerStringToSign, signature: one.headerSignature),
            SuiteCase(
                name: "\(one.name) (query)", secret: one.context.credentials.secret_access_key,
                signedRequest: one.querySignedRequest, canonicalRequest: one.queryCanonicalRequest,
                stringToSign: one.queryStringToSign, signature: one.querySignature),
        ]
    }

    private struct BotocoreCase: Decodable {
        let name: String
        let authz: String
        let creq: String
        let sreq: String
        let sts: String
    }

    static let botocore = Fixture.vectors("botocore-aws4-testsuite.json", of: BotocoreCase.self).map { one in
        SuiteCase(
            name: one.name, secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", signedRequest: one.sreq,
            canonicalRequest: one.creq, stringToSign: one.sts,
            signature: String(one.authz.suffix(64)))
    }
}

@Suite struct `AWS's signing suites` {
    @Test(arguments: SuiteCase.applicable)
    fileprivate func `agree in every stage`(one: SuiteCase) throws {
        let head = try one.parsed()
        let query = QueryParameters(head)
        let claim = try Claim(head, query)
        let payload = try #require(one.canonicalRequest.split(separator: "\n").last)
        let canonical = try CanonicalRequest(
            head, signedHeaders: claim.signedHeaders, payload: Array(payload.utf8)[...])
        #expect(text(canonical.bytes) == one.canonicalRequest)
        let scope = try #require(CredentialScope(claim.credential))
        let stringToSign = StringToSign(
            algorithm: Array("AWS4-HMAC-SHA256".utf8)[...], date: claim.date, scope: scope.text,
            canonicalRequest: Array(one.canonicalRequest.utf8)[...])
        #expect(text(stringToSign.bytes) == one.stringToSign)
        let key = SigningKey(
            secret: Array(one.secret.utf8), day: scope.day, region: scope.region, service: scope.service)
        let signature = key.sign(Array(one.stringToSign.utf8)[...])
        #expect(text(signature.text) == one.signature)
        // Botocore's copy of this request carries a signature that belongs to none of its own files.
        if one.name != "get-vanilla-with-session-token" { #expect(signature.matches(Signature(claim.signature))) }
    }

    @Test func `are counted, and so is what does not apply to S3`() {
        #expect(SuiteCase.awsCAuth.count == 76)
        #expect(SuiteCase.botocore.count == 34)
        // 3 folded, 5 with a blank, 18 normalised, 1 with its token added later.
        #expect(SuiteCase.skipped.count == 3 + 5 + 18 + 1)
        #expect(SuiteCase.applicable.count == 83)
    }

    /// What the authenticator would read, without its judgement on service and time.
    private struct Claim {
        let credential: ArraySlice<UInt8>
        let signedHeaders: ArraySlice<UInt8>
        let signature: ArraySlice<UInt8>
        let date: ArraySlice<UInt8>

        init(_ head: RequestHead, _ query: QueryParameters) throws {
            if let authorization = head.first("authorization") {
                let components = AuthorizationComponents(
                    authorization.drop { $0 != UInt8(ascii: " ") }.dropFirst())
                credential = try #require(components.credential)
                signedHeaders = try #require(components.signedHeaders)
                signature = try #require(components.signature)
                date = try #require(head.first("x-amz-date"))
            } else {
                credential = try #require(query.first("X-Amz-Credential"))
                signedHeaders = try #require(query.first("X-Amz-SignedHeaders"))
                signature = try #require(query.first("X-Amz-Signature"))
                date = try #require(query.first("X-Amz-Date"))
            }
        }
    }
}
