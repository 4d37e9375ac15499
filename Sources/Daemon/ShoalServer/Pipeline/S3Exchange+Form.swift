import ShoalFaults
import ShoalNet
import ShoalS3
import ShoalSigV4

/// A form shows who sends it in its fields: it passes `auth` in the middle of its body, and only if its fields are whole.
extension S3Exchange {
    /// Whether nothing can be said about the sender before the body comes.
    func isJudgedByBody(_ verdict: Verdict, _ route: Route) -> Bool {
        guard case .anonymous = verdict else { return false }
        return route.operation == .postObject
    }

    func judge(_ proof: any SelfProvingBody) -> Directive {
        learn(proof.evidence)
        let verdict = proof.verdict(in: world)
        // A head that was signed has passed the point.
        guard proof.headSender == nil else { return admit(proof, verdict) }
        return pass(.auth) { self.admit(proof, verdict) }
    }

    /// From here on rules see the form's key and its signature. Positions in the body that are passed stay passed.
    private func learn(_ evidence: FormEvidence) {
        let before = subject.operationIdentity
        form = evidence
        if connection.port == nil, let key = evidence.accessKeyId,
            let owner = world.facilities.worlds.world(ofKey: key), owner !== world
        {
            move(to: owner)
        }
        let subject = subject
        if subject.operationIdentity != before { trace.identify(subject.operationIdentity) }
        if let key = evidence.key { trace.record(.formKey(key)) }
        publishIfLong()
        guard world.plan.isArmed || carried != nil else { return }
        faults = world.plan.begin(subject, after: faults, carrying: carried)
        // The connection stops where it was told to, even if no rule wants that any more.
        let added = faults?.bodyPositions.filter { $0 >= bodyTaken } ?? []
        bodyStops = Set(added).union(bodyStops).sorted()[...]
    }

    private func admit(_ proof: any SelfProvingBody, _ verdict: Verdict) -> Directive {
        do {
            if faults?.isRevoked == true { throw unknownKey }
            if faults?.isExpired == true { throw S3Error.policyExpired }
            try proof.admit(try caller(verdict, proof), in: settleStore())
        } catch {
            return refuse(error)
        }
        let connection = connection
        return proof.waits(for: .room) { connection.resume { .receiveBody } } ? .suspend : .receiveBody
    }

    /// Whoever signed the form, or else its head; nil if nobody did.
    private func caller(_ verdict: Verdict, _ proof: any SelfProvingBody) throws -> Accounts.Caller? {
        switch verdict {
        case .accepted(let authentication):
            trace.record(.auth(.init(.accepted, scopeTime: now.milliseconds)))
            return world.accounts.caller(of: authentication.permanentAccessKeyId)
        case .rejected(let error): return try tolerated(error, error.formDiagnosis)
        case .anonymous:
            if let sender = proof.headSender { return sender }
            guard world.options.profile == .lenient else {
                trace.record(.auth(.init(.anonymous, scopeTime: now.milliseconds)))
                return nil
            }
            return try tolerated(S3Error(.accessDenied), "The form carries no signature.")
        }
    }

    /// The first account in the lenient profile, which lets a refusal pass.
    private func tolerated(_ error: S3Error, _ diagnosis: String) throws -> Accounts.Caller {
        guard noteRefusal(error, diagnosis, route) else { throw error }
        return world.accounts.main
    }
}

extension S3Error {
    /// Why a form is refused, for log and journal: a condition may hold a token, and its text stays out of them.
    fileprivate var formDiagnosis: String {
        switch code {
        case .signatureDoesNotMatch: "The signature is not that of the form's policy under the secret of this key."
        case .accessDenied where message.contains("Policy Condition failed"):
            "A field of the form is not what a condition of its policy wants."
        case .invalidArgument, .invalidPolicyDocument, .accessDenied: message
        default: code.usualMessage
        }
    }
}
