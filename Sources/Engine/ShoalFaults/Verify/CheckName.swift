/// What can be asked of a journal at the end of a test. Raw values are the JSON form's names.
package enum CheckName: String, CaseIterable, Sendable {
    case oneCommit, oneVersion, noCommit, content, attempts, backoff, honoursRetryAfter, noRetryAfter, freshUrlAfter
    case neverResent, noOverlap, verifiedAfterUnknown, resumed, wastedBytes, noOrphanUpload, completedOnce
    case notifiedAfterCommit, quiet, concurrency, connections, order, allFired, fired, readsVerified
    case readsFinished

    /// The one-line form's name: `one-commit`.
    package var word: String {
        rawValue.reduce(into: "") { word, letter in word += letter.isUppercase ? "-" + letter.lowercased() : "\(letter)"
        }
    }

    /// By either form's name.
    init?(named name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue == name || $0.word == name }) else { return nil }
        self = found
    }

    /// What has to hold, in one sentence.
    package var meaning: String {
        switch self {
        case .oneCommit: "exactly one commit changed the object's content"
        case .oneVersion: "the object has exactly one version"
        case .noCommit: "nothing was stored"
        case .content: "what is stored is what was meant"
        case .attempts: "so many attempts arrived"
        case .backoff: "the waits between attempts grow, and lie within their bounds"
        case .honoursRetryAfter: "nobody came back before Retry-After was over"
        case .noRetryAfter: "a permanent refusal was final"
        case .freshUrlAfter: "an expired link was followed by a new one"
        case .neverResent: "an expired link was never used again"
        case .noOverlap: "two attempts of one operation were never under way together"
        case .verifiedAfterUnknown: "the client looked before it sent again what may have been stored"
        case .resumed: "parts that were stored were not sent again"
        case .wastedBytes: "at most so many body bytes were sent in vain"
        case .noOrphanUpload: "every upload in parts was completed or aborted"
        case .completedOnce: "an upload in parts was completed, and further completions had the same result"
        case .notifiedAfterCommit: "the test's note came after the commit"
        case .quiet: "nothing more arrives"
        case .concurrency: "at most so many requests were under way together"
        case .connections: "at most so many connections carried requests"
        case .order: "requests and notes came in this order, others between them or not"
        case .allFired: "every rule struck"
        case .fired: "the rule struck, or struck so often"
        case .readsVerified: "a read that got corrupt bytes asked for a checksum, or was made again"
        case .readsFinished: "a read that broke off, or missed what was stored, was made again, to its end"
        }
    }

    /// In the order in which they are written.
    package var parameters: [CheckParameter] {
        let target: [CheckParameter] = [.op, .key, .bucket]
        return switch self {
        case .oneCommit: target + [.allowIdenticalRewrite]
        case .oneVersion: [.key, .bucket]
        case .content: [.key, .bucket, .sha256, .size, .type]
        case .attempts: target + [.min, .max]
        case .backoff: target + [.min, .firstMax, .factor, .factorMin, .cap, .jitter, .totalMin]
        case .honoursRetryAfter, .noOverlap: target + [.tolerance]
        case .noRetryAfter: target + [.codes]
        case .freshUrlAfter: target + [.after]
        case .neverResent: target + [.signature, .after]
        case .verifiedAfterUnknown: target + [.claim]
        case .resumed: target + [.maxResentBytes]
        case .wastedBytes: target + [.max]
        case .noOrphanUpload: [.key, .bucket]
        case .completedOnce: [.uploadId, .key, .bucket]
        case .notifiedAfterCommit: [.note] + target
        case .quiet: [.span]
        case .concurrency, .connections: [.max]
        case .order: [.of]
        case .allFired: []
        case .fired: [.rule, .n]
        case .noCommit, .readsVerified, .readsFinished: target
        }
    }

    /// Parameters of which at least one has to be there.
    var required: [CheckParameter] {
        switch self {
        case .oneVersion: [.key]
        case .content: [.sha256, .size, .type]
        case .attempts: [.min, .max]
        case .backoff: [.min, .firstMax, .factorMin, .cap, .totalMin]
        case .wastedBytes, .concurrency, .connections: [.max]
        case .notifiedAfterCommit: [.note]
        case .quiet: [.span]
        case .order: [.of]
        case .fired: [.rule]
        default: []
        }
    }

    /// Whether the journal is its evidence, so that a gap in it proves nothing.
    var readsJournal: Bool {
        switch self {
        case .oneVersion, .content, .noOrphanUpload, .allFired, .fired: false
        default: true
        }
    }
}

/// What a check can be told. Raw values are the names in both forms.
package enum CheckParameter: String, CaseIterable, Sendable {
    case op, key, bucket, allowIdenticalRewrite, sha256, size, type, min, max, firstMax, factor, factorMin, cap, jitter
    case totalMin, tolerance, codes, after, signature, claim, maxResentBytes, uploadId, note, of, rule, n
    case span = "for"

    /// What kind of value it takes in that check.
    func kind(in check: CheckName) -> CheckValue.Kind {
        switch self {
        case .key: check == .content || check == .oneVersion ? .text : .pattern
        case .bucket, .note, .claim: .pattern
        case .op, .type, .signature, .uploadId, .rule: .text
        case .allowIdenticalRewrite: .flag
        case .sha256: .digest
        case .size, .maxResentBytes: .bytes
        case .min: check == .backoff ? .duration : .count
        case .max: check == .wastedBytes ? .bytes : .count
        case .n: .count
        case .firstMax, .cap, .totalMin, .tolerance, .span: .duration
        case .factor, .factorMin: .factor
        case .jitter: .share
        case .codes: .codes
        case .after: .cause
        case .of: .steps
        }
    }
}
