/// Whether the client took care of what it could not know, and of what it had sent already.
extension Verifier {
    func judgeVerifiedAfterUnknown(_ check: Check) -> Judgement {
        let all = history.attempts
        return each(check) { operation in
            let unknown = operation.attempts.filter { $0.sendsContent && $0.outcome == .info && $0.end != nil }
            guard !unknown.isEmpty else { return .notApplicable("no outcome was unknown") }
            for attempt in unknown {
                if let flaw = carelessness(after: attempt, of: operation, among: all, check) { return flaw }
            }
            return .pass("\(operation.title) was looked at before it was sent again")
        }
    }

    private func carelessness(
        after attempt: Attempt, of operation: OperationHistory, among all: [Attempt], _ check: Check
    ) -> Judgement? {
        let later = all.filter { $0.mono > attempt.mono && $0.isAboutSame(as: attempt) }
        let careful = later.first { $0.looks || $0.head.isConditional && $0.sendsContent }
        let resend = later.first { $0.sendsContent && !$0.head.isConditional && $0.operation == attempt.operation }
        let claim = check.pattern(.claim).flatMap { pattern in
            history.notes.first { $0.mono > attempt.mono && pattern.matches(Array($0.text.utf8)[...]) }
        }
        let title = "\(operation.title) (\(operation.id))"
        let shown = operation.attempts + later.filter(\.looks)
        if let claim, claim.mono < careful?.mono ?? .max {
            return .fail(
                .init(
                    reason: "the note '\(claim.text)' claims success, and nobody looked after \(attempt.mark)",
                    title: title, attempts: shown, notes: [claim],
                    wouldPass: "a HEAD between \(attempt.mark) and the note"
                ))
        }
        guard let resend, resend.mono < careful?.mono ?? .max else { return nil }
        return .fail(
            .init(
                reason: "\(resend.mark) sent everything again without looking whether \(attempt.mark) was stored",
                title: title, attempts: shown,
                wouldPass: "a HEAD between \(attempt.mark) and \(resend.mark), or If-None-Match at \(resend.mark)"))
    }

    // MARK: Bytes

    func judgeResumed(_ check: Check) -> Judgement {
        let allowed = check.count(.maxResentBytes) ?? 0
        let objects = objects(check).filter { object in object.attempts.contains(where: \.committedPart) }
        return .all(
            objects.map { object in
                var stored: Set<UInt32> = []
                var resent: UInt64 = 0
                for attempt in object.attempts where attempt.operation == .uploadPart {
                    guard let number = attempt.head.partNumber else { continue }
                    if stored.contains(number) { resent += attempt.bodyByteCount }
                    if attempt.committedPart { stored.insert(number) }
                }
                guard resent > allowed else {
                    return .pass("\(object.title): \(resent) bytes of stored parts were resent")
                }
                return failure(
                    object, "\(object.title): \(resent) bytes of stored parts were resent",
                    wouldPass: check.with(.maxResentBytes, .count(resent)).line)
            }, otherwise: "no part was stored")
    }

    func judgeWastedBytes(_ check: Check) -> Judgement {
        let allowed = check.count(.max) ?? 0
        let objects = objects(check).filter { object in object.attempts.contains { $0.sendsContent } }
        return .all(
            objects.map { object in
                let wasted = Self.wastedBytes(object.attempts)
                let text = "\(object.title): \(wasted) body bytes were sent in vain"
                guard wasted > allowed else { return .pass(text) }
                return failure(object, text, wouldPass: check.with(.max, .count(wasted)).line)
            }, otherwise: nothing(for: check))
    }

    /// What was taken beyond the one commit that each part, or the whole, needs.
    private static func wastedBytes(_ attempts: [Attempt]) -> UInt64 {
        var sent: [UInt32?: UInt64] = [:]
        var useful: [UInt32?: UInt64] = [:]
        for attempt in attempts where attempt.sendsContent {
            sent[attempt.head.partNumber, default: 0] += attempt.bodyByteCount
            guard attempt.commit?.store.change == .committed else { continue }
            useful[attempt.head.partNumber] = max(useful[attempt.head.partNumber] ?? 0, attempt.bodyByteCount)
        }
        return sent.reduce(0) { $0 + $1.value - (useful[$1.key] ?? 0) }
    }

    // MARK: Uploads in parts

    func judgeNoOrphanUpload(_ check: Check) -> Judgement {
        let orphans = facts.openUploads.filter { upload in
            check.pattern(.key)?.matches(Array(upload.key.utf8)[...]) ?? true
                && check.pattern(.bucket)?.matches(Array(upload.bucket.utf8)[...]) ?? true
        }
        guard let first = orphans.first else {
            let wasBegun = history.attempts.contains { $0.operation == .createMultipartUpload }
            return wasBegun ? .pass("no upload is left open") : .notApplicable("no upload in parts was begun")
        }
        let target = "\(first.bucket)/\(first.key)"
        let others = orphans.count == 1 ? "" : "; \(orphans.count - 1) more like it"
        return .fail(
            .init(
                reason: "the upload \(first.uploadID) of \(target) was neither completed nor aborted\(others)",
                title: target, attempts: history.attempts.filter { $0.target == target },
                wouldPass: "an AbortMultipartUpload of it"))
    }

    func judgeCompletedOnce(_ check: Check) -> Judgement {
        let completions = history.attempts.filter { attempt in
            attempt.operation == .completeMultipartUpload && isMeant(attempt, by: check)
                && check.text(.uploadId).map { Array($0.utf8) == attempt.head.uploadID } ?? true
        }
        let byUpload = Dictionary(grouping: completions) { $0.head.uploadID ?? [] }
        let ordered = byUpload.values.sorted { $0[0].mono < $1[0].mono }
        return .all(ordered.map(judgeCompletion), otherwise: "no upload was completed")
    }

    private func judgeCompletion(_ attempts: [Attempt]) -> Judgement {
        let object = ObjectAttempts(title: attempts[0].target, attempts: attempts)
        guard let done = attempts.firstIndex(where: { $0.commit != nil }) else {
            return failure(object, "the upload of \(object.title) was never completed", wouldPass: "one completion")
        }
        let other = attempts[(done + 1)...].first {
            $0.commit != nil || $0.answer.map { $0.status.code >= 400 } ?? false
        }
        guard let other else { return .pass("the upload of \(object.title) was completed once") }
        let answer = other.answer?.code?.rawValue ?? "another object"
        return failure(
            object, "a further completion of \(object.title) had another result: \(answer)",
            wouldPass: "the same list of parts each time")
    }
}

extension Attempt {
    fileprivate var committedPart: Bool { operation == .uploadPart && commit != nil }

    /// About the same object, or a listing of its bucket.
    fileprivate func isAboutSame(as other: Attempt) -> Bool {
        head.bucket == other.head.bucket && (key == other.key || key == nil && looks)
    }
}
