import ShoalHTTP
import ShoalS3

extension SignatureClaim {
    /// Reads an `Authorization` header of V4; checks payload value, date, skew and components, in AWS's order.
    ///
    /// `digest` is that of the body, in hexadecimal, for services that sign what they get and know no header for it.
    init(
        header parameters: ArraySlice<UInt8>, scheme: ArraySlice<UInt8>, of head: RequestHead, digest: [UInt8]? = nil,
        at now: Timestamp
    ) throws(S3Error) {
        let payload = if let digest { digest[...] } else { try Self.payloadHeader(of: head) }
        let (date, issued) = try Self.headerDate(of: head, at: now)
        let components = AuthorizationComponents(parameters)
        guard let credential = components.credential, let signedHeaders = components.signedHeaders,
            let signature = components.signature
        else {
            throw S3Error(
                .authorizationHeaderMalformed,
                "The authorization header is malformed; the authorization header requires three components: Credential, "
                    + "SignedHeaders, and Signature.")
        }
        self.init(
            mechanism: .headerV4, algorithm: scheme, date: date, issued: issued, expiry: nil, credential: credential,
            signedHeaders: signedHeaders, signature: signature, payload: payload,
            token: head.first("x-amz-security-token"))
    }

    private static func payloadHeader(of head: RequestHead) throws(S3Error) -> ArraySlice<UInt8> {
        guard let payload = head.first("x-amz-content-sha256") else {
            throw S3Error(.invalidRequest, "Missing required header for this request: x-amz-content-sha256")
        }
        guard PayloadKeyword.isDigest(payload) || PayloadKeyword(payload) != nil else {
            throw .invalidArgument(
                "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, "
                    + "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER, "
                    + "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD, STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER or a "
                    + "valid sha256 value.",
                name: "x-amz-content-sha256", value: payload.text)
        }
        return payload
    }

    /// `x-amz-date` if it was sent, readable or not; else `Date`.
    static func headerDate(
        of head: RequestHead, at now: Timestamp
    ) throws(S3Error) -> (text: ArraySlice<UInt8>, instant: Timestamp) {
        guard let text = head.first("x-amz-date") ?? head.first("date"),
            let instant = Timestamp(amzDate: text) ?? Timestamp(httpDate: text)
        else {
            throw S3Error(.accessDenied, "AWS authentication requires a valid Date or x-amz-date header")
        }
        guard abs(now.milliseconds - instant.milliseconds) <= Authenticator.clockSkewMaxSeconds * 1_000 else {
            throw S3Error(
                .requestTimeTooSkewed,
                elements: [
                    S3Error.Element("RequestTime", text.text),
                    S3Error.Element("ServerTime", now.iso8601Seconds),
                    S3Error.Element(
                        "MaxAllowedSkewMilliseconds", String(Authenticator.clockSkewMaxSeconds * 1_000)),
                ])
        }
        return (text, instant)
    }
}

/// `Credential=…, SignedHeaders=…, Signature=…` in any order, with or without blanks behind the commas.
struct AuthorizationComponents {
    private(set) var credential: ArraySlice<UInt8>?
    private(set) var signedHeaders: ArraySlice<UInt8>?
    private(set) var signature: ArraySlice<UInt8>?

    init(_ parameters: ArraySlice<UInt8>) {
        for component in parameters.split(separator: UInt8(ascii: ",")) {
            let component = component.trimmed
            guard let equals = component.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let (name, value) = (component[..<equals], component[(equals + 1)...])
            if name.equals("Credential") {
                credential = value
            } else if name.equals("SignedHeaders") {
                signedHeaders = value
            } else if name.equals("Signature") {
                signature = value
            }
        }
    }
}
