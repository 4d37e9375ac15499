import ShoalHTTP
import ShoalS3

/// The permanent access key that a request claims to speak for. Nothing of it is proven: it says where to look for the
/// secret, as `X-Amz-Credential` is there for.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
package struct ClaimedAccessKey {
    package let accessKeyId: ArraySlice<UInt8>

    /// Nil for a request that claims none.
    package init?(_ head: RequestHead) {
        if let authorization = head.first("authorization") {
            self.init(authorization: authorization, token: head.first("x-amz-security-token"))
        } else {
            guard !head.query.isEmpty else { return nil }
            self.init(RawQuery(head), head)
        }
    }

    /// From the fields of a form: `x-amz-credential` or `AWSAccessKeyId`, and `x-amz-security-token`.
    package init?(credential: ArraySlice<UInt8>?, accessKeyId: ArraySlice<UInt8>?, token: ArraySlice<UInt8>?) {
        guard let claimed = credential.map(Self.key(ofCredential:)) ?? accessKeyId, !claimed.isEmpty else { return nil }
        // A token of ours names the key it was made for.
        let issuer = token.flatMap { TemporaryCredentials.isTemporary(claimed) ? SessionToken($0) : nil }?.session
            .issuer
        self.accessKeyId = issuer?[...] ?? claimed
    }

    private init?(authorization: ArraySlice<UInt8>, token: ArraySlice<UInt8>?) {
        let parts = authorization.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        if parts[0].elementsEqual("AWS".utf8) {
            self.init(
                credential: nil, accessKeyId: parts[1].prefix { $0 != UInt8(ascii: ":") }, token: token)
        } else {
            self.init(credential: AuthorizationComponents(parts[1]).credential, accessKeyId: nil, token: token)
        }
    }

    private init?(_ query: RawQuery, _ head: RequestHead) {
        self.init(
            credential: query.first("X-Amz-Credential"), accessKeyId: query.first("AWSAccessKeyId"),
            token: query.firstIgnoringCase("x-amz-security-token") ?? head.first("x-amz-security-token"))
    }

    private static func key(ofCredential credential: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        credential.prefix { $0 != UInt8(ascii: "/") }
    }
}
