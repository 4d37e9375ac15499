import ShoalJSON
import ShoalS3

/// The value of a check's parameter, once it was understood.
package enum CheckValue: Hashable, Sendable {
    case text(String)
    /// One of several globs; the text as it was given.
    case pattern(TextPattern)
    case milliseconds(Int64)
    case count(UInt64)
    case number(Double)
    case flag(Bool)
    case codes([S3Error.Code])
    case cause(RefusalCause)
    case steps([OrderedStep])

    /// What a parameter takes.
    enum Kind {
        case text, pattern, duration, count, bytes, factor, share, flag, digest, codes, cause, steps
    }

    package static let stepCountMax = 256
    private static let textByteCountMax = 2_048

    /// Nil if the text is no such value.
    init?(_ text: String, as kind: Kind) {
        guard !text.isEmpty, text.utf8.count <= Self.textByteCountMax else { return nil }
        let value: CheckValue? =
            switch kind {
            case .text: .text(text)
            case .pattern: TextPattern(line: Array(text.utf8)[...]).map { .pattern($0) }
            case .duration: DurationText.milliseconds(text).map { .milliseconds($0) }
            case .count: BytePosition.digits(text).map { .count($0) }
            case .bytes: if case .bytes(let count)? = BytePosition(text) { .count(count) } else { nil }
            case .factor: Double(text).flatMap { (1...1_000).contains($0) ? .number($0) : nil }
            case .share: Double(text).flatMap { (0...1).contains($0) ? .number($0) : nil }
            case .flag: text == "true" ? .flag(true) : text == "false" ? .flag(false) : nil
            case .digest: Self.isDigest(text) ? .text(text.lowercased()) : nil
            case .codes: Self.codes(text).map { .codes($0) }
            case .cause: RefusalCause(text).map { .cause($0) }
            case .steps: Self.steps(text).map { .steps($0) }
            }
        guard let value else { return nil }
        self = value
    }

    /// As the one-line form writes it; `init(_:as:)` gives the same value again.
    var text: String {
        switch self {
        case .text(let text): text
        case .pattern(let pattern): pattern.checkText
        case .milliseconds(let count): DurationText.text(milliseconds: count)
        case .count(let count): String(count)
        case .number(let number): number == number.rounded() ? String(Int(number)) : number.description
        case .flag(let isOn): isOn ? "true" : "false"
        case .codes(let codes): codes.map(\.rawValue).joined(separator: ",")
        case .cause(let cause): cause.text
        case .steps(let steps): steps.map(\.text).joined(separator: ",")
        }
    }

    var json: JSON {
        switch self {
        case .count(let count): .integer(Int64(clamping: count))
        case .number(let number): .number(number)
        case .flag(let isOn): .bool(isOn)
        case .codes(let codes): .array(codes.map { .string($0.rawValue) })
        case .steps(let steps): .array(steps.map { .string($0.text) })
        default: .string(text)
        }
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    private static func codes(_ text: String) -> [S3Error.Code]? {
        let codes = text.split(separator: ",", omittingEmptySubsequences: false).map {
            S3Error.Code(rawValue: String($0))
        }
        return codes.contains(nil) ? nil : codes.compactMap { $0 }
    }

    private static func steps(_ text: String) -> [OrderedStep]? {
        let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { OrderedStep(String($0)) }
        return steps.contains(nil) || steps.count > stepCountMax ? nil : steps.compactMap { $0 }
    }
}

extension CheckValue.Kind {
    /// What would have been right, and the nearest valid word where a word is due.
    func flaw(_ text: String) -> String {
        switch self {
        case .text: "a text of 1 to 2048 bytes is due here"
        case .pattern: "'\(text)' is no pattern, such as photos/*.jpg"
        case .duration: "'\(text)' is no length of time, such as 500ms or 2s"
        case .count: "'\(text)' is no whole number"
        case .bytes: "'\(text)' is no number of bytes, such as 1048576 or 1MiB"
        case .factor: "'\(text)' is no factor from 1 to 1000, such as 1.5"
        case .share: "'\(text)' is no share from 0 to 1, such as 0.5"
        case .flag: "true or false is due here, not '\(text)'"
        case .digest: "'\(text)' is no SHA-256 of 64 hexadecimal digits"
        case .codes: Self.codeFlaw(in: text, beside: [])
        case .cause: Self.codeFlaw(in: text, beside: [RefusalCause.expired.text])
        case .steps: Self.stepFlaw(in: text)
        }
    }

    private static func codeFlaw(in text: String, beside words: [String]) -> String {
        let names = words + S3Error.Code.allCases.map(\.rawValue)
        let wrong = text.split(separator: ",", omittingEmptySubsequences: false).first { !names.contains(String($0)) }
        return RuleError.unknown("error code of S3", String(wrong ?? ""), among: names)
    }

    private static func stepFlaw(in text: String) -> String {
        let steps = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let wrong = steps.first(where: { OrderedStep(String($0)) == nil }) else {
            return "there are more than \(CheckValue.stepCountMax) steps"
        }
        let word = wrong.prefix { $0 != ":" }
        guard OperationPattern(String(word)) == nil, word != "note" else {
            return "'\(wrong)' is no step, such as PutObject:photos/* or note:saved"
        }
        return RuleError.unknown("operation or group", String(word), among: OperationPattern.words + ["note"])
    }
}

extension TextPattern {
    /// As a check's value writes it: without the quotes of a rule's.
    var checkText: String {
        let text = alternatives.map { $0.text(escaping: "|") }.joined(separator: "|")
        return (isNegated ? "!" : text.hasPrefix("!") ? "\\" : "") + text
    }
}

/// Why an attempt was refused, for checks that ask what came next.
package enum RefusalCause: Hashable, Sendable {
    case expired
    case code(S3Error.Code)

    init?(_ text: String) {
        if text == "expired" {
            self = .expired
        } else if let code = S3Error.Code(rawValue: text) {
            self = .code(code)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .expired: "expired"
        case .code(let code): code.rawValue
        }
    }

    func refused(_ attempt: Attempt) -> Bool {
        guard let answer = attempt.answer else { return false }
        switch self {
        case .expired: return answer.isExpired
        case .code(let code): return answer.code == code
        }
    }
}

/// One step of `order`: `PutObject`, `write:photos/*` or `note:saved`.
package struct OrderedStep: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case operation(OperationPattern)
        case note
    }

    let subject: Subject
    /// Of the key or of the note's text; nil for any.
    let pattern: Glob?

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts[0] == "note" {
            subject = .note
        } else if let operation = OperationPattern(parts[0]) {
            subject = .operation(operation)
        } else {
            return nil
        }
        guard parts.count == 2 else {
            pattern = nil
            return
        }
        guard !parts[1].isEmpty, let glob = Glob(parts[1]) else { return nil }
        pattern = glob
    }

    var text: String {
        let word =
            switch subject {
            case .operation(let operation): operation.text
            case .note: "note"
            }
        return word + (pattern.map { ":" + $0.text() } ?? "")
    }
}
