import ShoalS3

/// What the server knows of an access key.
package struct Credential: Sendable, Concealed {
    /// The secret access key as text bytes.
    package let secret: [UInt8]
    /// Set for a temporary key: its requests must carry the token.
    package let session: Session?

    package struct Session: Sendable, Concealed {
        package let token: [UInt8]
        /// The first instant at which the token is refused; nil if it never is.
        package let expiry: Timestamp?

        package init(token: some Sequence<UInt8>, expiry: Timestamp? = nil) {
            self.token = Array(token)
            self.expiry = expiry
        }
    }

    package init(secret: some Sequence<UInt8>, session: Session? = nil) {
        self.secret = Array(secret)
        self.session = session
    }
}

extension Credential {
    /// The credential that a request by `accessKeyId` with `token` is checked with.
    ///
    /// Throws `InvalidAccessKeyId` for a key that is unknown or temporary without a token, `InvalidToken` for a token that
    /// is not the key's, `ExpiredToken` after its end.
    static func resolve(
        _ accessKeyId: ArraySlice<UInt8>, token: ArraySlice<UInt8>?, at now: Timestamp,
        in lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Credential {
        guard let credential = lookup(accessKeyId), credential.session == nil || token != nil else {
            throw S3Error(.invalidAccessKeyId, elements: [S3Error.Element("AWSAccessKeyId", accessKeyId.text)])
        }
        guard let token else { return credential }
        let element = S3Error.Element("Token-0", token.text)
        guard let session = credential.session, haveSameBytes(session.token, token) else {
            throw S3Error(.invalidToken, elements: [element])
        }
        if let expiry = session.expiry, now >= expiry { throw S3Error(.expiredToken, elements: [element]) }
        return credential
    }
}
