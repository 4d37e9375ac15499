import ShoalHTTP
import ShoalS3

/// The client's side of Signature Version 4: presigned URLs and signed headers.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
package struct Presigner: Sendable, Concealed {
    package let accessKeyId: String
    package let region: String
    private let secret: [UInt8]
    private let sessionToken: String?

    package init(accessKeyId: String, secret: some Sequence<UInt8>, sessionToken: String? = nil, region: String) {
        self.accessKeyId = accessKeyId
        self.secret = Array(secret)
        self.sessionToken = sessionToken
        self.region = region
    }

    /// A URL that is good for `lifetime` seconds (0 to 604,800) from `now`, unless a defect is asked for.
    package func presign(
        _ request: UnsignedRequest, lifetime: Int64, at now: Timestamp, defect: Defect? = nil
    ) throws(SigningError) -> PresignedRequest {
        guard (0...Authenticator.expirySecondsMax).contains(lifetime) else { throw .expiryOutOfRange(lifetime) }
        let issued = defect?.issued(at: now, lifetime: lifetime) ?? now
        let signedHeaders = UnsignedRequest.signedHeaders(request.headers)
        var parameters = request.query
        parameters += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(accessKeyId)/\(scope(issued))"),
            ("X-Amz-Date", issued.amzDate), ("X-Amz-Expires", String(lifetime)),
            ("X-Amz-SignedHeaders", signedHeaders),
        ]
        if let sessionToken { parameters.append(("X-Amz-Security-Token", sessionToken)) }
        var query = UnsignedRequest.encode(parameters)
        let signed = defect?.signed(request) ?? request
        let payload = request.headers.first { $0.name.lowercased() == "x-amz-content-sha256" }?.value
        let signature = try signature(
            of: try signed.head(query: query, headers: request.headers), signedHeaders: signedHeaders,
            payload: payload ?? "UNSIGNED-PAYLOAD", issued: issued,
            secret: defect == .wrongSecret ? secret + Array("?".utf8) : secret)
        query += Array("&X-Amz-Signature=".utf8) + signature.text
        return PresignedRequest(
            method: request.method, endpoint: request.endpoint, host: request.host,
            target: (request.path + [UInt8(ascii: "?")] + query)[...].text, headers: request.headers,
            expiry: Timestamp(seconds: issued.seconds + lifetime))
    }

    /// The request with `x-amz-date`, `x-amz-content-sha256`, the session's token and `Authorization` added.
    ///
    /// `payload` is 64 hexadecimal digits or a keyword such as `UNSIGNED-PAYLOAD`; all headers given are signed.
    package func sign(
        _ request: UnsignedRequest, payload: String, at now: Timestamp
    ) throws(SigningError) -> SignedRequest {
        var headers = request.headers.filter { !["x-amz-date", "x-amz-content-sha256"].contains($0.name.lowercased()) }
        headers += [("x-amz-date", now.amzDate), ("x-amz-content-sha256", payload)]
        if let sessionToken { headers.append(("x-amz-security-token", sessionToken)) }
        let signedHeaders = UnsignedRequest.signedHeaders(headers)
        let query = request.encodedQuery
        let head = try request.head(query: query, headers: headers)
        let signature = try signature(
            of: head, signedHeaders: signedHeaders, payload: payload, issued: now, secret: secret)
        let authorization =
            "\(Self.algorithm) Credential=\(accessKeyId)/\(scope(now)), SignedHeaders=\(signedHeaders), "
            + "Signature=\(signature.text[...].text)"
        let chunkSigning = ChunkSigning(
            seed: signature, key: key(now, secret), accessKeyId: Array(accessKeyId.utf8),
            date: Array(now.amzDate.utf8), scope: Array(scope(now).utf8))
        return SignedRequest(
            method: request.method, endpoint: request.endpoint, host: request.host, target: head.target.text,
            headers: headers + [("Authorization", authorization)], chunkSigning: chunkSigning)
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    private func scope(_ issued: Timestamp) -> String { "\(issued.day)/\(region)/s3/aws4_request" }

    private func key(_ issued: Timestamp, _ secret: [UInt8]) -> SigningKey {
        SigningKey(secret: secret, day: issued.day.utf8, region: region.utf8, service: "s3".utf8)
    }

    private func signature(
        of head: RequestHead, signedHeaders: String, payload: String, issued: Timestamp, secret: [UInt8]
    ) throws(SigningError) -> Signature {
        let canonical: CanonicalRequest
        do throws(S3Error) {
            canonical = try CanonicalRequest(
                head, signedHeaders: Array(signedHeaders.utf8)[...], payload: Array(payload.utf8)[...])
        } catch {
            throw .notHTTP(error.message)
        }
        let stringToSign = StringToSign(
            algorithm: Array(Self.algorithm.utf8)[...], date: Array(issued.amzDate.utf8)[...],
            scope: Array(scope(issued).utf8)[...], canonicalRequest: canonical.bytes[...])
        return key(issued, secret).sign(stringToSign.bytes[...])
    }
}

/// A URL that needs no `Authorization`, and the headers that must be sent with it exactly as they are.
package struct PresignedRequest: Sendable {
    package let method: String
    package let endpoint: Endpoint
    package let host: String
    package let target: String
    package let headers: [(name: String, value: String)]
    /// The last instant at which it is served.
    package let expiry: Timestamp

    package var url: String { "\(endpoint.scheme.rawValue)://\(host)\(target)" }
}

/// A request with its `Authorization` header, ready to be sent.
package struct SignedRequest: Sendable {
    package let method: String
    package let endpoint: Endpoint
    package let host: String
    package let target: String
    /// All headers but `Host`.
    package let headers: [(name: String, value: String)]
    /// What the chunks of an `aws-chunked` body are signed with.
    package let chunkSigning: ChunkSigning

    package var url: String { "\(endpoint.scheme.rawValue)://\(host)\(target)" }
}
