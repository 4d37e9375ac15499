import ShoalHTTP
import ShoalS3

// Faults of the access key and of its session token.

extension Investigation {
    mutating func explainKey() -> Bool {
        let named = trial.accessKeyId ?? ""
        let isTemporary = TemporaryCredentials.isTemporary(Array(named.utf8)[...])
        if trial.token == nil, isTemporary || trial.credential?.session != nil {
            note(
                .init(
                    .token, "Access key \(named) is temporary, and the request carries no session token.",
                    fix: "Sign with the session token, which goes into X-Amz-Security-Token."))
            return false
        }
        let close = surroundings.neighbours.map(\.accessKeyId).first {
            $0.lowercased() == named.trimmed.lowercased()
        }
        let lookup = trial.lookup
        for neighbour in surroundings.neighbours.prefix(SignatureSearch.neighbourCountMax) {
            trial.lookup = { _ in Credential(secret: neighbour.credential.secret) }
            guard trial.isAccepted else { continue }
            note(
                .init(
                    .unknownKey,
                    "Access key \(named) is not known here, but the secret is that of \(neighbour.accessKeyId).",
                    fix: "Use access key \(neighbour.accessKeyId)."))
            return false
        }
        trial.lookup = lookup
        note(
            .init(
                .unknownKey, "Access key \(named) is not known here.",
                fix: close.map { "Write it exactly as \($0)." } ?? "Use a key of this server or of one of its scopes."))
        return false
    }

    mutating func explainToken(_ error: S3Error) -> Bool {
        let named = trial.accessKeyId ?? ""
        let credential = trial.credential
        if error.code == .expiredToken {
            let when = credential?.session?.expiry.map { expiry in
                let ago = Elapsed.words(milliseconds: trial.now.milliseconds - expiry.milliseconds)
                return " \(ago) ago, at \(expiry.iso8601Seconds)"
            }
            note(
                .init(
                    .token,
                    "The session token of access key \(named) has expired\(when ?? ""), whatever the life of the URL.",
                    fix: "Sign with fresh temporary credentials."))
        } else if let credential, credential.session == nil {
            note(
                .init(
                    .token, "Access key \(named) is permanent, but the request carries a session token.",
                    fix: "Leave the session token out; it may come from the environment."))
        } else {
            note(.init(.token, foreignToken(named), fix: "Take key, secret and token from the same credentials."))
        }
        return false
    }

    /// Whose a token is that is not the key's.
    private func foreignToken(_ named: String) -> String {
        guard let text = trial.token, let proof = SessionToken(Array(text.utf8)[...]) else {
            return "The session token is not that of access key \(named)."
        }
        let issuer = proof.session.issuer[...]
        guard let known = trial.lookup(issuer) else {
            return "The session token was made for access key \(issuer.text), which is not known here."
        }
        guard let owner = proof.credentials(issuerSecret: known.secret) else {
            return "The session token was not made under the secret that access key \(issuer.text) has now."
        }
        return "The session token is not that of access key \(named): it belongs to \(owner.accessKeyId)."
    }
}
