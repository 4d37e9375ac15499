import ShoalS3

/// Reads what a one-line rule says about requests: the words before its point, and the options among those behind it.
///
/// `any` and `not` hold further matchers, `any=(PutObject a/*)|(UploadPart size=>5)`, each written as a rule writes its
/// own, without the point.
struct MatcherLineReader {
    private let line: [UInt8]
    private(set) var match = Matcher()
    /// Where each part of the matcher stands.
    private(set) var offsets: [FaultRule.Part: Int] = [:]

    /// Fields that are options; operation, key and part number have a place of their own.
    static let options = Matcher.Field.allCases.filter {
        ![.operation, .key, .partNumber, .header, .query].contains($0)
    }
    private static let prefixes = ["header.", "query."]

    init(_ line: [UInt8]) { self.line = line }

    static func isOption(_ name: String) -> Bool {
        options.contains { $0.rawValue == name } || prefixes.contains { name.hasPrefix($0) }
    }

    // MARK: - Operation and key

    mutating func read(_ words: ArraySlice<LineTokens.Word>, next: String) throws(LineTokens.Flaw) {
        if let first = words.first {
            offsets[.match(.operation)] = first.offset
            match = Matcher(operations: try operations(first))
        }
        if let second = words.dropFirst().first { try readKey(second) }
        if let third = words.dropFirst(2).first {
            throw LineTokens.Flaw(offset: third.offset, message: "\(next); a key with blanks needs quotes")
        }
    }

    private func operations(_ word: LineTokens.Word) throws(LineTokens.Flaw) -> [OperationPattern] {
        var patterns: [OperationPattern] = []
        for name in word.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let text = String(decoding: name, as: UTF8.self)
            guard let pattern = OperationPattern(text) else {
                let hint =
                    text.contains("/") || text.contains("*")
                    ? "; a key stands behind its operation, as in 'any \(text)'" : ""
                throw LineTokens.Flaw(
                    offset: name.startIndex,
                    message: RuleError.unknown("operation or group", text, among: OperationPattern.words) + hint)
            }
            guard !patterns.contains(pattern) else {
                throw LineTokens.Flaw(offset: name.startIndex, message: "'\(text)' is given twice")
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// `photos/*#2`: a glob, and the part number behind the first `#` that is not escaped.
    private mutating func readKey(_ word: LineTokens.Word) throws(LineTokens.Flaw) {
        // A key may hold `=`, but one that reads like an option is nearly always one.
        if let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) {
            let name = String(decoding: word.bytes[..<equals], as: UTF8.self)
            if RuleLineReader.isOption(name) {
                throw LineTokens.Flaw(
                    offset: word.offset,
                    message: "'\(name)=' stands behind the action; a key that begins so needs quotes")
            }
        }
        var index = word.bytes.startIndex
        if line[index] == UInt8(ascii: "!") && index + 1 < word.bytes.endIndex { index += 1 }
        if line[index] == UInt8(ascii: "\"") { index = try LineTokens.closingQuote(ofQuoteAt: index, in: line) }
        while index < word.bytes.endIndex, line[index] != UInt8(ascii: "#") {
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let keyEnd = min(index, word.bytes.endIndex)
        offsets[.match(.key)] = word.offset
        guard let pattern = TextPattern(line: word.bytes[..<keyEnd]) else {
            throw LineTokens.Flaw(offset: word.offset, message: "'\(word.text)' is no pattern for a key")
        }
        if pattern != TextPattern([.anything]) { match.key = pattern }
        guard keyEnd < word.bytes.endIndex else { return }
        offsets[.match(.partNumber)] = keyEnd + 1
        let number = String(decoding: word.bytes[(keyEnd + 1)...], as: UTF8.self)
        guard let pattern = NumberPattern(line: number) else {
            throw LineTokens.Flaw(
                offset: keyEnd + 1,
                message: "'\(number)' is no part number, such as 2, 2|3 or >1; a '#' in a key is '\\#'")
        }
        match.partNumber = pattern
    }
}

// MARK: - Options

extension MatcherLineReader {
    /// Takes the option called `name`, for which `isOption` holds.
    mutating func apply(
        _ name: String, _ value: ArraySlice<UInt8>, at offset: Int
    ) throws(LineTokens.Flaw) {
        if let prefix = Self.prefixes.first(where: { name.hasPrefix($0) }) {
            return try apply(String(name.dropFirst(prefix.count)), isHeader: prefix == "header.", value, at: offset)
        }
        guard let field = Matcher.Field(rawValue: name) else { return }
        guard offsets.updateValue(offset, forKey: .match(field)) == nil else {
            throw LineTokens.Flaw(offset: offset, message: "'\(name)' is given twice")
        }
        if field == .any || field == .not { return try readNested(field, value) }
        if let message = set(field, value) {
            throw LineTokens.Flaw(offset: value.startIndex, message: message)
        }
    }

    private mutating func apply(
        _ name: String, isHeader: Bool, _ value: ArraySlice<UInt8>, at offset: Int
    ) throws(LineTokens.Flaw) {
        guard let pattern = TextPattern(line: value) else {
            throw LineTokens.Flaw(offset: value.startIndex, message: "the value is no pattern")
        }
        if isHeader {
            offsets[.header(name.lowercased())] = offset
            match.headers.append(.init(name: name.lowercased(), pattern: pattern))
        } else {
            offsets[.query(name)] = offset
            match.parameters.append(.init(name: name, pattern: pattern))
        }
    }

    /// What is wrong with the value, in words; nil if it was set.
    private mutating func set(_ field: Matcher.Field, _ value: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: value, as: UTF8.self)
        if let entry = Matcher.textFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = TextPattern(line: value)
        } else if let entry = Matcher.numberFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = NumberPattern(line: text)
        } else if let entry = Matcher.flagFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = text == "true" ? true : text == "false" ? false : nil
        } else {
            switch field {
            case .connection: match.connection = Matcher.ConnectionAge(rawValue: text)
            case .ageOfUrl: match.ageOfUrl = AgePattern(line: text)
            default: match.after = Matcher.Precedent(line: text)
            }
        }
        return match.has(field) ? nil : Self.flaw(of: field, text)
    }

    private static func flaw(of field: Matcher.Field, _ text: String) -> String {
        if Matcher.textFields.contains(where: { $0.field == field }) { return "'\(text)' is no pattern" }
        if Matcher.numberFields.contains(where: { $0.field == field }) {
            return "'\(text)' is no number pattern, such as 5, 5|6, >5 or >5<9"
        }
        return switch field {
        case .connection:
            RuleError.unknown("kind of connection", text, among: Matcher.ConnectionAge.allCases.map(\.rawValue))
        case .ageOfUrl: "'\(text)' is no age, such as >50s, <5m or >50s<5m"
        case .after: "'\(text)' is neither a rule with how often it fired, such as busy:2, nor committed(PutObject)"
        default: "\(field.rawValue) is true or false, not '\(text)'"
        }
    }

    // MARK: Matchers inside

    private mutating func readNested(_ field: Matcher.Field, _ value: ArraySlice<UInt8>) throws(LineTokens.Flaw) {
        var index = value.startIndex
        var nested: [Matcher] = []
        repeat {
            guard index < value.endIndex, line[index] == UInt8(ascii: "("),
                let end = LineTokens.closingParenthesis(ofOneAt: index, in: value)
            else {
                throw LineTokens.Flaw(
                    offset: index,
                    message: "a matcher in parentheses is due here, such as \(field.rawValue)=(PutObject a/*)|(read)")
            }
            let reader = try Self.nested(Array(line[..<end]), from: index + 1, in: field)
            for (part, offset) in reader.offsets { offsets[.nested(field, nested.count, part)] = offset }
            nested.append(reader.match)
            index = end + 1
            guard index < value.endIndex else { break }
            guard line[index] == UInt8(ascii: "|") else {
                throw LineTokens.Flaw(offset: index, message: "'|' and another matcher are due here, or the end")
            }
            index += 1
        } while true
        if field == .any { match.alternatives = nested } else { match.exclusions = nested }
    }

    private static func nested(
        _ line: [UInt8], from start: Int, in field: Matcher.Field
    ) throws(LineTokens.Flaw) -> MatcherLineReader {
        let words = try LineTokens(line, from: start, groups: true).words
        var reader = MatcherLineReader(line)
        let head = words.prefix { name(of: $0).map { !isOption($0) } ?? true }
        try reader.read(head, next: "an option is due here, such as size=>5")
        for word in words[head.count...] {
            guard let name = name(of: word), isOption(name) else {
                throw LineTokens.Flaw(
                    offset: word.offset, message: "'\(word.text)' is no option of a matcher in '\(field.rawValue)'")
            }
            try reader.apply(name, word.bytes.dropFirst(name.utf8.count + 1), at: word.offset)
        }
        return reader
    }

    /// What stands before the first `=`.
    private static func name(of word: LineTokens.Word) -> String? {
        word.bytes.firstIndex(of: UInt8(ascii: "=")).map { String(decoding: word.bytes[..<$0], as: UTF8.self) }
    }
}
