import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSTS
import ShoalSigV4

/// The Security Token Service of a world: it hands out temporary credentials and keeps nothing of them.
struct SecurityTokenService {
    private let world: World

    init(_ world: World) { self.world = world }

    /// The answer to an action, on behalf of whoever signed the request.
    ///
    /// Throws 403 `AccessDenied` for a session that asks for another one without a role, and for a role of another account.
    func answer(_ action: STSAction, to sender: Sender, at now: Timestamp) throws(STSError) -> STSResult {
        switch action {
        case .getCallerIdentity: return .identity(sender.identity)
        case .getSessionToken(let seconds):
            guard sender.session == nil else {
                throw STSError(.accessDenied, "Cannot call GetSessionToken with session credentials")
            }
            return .session(world.credentials(for: sender.accessKeyId, seconds: seconds, at: now))
        case .assumeRole(let wanted):
            guard wanted.account == Accounts.accountNumber else {
                throw STSError(
                    .accessDenied,
                    "User: \(sender.identity.arn) is not authorized to perform: sts:AssumeRole on resource: "
                        + wanted.roleARN)
            }
            let credentials = world.credentials(
                for: sender.accessKeyId, seconds: try wanted.seconds(isChained: sender.session?.role != nil), at: now,
                role: .init(name: wanted.roleName, sessionName: wanted.sessionName))
            return .role(credentials, STSIdentity(account: wanted.account, session: credentials.session))
        }
    }

    /// Who signed a request to the service.
    struct Sender {
        /// The permanent key.
        let accessKeyId: [UInt8]
        let session: TemporarySession?

        init(accessKeyId: [UInt8], session: TemporarySession? = nil) {
            self.accessKeyId = accessKeyId
            self.session = session
        }

        var identity: STSIdentity {
            session.map { STSIdentity(account: Accounts.accountNumber, session: $0) }
                ?? STSIdentity(account: Accounts.accountNumber, accessKeyId: accessKeyId)
        }
    }
}

extension World {
    /// Credentials under the secret of a permanent access key, which must be one of the server's, from `now` on.
    func credentials(
        for accessKeyId: [UInt8], seconds: Int64, at now: Timestamp, role: TemporarySession.Role? = nil
    ) -> TemporaryCredentials {
        guard let issuer = accounts.credential(of: accessKeyId[...]) else {
            preconditionFailure("only a key that was verified comes here")
        }
        // Clients are told the second.
        let expiry = Timestamp(seconds: now.seconds + seconds)
        return TemporaryCredentials(
            TemporarySession(issuer: accessKeyId, expiry: expiry, role: role), issuerSecret: issuer.secret,
            nonce: randomBytes(TemporaryCredentials.nonceByteCount))
    }
}
