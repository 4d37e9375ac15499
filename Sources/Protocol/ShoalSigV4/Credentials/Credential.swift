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
        /// What the token says of itself; nil for one that only the server's records explain.
        package let temporary: TemporarySession?

        package init(token: some Sequence<UInt8>, expiry: Timestamp? = nil, temporary: TemporarySession? = nil) {
            self.token = Array(token)
            self.expiry = expiry
            self.temporary = temporary
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
        let found = find(accessKeyId, token: token, in: lookup)
        guard let token else {
            guard let found, found.session == nil else { throw unknown(accessKeyId) }
            return found
        }
        let element = S3Error.Element("Token-0", token.text)
        guard let found else {
            guard TemporaryCredentials.isTemporary(accessKeyId) else { throw unknown(accessKeyId) }
            throw S3Error(.invalidToken, elements: [element])
        }
        guard let session = found.session, haveSameBytes(session.token, Array(token)) else {
            throw S3Error(.invalidToken, elements: [element])
        }
        if let expiry = session.expiry, now >= expiry { throw S3Error(.expiredToken, elements: [element]) }
        return found
    }

    private static func unknown(_ accessKeyId: ArraySlice<UInt8>) -> S3Error {
        S3Error(.invalidAccessKeyId, elements: [S3Error.Element("AWSAccessKeyId", accessKeyId.text)])
    }

    /// What `lookup` knows of the key; else what a token proves that was made under the secret of a key it knows. Expired
    /// or not.
    static func find(
        _ accessKeyId: ArraySlice<UInt8>, token: ArraySlice<UInt8>?, in lookup: (ArraySlice<UInt8>) -> Credential?
    ) -> Credential? {
        if let known = lookup(accessKeyId) { return known }
        guard let token, TemporaryCredentials.isTemporary(accessKeyId), let proof = SessionToken(token),
            let issuer = lookup(proof.session.issuer[...]), issuer.session == nil,
            let credentials = proof.credentials(issuerSecret: issuer.secret),
            accessKeyId.elementsEqual(credentials.accessKeyId.utf8)
        else { return nil }
        return Credential(
            secret: credentials.secret.utf8,
            session: Session(token: token, expiry: proof.session.expiry, temporary: proof.session))
    }
}
