import ShoalHTTP
import ShoalS3

/// The signature of a browser's POST form, which covers the text of its policy.
///
/// The policy itself is the operation's matter: the signature is checked before it is decoded.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html
package struct PostFormSignature: Sendable {
    package enum Version: Sendable, Equatable { case v4, v2 }

    /// The base 64 text of the policy exactly as received: the string to sign.
    package let policy: [UInt8]
    package let version: Version
    /// `x-amz-credential` in V4, `AWSAccessKeyId` in V2.
    package let credential: [UInt8]
    /// `x-amz-algorithm` and `x-amz-date`; V4 only.
    package let algorithm: [UInt8]
    package let date: [UInt8]
    package let signature: Signature
    /// `x-amz-security-token`
    package let token: [UInt8]?

    package init(
        v4 policy: [UInt8], algorithm: [UInt8], credential: [UInt8], date: [UInt8], signature: [UInt8], token: [UInt8]?
    ) {
        self.init(
            policy: policy, version: .v4, credential: credential, algorithm: algorithm, date: date,
            signature: Signature(signature), token: token)
    }

    package init(v2 policy: [UInt8], accessKeyId: [UInt8], signature: [UInt8], token: [UInt8]?) {
        self.init(
            policy: policy, version: .v2, credential: accessKeyId, algorithm: [], date: [],
            signature: Signature(signature), token: token)
    }

    private init(
        policy: [UInt8], version: Version, credential: [UInt8], algorithm: [UInt8], date: [UInt8],
        signature: Signature, token: [UInt8]?
    ) {
        self.policy = policy
        self.version = version
        self.credential = credential
        self.algorithm = algorithm
        self.date = date
        self.signature = signature
        self.token = token
    }
}

extension Authenticator {
    /// Judges the signature fields of a form: algorithm, date, scope, key, token, signature. The verdict is accepted or
    /// rejected, never anonymous.
    package func verify(
        _ form: PostFormSignature, at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) -> Verdict {
        do throws(S3Error) {
            return .accepted(try authentication(of: form, at: now, lookup: lookup))
        } catch {
            return .rejected(error)
        }
    }

    private func authentication(
        of form: PostFormSignature, at now: Timestamp, lookup: (ArraySlice<UInt8>) -> Credential?
    ) throws(S3Error) -> Authentication {
        let accessKeyId: ArraySlice<UInt8>
        let credential: Credential
        let computed: Signature
        let issued: Timestamp?
        switch form.version {
        case .v2:
            accessKeyId = form.credential[...]
            issued = nil
            credential = try Credential.resolve(accessKeyId, token: form.token?[...], at: now, in: lookup)
            computed = RequestV2.sign(form.policy, secret: credential.secret)
        case .v4:
            issued = try date(of: form)
            let scope = try scope(of: form)
            accessKeyId = scope.accessKeyId
            credential = try Credential.resolve(accessKeyId, token: form.token?[...], at: now, in: lookup)
            computed = keys.key(for: scope, secret: credential.secret).sign(form.policy[...])
        }
        guard computed.matches(form.signature) else {
            throw SignatureMismatch.refusal(
                accessKeyId: accessKeyId, stringToSign: form.policy[...], provided: form.signature.text[...])
        }
        return Authentication(
            accessKeyId: Array(accessKeyId), session: credential.session?.temporary, mechanism: .form,
            signedHeaders: [], issued: issued, expiry: nil, payload: .unsigned)
    }

    private func date(of form: PostFormSignature) throws(S3Error) -> Timestamp {
        guard form.algorithm[...].equals("AWS4-HMAC-SHA256") else {
            throw .invalidArgument(
                "Only AWS4-HMAC-SHA256 is supported", name: "X-Amz-Algorithm", value: form.algorithm.text)
        }
        guard let issued = Timestamp(amzDate: form.date[...]) else {
            throw .invalidArgument(
                "X-Amz-Date must be formated via ISO8601 Long format", name: "X-Amz-Date", value: form.date.text)
        }
        return issued
    }

    private func scope(of form: PostFormSignature) throws(S3Error) -> CredentialScope {
        do throws(ScopeFault) {
            return try ScopeFault.check(form.credential[...], regions)
        } catch {
            throw S3Error(
                .invalidArgument, error.text,
                elements: [
                    S3Error.Element("ArgumentName", "X-Amz-Credential"),
                    S3Error.Element("ArgumentValue", form.credential.text),
                ] + (error.region.map { [S3Error.Element("Region", $0)] } ?? []))
        }
    }
}
