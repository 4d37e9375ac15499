import ShoalJSON
import ShoalS3

/// One question to a journal: `one-commit key=photos/7.jpg`, or `{"oneCommit":{"key":"photos/7.jpg"}}`.
///
/// A value is sound: its parameters belong to it, are of their kind and are enough.
package struct Check: Hashable, Sendable {
    package static let countMax = 256

    package let name: CheckName
    private var values: [CheckParameter: CheckValue]

    /// `all-fired`, and others that need no parameter.
    static let allFired = Check(name: .allFired, values: [:])

    private init(name: CheckName, values: [CheckParameter: CheckValue]) {
        self.name = name
        self.values = values
    }

    /// Throws, without a place, what is wrong with the parameters taken together.
    init(_ name: CheckName, _ values: [CheckParameter: CheckValue]) throws(Flaw) {
        self.init(name: name, values: values)
        let required = name.required
        if !required.isEmpty, !required.contains(where: { values[$0] != nil }) {
            let names = required.map(\.rawValue)
            throw Flaw(
                names.count == 1
                    ? "\(name.word) needs \(names[0])=" : "\(name.word) needs one of \(names.joined(separator: ", "))")
        }
        if values[.op] != nil, values[.key] != nil || values[.bucket] != nil {
            throw Flaw("give either an operation or a key, not both")
        }
        if let min = count(.min), let max = count(.max), min > max { throw Flaw("min is more than max") }
    }

    struct Flaw: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// The one-line form; reading it gives the same check.
    package var line: String {
        let words = name.parameters.compactMap { parameter in
            values[parameter].map { "\(parameter.rawValue)=\(Self.word($0.text))" }
        }
        return ([name.word] + words).joined(separator: " ")
    }

    /// A value as the one-line form writes it.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? text : QuotedText.quoted(text)
    }

    /// The JSON form.
    package var json: JSON {
        let members = name.parameters.compactMap { parameter in
            values[parameter].map { JSON.Member(parameter.rawValue, $0.json) }
        }
        return .object([JSON.Member(name.rawValue, .object(members))])
    }

    /// The same check with another value: what would have passed.
    func with(_ parameter: CheckParameter, _ value: CheckValue) -> Check {
        var check = self
        check.values[parameter] = value
        return check
    }

    // MARK: Values

    func text(_ parameter: CheckParameter) -> String? {
        if case .text(let text)? = values[parameter] { text } else { nil }
    }

    func pattern(_ parameter: CheckParameter) -> TextPattern? {
        if case .pattern(let pattern)? = values[parameter] { pattern } else { nil }
    }

    func count(_ parameter: CheckParameter) -> UInt64? {
        if case .count(let count)? = values[parameter] { count } else { nil }
    }

    func number(_ parameter: CheckParameter) -> Double? {
        if case .number(let number)? = values[parameter] { number } else { nil }
    }

    func isOn(_ parameter: CheckParameter) -> Bool { values[parameter] == .flag(true) }

    /// In nanoseconds.
    func duration(_ parameter: CheckParameter) -> Int64? {
        if case .milliseconds(let count)? = values[parameter] { count * 1_000_000 } else { nil }
    }

    func cause(_ parameter: CheckParameter) -> RefusalCause {
        if case .cause(let cause)? = values[parameter] { cause } else { .expired }
    }

    func has(_ parameter: CheckParameter) -> Bool { values[parameter] != nil }

    var codes: [S3Error.Code]? {
        if case .codes(let codes)? = values[.codes] { codes } else { nil }
    }

    var steps: [OrderedStep] {
        if case .steps(let steps)? = values[.of] { steps } else { [] }
    }
}

// MARK: - What the server has to do for a check

extension Check {
    /// The object whose stored bytes the check is about; the bucket is a pattern, nil for all.
    package var storedObject: (key: String, bucket: TextPattern?, wantsDigest: Bool)? {
        guard name == .content || name == .oneVersion, let key = text(.key) else { return nil }
        return (key, pattern(.bucket), has(.sha256))
    }

    /// Whether it asks for uploads that were begun and not ended.
    package var wantsOpenUploads: Bool { name == .noOrphanUpload }

    /// How long nothing may arrive before the verdict; nil for checks that need not wait.
    package var quietMilliseconds: Int64? { name == .quiet ? duration(.span).map { $0 / 1_000_000 } : nil }
}
