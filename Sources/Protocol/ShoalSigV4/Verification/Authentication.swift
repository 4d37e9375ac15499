import ShoalS3

/// What became of a request's signature.
package enum Verdict: Sendable {
    case accepted(Authentication)
    /// No mechanism was used; whether that is allowed is the bucket's matter.
    case anonymous(PayloadExpectation)
    case rejected(S3Error)
}

/// Who signed a request that verified, and what the signature says about it.
package struct Authentication: Sendable {
    package enum Mechanism: Sendable, Equatable {
        /// `Authorization: AWS4-HMAC-SHA256 …`
        case headerV4
        /// `X-Amz-Algorithm` in the query: a presigned URL.
        case queryV4
        /// `Authorization: AWS …`
        case headerV2
        /// `Signature` in the query: a presigned URL of Signature Version 2.
        case queryV2
        /// Fields of a POST form.
        case form
    }

    package let accessKeyId: [UInt8]
    /// Set for a temporary access key.
    package let session: TemporarySession?
    package let mechanism: Mechanism
    /// The `SignedHeaders` list as sent, names joined by `;`; empty in V2, which has none.
    package let signedHeaders: [UInt8]
    /// When it was signed; nil for a presigned V2 URL, which does not say.
    package let issued: Timestamp?
    /// The last instant at which a presigned URL is served; nil for the other mechanisms.
    package let expiry: Timestamp?
    package let payload: PayloadExpectation

    /// The permanent access key that the request speaks for.
    package var permanentAccessKeyId: [UInt8] { session?.issuer ?? accessKeyId }

    /// The names of the headers that the signature covers, in lower case.
    package var signedHeaderNames: [String] {
        signedHeaders.isEmpty ? [] : SignedHeaderNames(signedHeaders[...]).map(\.text)
    }
}
