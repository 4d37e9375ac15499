import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// Requests signed by botocore: the exact bytes of the target, header lines in wire order.
private struct GeneratedVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let auth: String
    let method: String
    let scheme: String
    let raw_target: String
    let headers: [[String]]
    let access_key: String
    let secret_key: String
    let session_token: String?
    let now: String
    let canonical_request: String
    let string_to_sign: String
    let signature: String
    let region: String

    var testDescription: String { id }
    var request: WireRequest { WireRequest(method, raw_target, pairs: headers) }
    var lookup: (ArraySlice<UInt8>) -> Credential? { knowing(access_key, secret_key, token: session_token) }

    static let all = Fixture.vectors("generated.json", of: GeneratedVector.self)

    /// The claim with the query mechanism's or the header's checks passed.
    func claim(_ head: RequestHead) throws -> SignatureClaim {
        let (query, now) = (QueryParameters(head), Timestamp(iso: now))
        guard case .headerV4(let scheme, let parameters) = try Mechanism(head, query) else {
            return try SignatureClaim(query: query, of: head, at: now)
        }
        return try SignatureClaim(header: parameters, scheme: scheme, of: head, at: now)
    }
}

@Suite struct `Requests signed by botocore` {
    @Test func `are all here`() { #expect(GeneratedVector.all.count == 192) }

    @Test(arguments: GeneratedVector.all)
    fileprivate func `have its canonical request`(vector: GeneratedVector) throws {
        let head = try vector.request.parsed()
        let claim = try vector.claim(head)
        let canonical = try CanonicalRequest(
            head, signedHeaders: claim.signedHeaders, payload: claim.payload,
            scheme: try #require(URLScheme(rawValue: vector.scheme)))
        #expect(text(canonical.bytes) == vector.canonical_request)
    }

    @Test(arguments: GeneratedVector.all)
    fileprivate func `have its string to sign`(vector: GeneratedVector) throws {
        let claim = try vector.claim(try vector.request.parsed())
        let scope = try #require(CredentialScope(claim.credential))
        let stringToSign = StringToSign(
            algorithm: claim.algorithm, date: claim.date, scope: scope.text,
            canonicalRequest: Array(vector.canonical_request.utf8)[...])
        #expect(text(stringToSign.bytes) == vector.string_to_sign)
    }

    @Test(arguments: GeneratedVector.all)
    fileprivate func `have its signature`(vector: GeneratedVector) throws {
        let claim = try vector.claim(try vector.request.parsed())
        let scope = try #require(CredentialScope(claim.credential))
        let key = SigningKey(
            secret: Array(vector.secret_key.utf8), day: scope.day, region: scope.region, service: scope.service)
        #expect(text(key.sign(Array(vector.string_to_sign.utf8)[...]).text) == vector.signature)
    }

    @Test(arguments: GeneratedVector.all)
    fileprivate func `are accepted`(vector: GeneratedVector) throws {
        let scheme = try #require(URLScheme(rawValue: vector.scheme))
        let verdict = Authenticator(regions: .only(vector.region), scheme: scheme)
            .verify(try vector.request.parsed(), at: Timestamp(iso: vector.now), lookup: vector.lookup)
        let authentication = try #require(verdict.authentication, "\(String(describing: verdict.error))")
        #expect(text(authentication.accessKeyId) == vector.access_key)
        #expect(authentication.mechanism == (vector.auth == "query" ? .queryV4 : .headerV4))
    }

    @Test(arguments: GeneratedVector.all)
    fileprivate func `are refused with another secret`(vector: GeneratedVector) throws {
        let scheme = try #require(URLScheme(rawValue: vector.scheme))
        let error = Authenticator(scheme: scheme).verify(
            try vector.request.parsed(), at: Timestamp(iso: vector.now),
            lookup: knowing(vector.access_key, vector.secret_key + "x", token: vector.session_token)
        ).error
        #expect(error?.code == .signatureDoesNotMatch)
        #expect(error?.element("CanonicalRequest") == vector.canonical_request)
        #expect(error?.element("StringToSign") == vector.string_to_sign)
    }
}
