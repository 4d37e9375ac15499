import ShoalS3

/// How often the client tried, and when.
extension Verifier {
    func judgeAttempts(_ check: Check) -> Judgement {
        let operations = operations(check)
        guard !operations.isEmpty else {
            guard check.count(.min) ?? 0 > 0 else { return .pass("no attempt was made") }
            return .fail(.init(reason: nothing(for: check), wouldPass: "at least one attempt"))
        }
        return each(check) { operation in
            let count = UInt64(operation.attempts.count)
            let text = "\(operation.title) had \(count) \(count == 1 ? "attempt" : "attempts")"
            if let min = check.count(.min), count < min {
                return failure(operation, text, wouldPass: check.with(.min, .count(count)).line)
            }
            if let max = check.count(.max), count > max {
                return failure(operation, text, wouldPass: check.with(.max, .count(count)).line)
            }
            return .pass(text)
        }
    }

    // MARK: Waits

    func judgeBackoff(_ check: Check) -> Judgement {
        each(check) { operation in
            let retries = zip(operation.attempts, operation.attempts.dropFirst())
                .filter { before, _ in before.outcome != .ok }.map(\.1)
            let waits = retries.compactMap { attempt in attempt.gap.map { (attempt, $0) } }
            guard !waits.isEmpty else { return .notApplicable("nothing was tried again") }
            if let (reason, right) = Self.flaw(of: waits, under: check) {
                return failure(operation, reason, wouldPass: right.line)
            }
            return .pass("the waits of \(operation.title) are \(Self.text(waits.map(\.1)))")
        }
    }

    /// A wait in nanoseconds before each retry. What the check does not bound is free; jitter widens what it bounds.
    private static func flaw(
        of waits: [(attempt: Attempt, wait: Int64)], under check: Check
    ) -> (reason: String, right: Check)? {
        let (jitter, factor) = (check.number(.jitter) ?? 0, check.number(.factor) ?? 2)
        let cap = check.duration(.cap).map(Double.init) ?? .infinity
        var bound = check.duration(.firstMax).map(Double.init) ?? .infinity
        for (index, (attempt, wait)) in waits.enumerated() {
            if let min = check.duration(.min), wait < min {
                let least = waits.map(\.wait).min() ?? 0
                return (
                    "\(attempt.mark) waited \(text([wait]))", check.with(.min, .milliseconds(max(0, least / million)))
                )
            }
            let upper = min(bound, cap) * (1 + jitter)
            if Double(wait) > upper {
                return (
                    "\(attempt.mark) waited \(text([wait])), at most \(text([Int64(upper)])) is allowed",
                    widened(check, waits, index)
                )
            }
            bound *= factor
            guard index > 0, let growth = check.number(.factorMin) else { continue }
            let before = Double(waits[index - 1].wait)
            let isGrown = Double(wait) >= min(before * growth, cap) * (1 - jitter)
            if !isGrown {
                return (
                    "\(attempt.mark) waited \(text([wait])) after \(text([waits[index - 1].wait]))",
                    check.with(.factorMin, .number(grownBy(waits.map(\.wait))))
                )
            }
        }
        let total = waits.reduce(0) { $0 + max(0, $1.wait) }
        guard let least = check.duration(.totalMin), total < least else { return nil }
        return ("the waits are \(text([total])) together", check.with(.totalMin, .milliseconds(total / million)))
    }

    private static let million: Int64 = 1_000_000

    /// The check with its upper bounds where the longest waits would lie under them.
    private static func widened(_ check: Check, _ waits: [(attempt: Attempt, wait: Int64)], _ index: Int) -> Check {
        let longest = waits.map(\.wait).max() ?? 0
        let milliseconds = CheckValue.milliseconds((longest + million - 1) / million)
        var wide = check
        if check.has(.firstMax) { wide = wide.with(.firstMax, milliseconds) }
        if check.has(.cap) { wide = wide.with(.cap, milliseconds) }
        return wide
    }

    /// The least growth from one wait to the next, but never below 1; in hundredths.
    private static func grownBy(_ waits: [Int64]) -> Double {
        let least = zip(waits, waits.dropFirst()).map { Double(max(0, $1)) / Double(max(1, $0)) }.min() ?? 1
        return max(1, (least * 100).rounded(.down) / 100)
    }

    static func text(_ waits: [Int64]) -> String { waits.map(Timeline.milliseconds).joined(separator: ", ") }

    func judgeRetryAfter(_ check: Check) -> Judgement {
        let tolerance = check.duration(.tolerance) ?? 0
        return each(check) { operation in
            var wasAsked = false
            for (before, next) in operation.attempts.followed {
                guard let seconds = before.answer?.retryAfter else { continue }
                wasAsked = true
                guard let next, let gap = next.gap, gap < Int64(seconds) * 1_000_000_000 - tolerance else { continue }
                let short = (Int64(seconds) * 1_000_000_000 - gap) / Self.million + 1
                return failure(
                    operation, "\(next.mark) came \(Self.text([gap])) after Retry-After: \(seconds)",
                    wouldPass: check.with(.tolerance, .milliseconds(short)).line)
            }
            return wasAsked ? .pass("\(operation.title) waited as it was asked to") : .notApplicable("no Retry-After")
        }
    }

    // MARK: Refusals

    /// Refusals after which the same request can only be refused again.
    package static let permanentCodes: [S3Error.Code] = [
        .accessDenied, .signatureDoesNotMatch, .entityTooLarge, .entityTooSmall, .missingContentLength, .noSuchBucket,
        .noSuchKey,
    ]

    func judgeNoRetry(_ check: Check) -> Judgement {
        let codes = check.codes ?? Self.permanentCodes
        return each(check) { operation in
            var wasRefused = false
            for (before, next) in operation.attempts.followed {
                guard let code = before.answer?.code, codes.contains(code) else { continue }
                // Whether an expired link is used again is another check's.
                if before.answer?.isExpired == true, !check.has(.codes) { continue }
                wasRefused = true
                guard let next, !next.bringsNewPermission(than: before, against: code) else { continue }
                return failure(
                    operation, "\(next.mark) came after \(before.mark) was refused for good with \(code.rawValue)",
                    wouldPass: "the same without \(next.mark)")
            }
            return wasRefused ? .pass("\(operation.title) took no for an answer") : .notApplicable("no such refusal")
        }
    }

    func judgeFreshURL(_ check: Check) -> Judgement {
        let cause = check.cause(.after)
        return each(check) { operation in
            var wasRefused = false
            for (before, next) in operation.attempts.followed
            where cause.refused(before) && before.signatureHash != nil {
                wasRefused = true
                guard let next else {
                    return failure(
                        operation, "nobody came back with a new link after \(before.mark)",
                        wouldPass: "an attempt with another signature behind \(before.mark)")
                }
                guard next.signatureHash == before.signatureHash else { continue }
                return failure(
                    operation, "\(next.mark) came with the link that was refused at \(before.mark)",
                    wouldPass: "another signature at \(next.mark)")
            }
            let none = "nothing was refused so"
            return wasRefused ? .pass("\(operation.title) came back with a new link") : .notApplicable(none)
        }
    }

    func judgeNeverResent(_ check: Check) -> Judgement {
        let cause = check.cause(.after)
        return each(check) { operation in
            let refused = operation.attempts.filter { attempt in
                guard cause.refused(attempt), let hash = attempt.signatureHash else { return false }
                return check.text(.signature).map { $0 == OperationIdentity.signatureText(hash) } ?? true
            }
            guard !refused.isEmpty else { return .notApplicable("no link was refused so") }
            for before in refused {
                let again = operation.attempts.first {
                    $0.ordinal > before.ordinal && $0.signatureHash == before.signatureHash
                }
                guard let again else { continue }
                return failure(
                    operation, "\(again.mark) used the link again that was refused at \(before.mark)",
                    wouldPass: "another signature at \(again.mark), or none")
            }
            return .pass("no refused link of \(operation.title) was used again")
        }
    }
}

extension [Attempt] {
    /// Each attempt with the one behind it; nil behind the last.
    fileprivate var followed: [(Attempt, next: Attempt?)] {
        indices.map { (self[$0], $0 + 1 < count ? self[$0 + 1] : nil) }
    }
}

extension Attempt {
    /// A link that was signed anew is another request where the signature was what was refused.
    fileprivate func bringsNewPermission(than other: Attempt, against code: S3Error.Code) -> Bool {
        [.accessDenied, .signatureDoesNotMatch].contains(code) && signatureHash != nil
            && signatureHash != other.signatureHash
    }
}
