/// What a preset can be told: `times=1     how often for each key`.
package struct PresetParameter: Hashable, Sendable {
    /// What kind of value it takes: by its name, or else by what its usual value is.
    enum Kind: Hashable, Sendable {
        /// `key`
        case pattern
        /// `op`
        case operations
        /// `share`
        case share
        /// `at`
        case position
        case count, duration, offset, flag, word

        init(name: String, usual: String) {
            switch name {
            case "key": self = .pattern
            case "op": self = .operations
            case "share": self = .share
            case "at": self = .position
            default: self = Self.allButNamed.first { $0.admits(usual) } ?? .word
            }
        }

        private static let allButNamed: [Kind] = [.count, .duration, .offset, .flag]

        /// Whether the text is such a value.
        func admits(_ text: String) -> Bool {
            switch self {
            case .pattern: TextPattern(line: Array(text.utf8)[...]) != nil
            case .operations:
                text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                    OperationPattern(String($0)) != nil
                }
            case .share: text.hasSuffix("%") && DecimalFraction(percent: text.dropLast()).map { $0 <= .one } == true
            case .position: BytePosition(text) != nil
            case .count: BytePosition.digits(text).map { !text.isEmpty && $0 <= UInt64(Int64.max) } == true
            case .duration: DurationText.milliseconds(text) != nil
            case .offset: DurationText.milliseconds(text, signed: true) != nil
            case .flag: text == "true" || text == "false"
            case .word: !text.isEmpty && text.utf8.allSatisfy { FaultRule.isNameByte($0) || "/+".utf8.contains($0) }
            }
        }

        /// What would have been right.
        func flaw(_ text: String) -> String {
            switch self {
            case .pattern: "'\(text)' is no pattern for a key, such as photos/*.jpg"
            case .operations:
                RuleError.unknown(
                    "operation or group",
                    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                        .first { OperationPattern($0) == nil } ?? text, among: OperationPattern.words)
            case .share: "'\(text)' is no share, such as 10% or 2.5%"
            case .position: "'\(text)' is no position, such as 1048576, 1MiB, 50%, -1 or random"
            case .count: "'\(text)' is no whole number"
            case .duration: "'\(text)' is no length of time, such as 200ms, 8s or 1m30s"
            case .offset: "'\(text)' is no offset of a clock, such as +20m or -90s"
            case .flag: "true or false is due here, not '\(text)'"
            case .word: "'\(text)' is no word of letters, digits and '.', '_', '-', '/', '+'"
            }
        }
    }

    package let name: String
    /// The value where none is given.
    package let usual: String
    package let meaning: String
    let kind: Kind

    static let textByteCountMax = 1_024

    /// From its line in the preset, without the mark in front.
    init(_ line: Substring) throws(PresetError) {
        let word = line.prefix { $0 != " " }
        let parts = word.split(separator: "=", maxSplits: 1)
        let meaning = line.dropFirst(word.count).drop { $0 == " " }
        guard parts.count == 2, FaultRule.isName(String(parts[0])), !meaning.isEmpty else {
            throw PresetError("a parameter is `name=usual   what it means`, not '\(line)'")
        }
        (name, usual, self.meaning) = (String(parts[0]), String(parts[1]), String(meaning))
        kind = Kind(name: name, usual: usual)
    }

    /// A value of it, once it was understood.
    struct Value: Sendable {
        /// As people give it, and as a rule writes it.
        let given, inRule: String
        /// As a check writes it.
        let inCheck: String
    }

    /// Throws in words.
    func value(_ text: String) throws(PresetError) -> Value {
        guard !text.isEmpty, text.utf8.count <= Self.textByteCountMax,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), kind.admits(text)
        else {
            throw PresetError("\(name)=\(text.prefix(100)): \(kind.flaw(String(text.prefix(100))))")
        }
        guard kind == .pattern, let pattern = TextPattern(line: Array(text.utf8)[...]) else {
            return Value(given: text, inRule: text, inCheck: text)
        }
        return Value(given: text, inRule: pattern.lineText, inCheck: Check.word(pattern.checkText))
    }
}
