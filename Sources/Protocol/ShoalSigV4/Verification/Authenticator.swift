import ShoalHTTP
import ShoalS3

/// Decides who sent a request, by the head alone and in the order of S3's own checks.
///
/// A pure function of its arguments but for the keys it remembers; one value serves all threads.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
package struct Authenticator: Sendable {
    /// What a client's clock may be off, and how far ahead a presigned URL may be dated.
    package static let clockSkewMaxSeconds: Int64 = 900
    /// The longest life of a presigned V4 URL: seven days.
    package static let expirySecondsMax: Int64 = 604_800

    package let regions: RegionPolicy
    package let scheme: URLScheme
    let keys: SigningKeyCache

    package init(regions: RegionPolicy = .any, scheme: URLScheme = .http, keys: SigningKeyCache = SigningKeyCache()) {
        self.regions = regions
        self.scheme = scheme
        self.keys = keys
    }

    /// The same rules and keys for a connection of the other scheme.
    package func speaking(_ scheme: URLScheme) -> Authenticator {
        Authenticator(regions: regions, scheme: scheme, keys: keys)
    }

    /// The same keys under another rule for regions.
    func taking(_ regions: RegionPolicy) -> Authenticator {
        Authenticator(regions: regions, scheme: scheme, keys: keys)
    }

    /// Judges a head. `hostBucket` is the bucket that the Host field names in a virtual-host request, which Signature
    /// Version 2 signs as part of the path; `lookup` finds what the server knows of an access key.
    package func verify(
        _ head: RequestHead, at now: Timestamp, hostBucket: [UInt8]? = nil,
        lookup: (ArraySlice<UInt8>) -> Credential?
    ) -> Verdict {
        do throws(S3Error) {
            return try judge(head, at: now, hostBucket: hostBucket, lookup: lookup)
        } catch {
            return .rejected(error)
        }
    }

    private func judge(
        _ head: RequestHead, at now: Timestamp, hostBucket: [UInt8]?, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Verdict {
        guard PercentEncoding.isDecodable(head.path) else {
            throw .invalidURI(head.target)
        }
        let query = RawQuery(head)
        switch try Mechanism(head, query) {
        case .none: return .anonymous(try PayloadExpectation.withoutSeed(head, refusal: Self.anonymousStreaming))
        case .headerV4(let scheme, let parameters):
            let claim = try SignatureClaim(header: parameters, scheme: scheme, of: head, at: now)
            return .accepted(try verify(claim, of: head, query, at: now, lookup: lookup))
        case .queryV4:
            let claim = try SignatureClaim(query: query, of: head, at: now)
            return .accepted(try verify(claim, of: head, query, at: now, lookup: lookup))
        case .headerV2(let parameters):
            let request = RequestV2(head: head, query: query, hostBucket: hostBucket)
            return .accepted(try request.verifyHeader(parameters, at: now, lookup: lookup))
        case .queryV2:
            let request = RequestV2(head: head, query: query, hostBucket: hostBucket)
            return .accepted(try request.verifyQuery(at: now, lookup: lookup))
        }
    }

    private static let anonymousStreaming =
        "Anonymous requests don't support this x-amz-content-sha256 value. Please use UNSIGNED-PAYLOAD or "
        + "STREAMING-UNSIGNED-PAYLOAD-TRAILER."

    /// From the scope on, both V4 mechanisms are checked alike.
    func verify(
        _ claim: SignatureClaim, of head: RequestHead, _ query: RawQuery, service: StaticString = "s3",
        at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Authentication {
        let scope: CredentialScope
        do throws(ScopeFault) {
            scope = try ScopeFault.check(claim.credential, regions, service: service)
        } catch {
            throw claim.refusal(error)
        }
        try claim.checkDay(of: scope)
        try HeadersNotSigned.check(head, signedHeaders: claim.signedHeaders)
        let credential = try Credential.resolve(scope.accessKeyId, token: claim.token, at: now, in: lookup)
        let key = keys.key(for: scope, secret: credential.secret)
        try match(claim, scope, key, head, query)
        let payload = try PayloadExpectation.of(claim.payload) {
            ChunkSigning(
                seed: Signature(claim.signature), key: key, accessKeyId: Array(scope.accessKeyId),
                date: Array(claim.date), scope: Array(scope.text))
        }
        return Authentication(
            accessKeyId: Array(scope.accessKeyId), session: credential.session?.temporary, mechanism: claim.mechanism,
            signedHeaders: Array(claim.signedHeaders), issued: claim.issued, expiry: claim.expiry, payload: payload)
    }

    private func match(
        _ claim: SignatureClaim, _ scope: CredentialScope, _ key: SigningKey, _ head: RequestHead,
        _ query: RawQuery
    ) throws(S3Error) {
        let provided = Signature(claim.signature)
        var refusal: S3Error?
        for hostForm in hostForms(of: head) {
            let parts = CanonicalParts(
                head: head, query: query, signedHeaders: claim.signedHeaders, payload: claim.payload,
                hostForm: hostForm)
            // One buffer holds the canonical request and behind it the string to sign.
            var buffer: [UInt8] = []
            try parts.append(to: &buffer)
            let split = buffer.count
            StringToSign.append(
                algorithm: claim.algorithm, date: claim.date, scope: scope.text, canonicalRequest: buffer[..<split],
                to: &buffer)
            if key.sign(buffer[split...]).matches(provided) { return }
            if refusal == nil {
                refusal = SignatureMismatch.refusal(
                    accessKeyId: scope.accessKeyId, stringToSign: buffer[split...], provided: claim.signature,
                    canonicalRequest: buffer[..<split])
            }
        }
        throw refusal ?? S3Error(.signatureDoesNotMatch)
    }

    /// The scheme's own form first; a Host that ends in a default port is also tried with it and without it, because a
    /// proxy in front may have spoken TLS with the client.
    private func hostForms(of head: RequestHead) -> [HostForm] {
        guard let host = head.first("host"), host.ends(with: ":80") || host.ends(with: ":443") else {
            return [.canonical(scheme)]
        }
        return [.canonical(scheme), .asSent, .canonical(scheme == .http ? .https : .http)]
    }
}
