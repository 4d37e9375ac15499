import ShoalHTTP
import ShoalS3

/// One way in which a signer may have meant another request than the one that came.
struct Change {
    /// Two changes of one part exclude each other.
    enum Part { case secret, method, host, path, query, header(String), payload, token }

    let part: Part
    let finding: Diagnosis.Finding
    /// Turns the request into the one that may have been signed.
    let apply: (inout Trial) -> Void

    init(
        _ part: Part, _ kind: Diagnosis.Finding.Kind, _ text: String, fix: String,
        apply: @escaping (inout Trial) -> Void
    ) {
        self.part = part
        finding = Diagnosis.Finding(kind, text, fix: fix)
        self.apply = apply
    }

    func excludes(_ other: Change) -> Bool {
        switch (part, other.part) {
        case (.secret, .secret), (.method, .method), (.host, .host), (.path, .path), (.query, .query),
            (.payload, .payload), (.token, .token), (.host, .path), (.path, .host):
            true
        case (.header(let one), .header(let two)): one == two
        default: false
        }
    }
}

/// Looks for the request that was signed: tries single changes, then two at once.
struct SignatureSearch {
    /// Variations tried at most.
    static let trialCountMax = 2_000
    /// Other keys tried at most.
    static let neighbourCountMax = 64

    let trial: Trial
    let surroundings: Diagnosis.Surroundings

    /// The change, or the two, with which the signature verifies; else what can be said for certain.
    func findings() -> [Diagnosis.Finding] {
        let changes = allChanges()
        var left = Self.trialCountMax
        for change in changes.prefix(left) {
            left -= 1
            if verifies([change]) { return missingHeaders(besides: [change]) + [change.finding] }
        }
        for (position, first) in changes.enumerated() {
            for second in changes[(position + 1)...] where !first.excludes(second) {
                guard left > 0 else { return unexplained(tried: Self.trialCountMax) }
                left -= 1
                if verifies([first, second]) {
                    return missingHeaders(besides: [first, second]) + [first.finding, second.finding]
                }
            }
        }
        return unexplained(tried: Self.trialCountMax - left)
    }

    private func verifies(_ changes: [Change]) -> Bool {
        var trial = trial
        for change in changes { change.apply(&trial) }
        return trial.isAccepted
    }

    private func allChanges() -> [Change] {
        secretChanges() + methodChanges() + hostChanges() + headerChanges() + pathChanges() + queryChanges()
            + payloadChanges()
    }

    /// Headers that the signature covers and the request lacks; those that a change explains better are left out.
    private func missingHeaders(besides changes: [Change]) -> [Diagnosis.Finding] {
        let explained = changes.compactMap { change in
            if case .header(let name) = change.part { name } else { nil }
        }
        return missingNames.filter { !explained.contains($0) }.map { name in
            Diagnosis.Finding(
                .missingHeader, "The signature covers the header \(name), but the request has none.",
                fix: "Send \(name) exactly as it was when the URL was signed.")
        }
    }

    var missingNames: [String] {
        let parameters = Set(trial.request.query.map { RequestVariant.name(of: $0).lowercased() })
        return trial.signedHeaders.filter { trial.request.header($0) == nil && !parameters.contains($0) }
    }

    private func unexplained(tried count: Int) -> [Diagnosis.Finding] {
        let missing = missingHeaders(besides: [])
        guard missing.isEmpty else { return missing }
        let key = trial.accessKeyId ?? ""
        let covered = trial.isV2 ? "Content-MD5, Content-Type, date and every x-amz- header" : signedList
        return [
            Diagnosis.Finding(
                .unexplained,
                "The signature does not verify, and none of \(count) variations does: the secret is not that of access key "
                    + "\(key), or method, host, path, query or a signed header (\(covered)) differ from what was signed "
                    + "in a way that cannot be guessed.",
                fix: "Compare the canonical request in the answer with the one that the client logs.")
        ]
    }

    private var signedList: String { trial.signedHeaders.prefix(16).joined(separator: ", ") }
}

// MARK: - Secret, method, payload

extension SignatureSearch {
    private func secretChanges() -> [Change] {
        let named = trial.accessKeyId ?? ""
        var changes: [Change] = []
        func add(_ text: String, fix: String, _ credential: Credential) {
            changes.append(
                Change(.secret, .otherSecret, text, fix: fix) { trial in trial.lookup = { _ in credential } })
        }
        let own = trial.credential
        let session = own?.session
        for neighbour in surroundings.neighbours.prefix(Self.neighbourCountMax) where neighbour.accessKeyId != named {
            add(
                "The request names access key \(named) but is signed with the secret of \(neighbour.accessKeyId).",
                fix: "Take access key and secret from the same pair.",
                Credential(secret: neighbour.credential.secret, session: session))
        }
        guard let own else { return changes }
        let fix = "Read the secret without the blanks and line breaks around it."
        for ending in ["\n", "\r\n", " "] {
            add(
                "The request is signed with the secret of \(named) and white space behind it.", fix: fix,
                Credential(secret: own.secret + Array(ending.utf8), session: session))
        }
        add(
            "The request is signed with an empty secret.", fix: "Configure the secret of access key \(named).",
            Credential(secret: [], session: session))
        return changes
    }

    private func methodChanges() -> [Change] {
        let sent = trial.request.method[...].text
        return ["GET", "PUT", "HEAD", "POST", "DELETE"].filter { $0 != sent }.map { method in
            Change(
                .method, .method, "The request was signed for \(method), but \(sent) was sent.",
                fix: "Send \(method), or sign for \(sent)."
            ) { trial in trial.request.method = Array(method.utf8) }
        }
    }

    private func payloadChanges() -> [Change] {
        guard !trial.isV2 else { return [] }
        let name = "x-amz-content-sha256"
        let isQuery = trial.request.header("authorization") == nil
        var changes: [Change] = []
        if trial.request.header(name) != nil && isQuery {
            changes.append(
                Change(
                    .payload, .payload, "The URL was signed without the header \(name), which was sent with it.",
                    fix: "Leave \(name) out: it replaces the payload line that was signed."
                ) { trial in trial.request.removeHeader(name) })
        }
        let values = [
            ("UNSIGNED-PAYLOAD", "UNSIGNED-PAYLOAD"),
            ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "the digest of an empty body"),
        ]
        for (value, words) in values where trial.request.header(name) != value {
            changes.append(
                Change(
                    .payload, .payload, "The request was signed with \(words) as its payload line.",
                    fix: "Send \(name) as it was when the request was signed."
                ) { trial in trial.request.setHeader(name, value) })
        }
        return changes
    }
}
