import ShoalS3

/// Reads the one-line form of a rule, after fail(9): `PutObject photos/* @commit.after 2*reset per=key`.
///
///     [operation[,operation…] [key[#part]]] @point[(position)] [times*]action[->action…] [option=value…]
struct RuleLineReader {
    private let line: [UInt8]
    private let words: [LineTokens.Word]
    private var offsets: [FaultRule.Part: Int] = [:]

    /// The options behind the action.
    enum Option: String, CaseIterable {
        case bucket, uploadId, size, presigned, connection, exchange, skip, per, times, id, note
    }

    /// Reads and validates `text`. Throws with the column of what is wrong.
    static func read(_ text: String) throws(RuleError) -> FaultRule {
        let line = Array(text.utf8)
        do throws(LineTokens.Flaw) {
            var reader = try RuleLineReader(line)
            return try reader.rule()
        } catch {
            // Columns are counted in characters, which is what an editor shows.
            let before = String(decoding: line[..<min(error.offset, line.count)], as: UTF8.self)
            throw RuleError(.column(before.count + 1), error.message)
        }
    }

    private init(_ line: [UInt8]) throws(LineTokens.Flaw) {
        self.line = line
        words = try LineTokens(line).words
    }

    private mutating func rule() throws(LineTokens.Flaw) -> FaultRule {
        let point = words.firstIndex { $0.bytes.first == UInt8(ascii: "@") }
        guard let point else {
            throw LineTokens.Flaw(offset: line.count, message: "a rule needs a point, such as @commit.after")
        }
        var match = try matcher(words[..<point])
        let site = try site(words[point])
        guard words.count > point + 1 else {
            throw LineTokens.Flaw(offset: line.count, message: "an action is due behind the point, such as reset")
        }
        var reader = ActionReader(words[point + 1], of: line)
        let (times, steps) = try reader.read()
        for (index, step) in steps.enumerated() { offsets[.action(index)] = step.offset }
        offsets[.times] = words[point + 1].offset
        var rule = FaultRule(match: match, at: site, do: steps.map(\.action))
        rule.count.times = times
        for word in words[(point + 2)...] { try apply(option: word, to: &rule, &match) }
        rule.match = match
        do throws(FaultRule.Flaw) {
            try rule.validate()
        } catch {
            throw LineTokens.Flaw(offset: offsets[error.part] ?? words[point].offset, message: error.message)
        }
        return rule
    }
}

// MARK: - Before the action

extension RuleLineReader {
    private mutating func matcher(_ words: ArraySlice<LineTokens.Word>) throws(LineTokens.Flaw) -> Matcher {
        var match = Matcher()
        if let first = words.first {
            offsets[.match(.operation)] = first.offset
            match = Matcher(operations: try operations(first))
        }
        if let second = words.dropFirst().first { try readKey(second, into: &match) }
        if let third = words.dropFirst(2).first {
            throw LineTokens.Flaw(
                offset: third.offset,
                message: "a point is due here, such as @commit.after; a key with blanks needs quotes")
        }
        return match
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
    private mutating func readKey(_ word: LineTokens.Word, into match: inout Matcher) throws(LineTokens.Flaw) {
        // A key may hold `=`, but one that reads like an option is nearly always one.
        if let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")),
            let option = Option(rawValue: String(decoding: word.bytes[..<equals], as: UTF8.self))
        {
            throw LineTokens.Flaw(
                offset: word.offset,
                message: "'\(option.rawValue)=' stands behind the action; a key that begins so needs quotes")
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

    private mutating func site(_ word: LineTokens.Word) throws(LineTokens.Flaw) -> FaultSite {
        offsets[.at] = word.offset
        let open = word.bytes.firstIndex(of: UInt8(ascii: "(")) ?? word.bytes.endIndex
        let name = String(decoding: word.bytes[..<open].dropFirst(), as: UTF8.self)
        guard let point = FaultPoint.named(name) else {
            throw LineTokens.Flaw(
                offset: word.offset + 1, message: RuleError.unknown("point", name, among: FaultPoint.names))
        }
        guard open < word.bytes.endIndex else { return FaultSite(point) }
        let text = String(decoding: word.bytes[(open + 1)...].dropLast(), as: UTF8.self)
        guard word.bytes.last == UInt8(ascii: ")"), let position = BytePosition(text) else {
            throw LineTokens.Flaw(
                offset: open + 1, message: "'\(text)' is no position, such as 1048576, 1MiB, 50% or -1")
        }
        return FaultSite(point, position)
    }
}

// MARK: - Options

extension RuleLineReader {
    private mutating func apply(
        option word: LineTokens.Word, to rule: inout FaultRule, _ match: inout Matcher
    ) throws(LineTokens.Flaw) {
        guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw LineTokens.Flaw(
                offset: word.offset, message: "an option is due here, such as per=key; '\(word.text)' is none")
        }
        let name = String(decoding: word.bytes[..<equals], as: UTF8.self)
        let value = word.bytes[(equals + 1)...]
        if name.hasPrefix("header.") { return try apply(header: String(name.dropFirst(7)), value, word, &match) }
        guard let option = Option(rawValue: name) else {
            let names = Option.allCases.map(\.rawValue) + ["header.NAME"]
            throw LineTokens.Flaw(offset: word.offset, message: RuleError.unknown("option", name, among: names))
        }
        let part = Self.part(of: option)
        guard offsets[part] == nil || option == .times && rule.count.times == nil else {
            throw LineTokens.Flaw(offset: word.offset, message: "'\(name)' is given twice")
        }
        offsets[part] = word.offset
        guard Self.set(option, value, in: &rule, &match) else {
            throw LineTokens.Flaw(
                offset: equals + 1, message: Self.flaw(of: option, String(decoding: value, as: UTF8.self)))
        }
    }

    private mutating func apply(
        header name: String, _ value: ArraySlice<UInt8>, _ word: LineTokens.Word, _ match: inout Matcher
    ) throws(LineTokens.Flaw) {
        let name = name.lowercased()
        guard let pattern = TextPattern(line: value) else {
            throw LineTokens.Flaw(offset: value.startIndex, message: "the value is no pattern")
        }
        offsets[.header(name)] = word.offset
        match.headers.append(.init(name: name, pattern: pattern))
    }

    private static func part(of option: Option) -> FaultRule.Part {
        switch option {
        case .bucket: .match(.bucket)
        case .uploadId: .match(.uploadId)
        case .size: .match(.size)
        case .presigned: .match(.presigned)
        case .connection: .match(.connection)
        case .exchange: .match(.exchange)
        case .skip: .skip
        case .per: .per
        case .times: .times
        case .id: .id
        case .note: .note
        }
    }

    /// False if the text is no value of the option.
    private static func set(
        _ option: Option, _ value: ArraySlice<UInt8>, in rule: inout FaultRule, _ match: inout Matcher
    ) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        switch option {
        case .bucket: match.bucket = TextPattern(line: value)
        case .uploadId: match.uploadId = TextPattern(line: value)
        case .size: match.size = NumberPattern(line: text)
        case .presigned: match.presigned = text == "true" ? true : text == "false" ? false : nil
        case .connection: match.connection = Matcher.ConnectionAge(rawValue: text)
        case .exchange: match.exchange = NumberPattern(line: text)
        case .skip:
            guard let skip = BytePosition.digits(text), skip <= UInt64(Int.max) else { return false }
            rule.count.skip = Int(skip)
        case .times:
            guard let times = BytePosition.digits(text), times <= UInt64(Int.max) else { return false }
            rule.count.times = Int(times)
        case .per:
            guard let key = FaultCount.Key(rawValue: text) else { return false }
            rule.count.per = key
        case .id, .note:
            guard let text = QuotedText.value(value) else { return false }
            if option == .id { rule.id = text } else { rule.note = text }
        }
        return match.has(option) ?? true
    }

    private static func flaw(of option: Option, _ text: String) -> String {
        switch option {
        case .per: RuleError.unknown("counter", text, among: FaultCount.Key.allCases.map(\.rawValue))
        case .connection:
            RuleError.unknown("kind of connection", text, among: Matcher.ConnectionAge.allCases.map(\.rawValue))
        case .presigned: "presigned is true or false, not '\(text)'"
        case .size, .exchange: "'\(text)' is no number pattern, such as 5, 5|6, >5 or >5<9"
        case .skip, .times: "'\(text)' is no whole number"
        case .bucket, .uploadId: "'\(text)' is no pattern"
        case .id, .note: "the text holds an unknown escape"
        }
    }
}

extension Matcher {
    /// Whether the field an option sets is set now; nil for options that set none.
    fileprivate func has(_ option: RuleLineReader.Option) -> Bool? {
        switch option {
        case .bucket: bucket != nil
        case .uploadId: uploadId != nil
        case .size: size != nil
        case .presigned: presigned != nil
        case .connection: connection != nil
        case .exchange: exchange != nil
        case .skip, .per, .times, .id, .note: nil
        }
    }
}
