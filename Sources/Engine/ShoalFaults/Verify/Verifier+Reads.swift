/// Whether the client noticed what reads had not given it.
extension Verifier {
    /// Actions that give a reader other bytes than were stored, or that leave such bytes.
    private static let corruptions = ["corruptRead", "corruptStored", "tornWrite"]

    func judgeReadsVerified(_ check: Check) -> Judgement {
        let objects = objects(check)
        let judged = objects.map { object -> Judgement in
            var isSpoiled = false
            var wasRead = false
            for attempt in object.attempts {
                let strikes = attempt.faults.map(\.fault.action)
                let isCorrupt = strikes.contains { action in Self.corruptions.contains { action.hasPrefix($0) } }
                if attempt.committedContent { isSpoiled = isCorrupt }
                guard attempt.operation == .getObject, isSpoiled || isCorrupt else { continue }
                wasRead = true
                let again = object.attempts.contains { $0.operation == .getObject && $0.mono > attempt.mono }
                guard !attempt.head.asksForChecksum && !again else { continue }
                return failure(
                    object, "the read of \(object.title) got corrupt bytes and did not ask for a checksum",
                    wouldPass: "x-amz-checksum-mode: ENABLED, or a second read")
            }
            return wasRead ? .pass("reads of \(object.title) were verified") : .notApplicable("no read was corrupted")
        }
        return .all(judged, otherwise: "no read was corrupted")
    }

    func judgeReadsFinished(_ check: Check) -> Judgement {
        let judged = objects(check).map { object -> Judgement in
            let reads = object.attempts.filter { $0.operation == .getObject || $0.operation == .headObject }
            let brokenOff = reads.last { $0.operation == .getObject && $0.end != nil && !$0.isAnswerWhole }
            let inVain = reads.last { misses($0, among: object.attempts) }
            guard let last = [brokenOff, inVain].compactMap({ $0 }).max(by: { $0.mono < $1.mono }) else {
                return .notApplicable("no read broke off")
            }
            let isTakenUp = reads.contains { $0.mono > last.mono && $0.isAnswerWhole && $0.outcome == .ok }
            guard !isTakenUp else { return .pass("\(object.title) was read to its end after all") }
            let what = last.isAnswerWhole ? "found nothing, though it was stored" : "broke off"
            return failure(
                object, "the read \(last.mark) of \(object.title) \(what), and none that came after it was whole",
                wouldPass: last.isAnswerWhole ? "the same read once more" : "a GET of the rest, with Range: bytes=N-")
        }
        return .all(judged, otherwise: "no read broke off")
    }

    /// Whether a read was told that there is no object where one was.
    private func misses(_ read: Attempt, among attempts: [Attempt]) -> Bool {
        guard read.isAnswerWhole, read.answer?.status == .notFound else { return false }
        let change = attempts.filter { $0.commit.map { $0.mono < read.mono } ?? false }
            .max { ($0.commit?.mono ?? 0) < ($1.commit?.mono ?? 0) }
        return change?.committedContent ?? false
    }
}
