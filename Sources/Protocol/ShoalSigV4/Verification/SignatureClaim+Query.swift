import ShoalHTTP
import ShoalS3

extension SignatureClaim {
    /// Reads a presigned V4 URL; checks algorithm, presence, date, lifetime and time window, in AWS's order, which puts
    /// the window before the credential. `digest` as for a header.
    init(query: RawQuery, of head: RequestHead, digest: [UInt8]? = nil, at now: Timestamp) throws(S3Error) {
        guard let algorithm = query.first("X-Amz-Algorithm"), algorithm.equals("AWS4-HMAC-SHA256") else {
            throw Self.queryError(#"X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256""#)
        }
        guard let credential = query.first("X-Amz-Credential"), let signature = query.first("X-Amz-Signature"),
            let date = query.first("X-Amz-Date"), let signedHeaders = query.first("X-Amz-SignedHeaders"),
            let lifetime = query.first("X-Amz-Expires"), query.count(of: "X-Amz-Signature") == 1
        else {
            throw Self.queryError(
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, "
                    + "X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.")
        }
        guard let issued = Timestamp(amzDate: date) else {
            throw Self.queryError(#"X-Amz-Date must be in the ISO8601 Long Format "yyyyMMdd'T'HHmmss'Z'""#)
        }
        let expiry = issued.adding(seconds: try Self.seconds(lifetime))
        try Self.checkWindow(issued: issued, expiry: expiry, lifetime: lifetime, at: now)
        self.init(
            mechanism: .queryV4, algorithm: algorithm, date: date, issued: issued, expiry: expiry,
            credential: credential, signedHeaders: signedHeaders, signature: signature,
            payload: digest?[...] ?? Self.payload(of: head, query),
            token: query.firstIgnoringCase("x-amz-security-token") ?? head.first("x-amz-security-token"))
    }

    private static func queryError(_ message: String) -> S3Error {
        S3Error(.authorizationQueryParametersError, message)
    }

    private static func seconds(_ lifetime: ArraySlice<UInt8>) throws(S3Error) -> Int64 {
        guard let seconds = Decimal.signed(lifetime) else { throw queryError("X-Amz-Expires should be a number") }
        guard seconds >= 0 else { throw queryError("X-Amz-Expires must be non-negative") }
        guard seconds <= Authenticator.expirySecondsMax else {
            throw queryError(
                "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than "
                    + "604800 seconds")
        }
        return seconds
    }

    private static func checkWindow(
        issued: Timestamp, expiry: Timestamp, lifetime: ArraySlice<UInt8>, at now: Timestamp
    ) throws(S3Error) {
        let isEarly = issued > now.adding(seconds: Authenticator.clockSkewMaxSeconds)
        guard isEarly || now > expiry else { return }
        throw S3Error(
            .accessDenied, isEarly ? "Request is not yet valid" : "Request has expired",
            elements: [
                isEarly
                    ? S3Error.Element("X-Amz-Date", String(issued.milliseconds))
                    : S3Error.Element("X-Amz-Expires", lifetime.text),
                S3Error.Element("Expires", expiry.iso8601Seconds),
                S3Error.Element("ServerTime", now.iso8601Seconds),
            ])
    }

    /// The header if one is sent, signed or not; else the parameter; else `UNSIGNED-PAYLOAD`.
    private static func payload(of head: RequestHead, _ query: RawQuery) -> ArraySlice<UInt8> {
        head.first("x-amz-content-sha256") ?? query.firstIgnoringCase("x-amz-content-sha256") ?? unsignedPayload
    }

    private static let unsignedPayload = Array("UNSIGNED-PAYLOAD".utf8)[...]
}
