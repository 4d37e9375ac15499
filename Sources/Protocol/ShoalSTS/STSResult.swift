import ShoalCrypto
import ShoalS3
import ShoalSigV4

/// What the Security Token Service answers, as its XML.
package enum STSResult: Sendable {
    case session(TemporaryCredentials)
    case role(TemporaryCredentials, STSIdentity)
    case identity(STSIdentity)

    /// The body of the answer, `text/xml`.
    package func document(requestID: String) -> [UInt8] {
        var document = XMLWriter(capacity: 1_536)
        switch self {
        case .session(let credentials):
            document.response("GetSessionToken", requestID: requestID) { $0.credentials(credentials) }
        case .role(let credentials, let identity):
            document.response("AssumeRole", requestID: requestID) { document in
                document.credentials(credentials)
                document.open("AssumedRoleUser")
                document.element("AssumedRoleId", identity.userID)
                document.element("Arn", identity.arn)
                document.close("AssumedRoleUser")
            }
        case .identity(let identity):
            document.response("GetCallerIdentity", requestID: requestID) { document in
                document.element("Arn", identity.arn)
                document.element("UserId", identity.userID)
                document.element("Account", identity.account)
            }
        }
        return document.bytes
    }
}

/// Who somebody is, in the terms of IAM.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
package struct STSIdentity: Sendable, Equatable {
    package let account: String
    package let arn: String
    package let userID: String

    /// The holder of a permanent access key, who is the account itself: by this name policies know him.
    package init(account: String, accessKeyId: [UInt8]) {
        self.init(
            account: account, arn: "arn:aws:iam::\(account):root", userID: String(decoding: accessKeyId, as: UTF8.self))
    }

    /// Whoever holds the credentials of a session.
    package init(account: String, session: TemporarySession) {
        guard let role = session.role else {
            self.init(account: account, accessKeyId: session.issuer)
            return
        }
        // As AWS numbers roles: four letters of the kind and 17 that are always the same for one role.
        let letters = Base32.encode(Digest.of(Array("\(account)/\(role.name)".utf8), .sha256)).prefix(17)
        self.init(
            account: account, arn: "arn:aws:sts::\(account):assumed-role/\(role.name)/\(role.sessionName)",
            userID: "AROA\(String(decoding: letters, as: UTF8.self)):\(role.sessionName)")
    }

    private init(account: String, arn: String, userID: String) {
        self.account = account
        self.arn = arn
        self.userID = userID
    }
}

extension XMLWriter {
    /// `<NameResponse><NameResult>…</NameResult><ResponseMetadata>…`
    fileprivate mutating func response(_ name: String, requestID: String, _ result: (inout XMLWriter) -> Void) {
        plain("<\(name)Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><\(name)Result>")
        result(&self)
        plain("</\(name)Result>")
        open("ResponseMetadata")
        element("RequestId", requestID)
        close("ResponseMetadata")
        plain("</\(name)Response>")
    }

    fileprivate mutating func credentials(_ credentials: TemporaryCredentials) {
        open("Credentials")
        element("AccessKeyId", credentials.accessKeyId)
        element("SecretAccessKey", credentials.secret)
        element("SessionToken", credentials.sessionToken)
        element("Expiration", credentials.session.expiry.iso8601Seconds)
        close("Credentials")
    }
}
