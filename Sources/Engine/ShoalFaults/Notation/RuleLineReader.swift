/// Reads the one-line form of a rule, after fail(9): `PutObject photos/* @commit.after 2*reset per=key`.
///
///     [operation[,operation…] [key[#part]]] @point[(position)] [share%][times*]action[->action…] [option=value…]
///
/// In place of one list of actions there may be several, divided by commas: a sequence, or with the place of each in front
/// of it (`1.3:reset,2.1:close`) a schedule.
struct RuleLineReader {
    private let line: [UInt8]
    private let words: [LineTokens.Word]
    private var matcher: MatcherLineReader
    private var offsets: [FaultRule.Part: Int] = [:]

    /// The options behind the action that are not about requests.
    enum Option: String, CaseIterable {
        case skip, between, every, stableKey, times, budget, expires, per, then, id, note
    }

    static func isOption(_ name: String) -> Bool {
        Option(rawValue: name) != nil || MatcherLineReader.isOption(name)
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
        matcher = MatcherLineReader(line)
    }

    private mutating func rule() throws(LineTokens.Flaw) -> FaultRule {
        let point = words.firstIndex { $0.bytes.first == UInt8(ascii: "@") }
        guard let point else {
            throw LineTokens.Flaw(offset: line.count, message: "a rule needs a point, such as @commit.after")
        }
        try matcher.read(words[..<point], next: "a point is due here, such as @commit.after")
        let site = try site(words[point])
        guard words.count > point + 1 else {
            throw LineTokens.Flaw(offset: line.count, message: "an action is due behind the point, such as reset")
        }
        var rule = FaultRule(at: site, do: [])
        try readActions(words[point + 1], into: &rule)
        for word in words[(point + 2)...] { try apply(option: word, to: &rule) }
        rule.match = matcher.match
        do throws(FaultRule.Flaw) {
            try rule.validate()
        } catch {
            throw LineTokens.Flaw(
                offset: offset(of: error.part) ?? words[point].offset, message: error.message)
        }
        return rule
    }

    /// Where the part stands, or what it stands in.
    private func offset(of part: FaultRule.Part) -> Int? {
        if let offset = offsets[part] ?? matcher.offsets[part] { return offset }
        switch part {
        case .nested(let field, _, _): return matcher.offsets[.match(field)]
        case .sequence, .schedule: return offsets[.actions]
        default: return nil
        }
    }

    private func site(_ word: LineTokens.Word) throws(LineTokens.Flaw) -> FaultSite {
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
                offset: open + 1, message: "'\(text)' is no position, such as 1048576, 1MiB, 50%, -1 or random")
        }
        return FaultSite(point, position)
    }

    private mutating func readActions(
        _ word: LineTokens.Word, into rule: inout FaultRule
    ) throws(LineTokens.Flaw) {
        var reader = ActionReader(word, of: line)
        let reading = try reader.read()
        rule.count.probability = reading.probability
        rule.count.times = reading.times
        rule.actions = reading.branches.count == 1 ? reading.branches[0].map(\.action) : []
        for (number, branch) in reading.branches.enumerated() {
            for (index, step) in branch.enumerated() {
                offsets[.branch(number, action: index)] = step.offset
                if number == 0 { offsets[.action(index)] = step.offset }
            }
        }
        offsets[.actions] = word.offset
        if let script = reading.script {
            rule.script = script
            rule.actions = []
        }
        if reading.times != nil { offsets[.times] = word.offset }
        if reading.probability != nil { offsets[.probability] = word.offset }
    }
}

// MARK: - Options

extension RuleLineReader {
    private mutating func apply(option word: LineTokens.Word, to rule: inout FaultRule) throws(LineTokens.Flaw) {
        guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw LineTokens.Flaw(
                offset: word.offset, message: "an option is due here, such as per=key; '\(word.text)' is none")
        }
        let name = String(decoding: word.bytes[..<equals], as: UTF8.self)
        let value = word.bytes[(equals + 1)...]
        if MatcherLineReader.isOption(name) { return try matcher.apply(name, value, at: word.offset) }
        guard let option = Option(rawValue: name) else {
            throw LineTokens.Flaw(offset: word.offset, message: RuleNotation.unknownOption(name))
        }
        let part = Self.part(of: option)
        guard offsets.updateValue(word.offset, forKey: part) == nil else {
            throw LineTokens.Flaw(offset: word.offset, message: "'\(name)' is given twice")
        }
        guard Self.set(option, value, in: &rule) else {
            throw LineTokens.Flaw(
                offset: equals + 1, message: Self.flaw(of: option, String(decoding: value, as: UTF8.self)))
        }
    }

    private static func part(of option: Option) -> FaultRule.Part {
        switch option {
        case .skip: .skip
        case .between: .between
        case .every: .every
        case .stableKey: .stableKey
        case .times: .times
        case .budget: .budget
        case .expires: .expires
        case .per: .per
        case .then: .then
        case .id: .id
        case .note: .note
        }
    }

    /// False if the text is no value of the option.
    private static func set(_ option: Option, _ value: ArraySlice<UInt8>, in rule: inout FaultRule) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        switch option {
        case .skip:
            guard let skip = number(text) else { return false }
            rule.count.skip = skip
        case .every: rule.count.every = number(text)
        case .times: rule.count.times = number(text)
        case .between: rule.count.between = FaultCount.Window(line: text)
        case .budget: rule.count.budget = FaultCount.Budget(line: text)
        case .expires: rule.count.expires = DurationText.milliseconds(text).map { .milliseconds($0) }
        case .stableKey:
            guard let key = FaultCount.StableKey(rawValue: text) else { return false }
            rule.count.stableKey = key
        case .per:
            guard let key = FaultCount.Key(rawValue: text) else { return false }
            rule.count.per = key
        case .then:
            guard let then = FaultSequence.Ending(rawValue: text), case .sequence(let sequence) = rule.script else {
                return false
            }
            rule.script = .sequence(FaultSequence(sequence.steps, then: then))
        case .id, .note:
            guard let text = QuotedText.value(value) else { return false }
            if option == .id { rule.id = text } else { rule.note = text }
        }
        return rule.count.has(option)
    }

    private static func number(_ text: String) -> Int? { BytePosition.digits(text).flatMap { Int(exactly: $0) } }

    private static func flaw(of option: Option, _ text: String) -> String {
        switch option {
        case .per: RuleNotation.unknownCounter(text)
        case .stableKey:
            RuleError.unknown("stable key", text, among: FaultCount.StableKey.allCases.map(\.rawValue))
        case .then:
            FaultSequence.Ending(rawValue: text) != nil
                ? "'then' goes with a sequence, such as pass,reset,pass"
                : RuleError.unknown("ending of a sequence", text, among: FaultSequence.Ending.allCases.map(\.rawValue))
        case .skip, .times, .every: "'\(text)' is no whole number"
        case .between: "'\(text)' is no span of matches, such as 4-6"
        case .budget: "'\(text)' is no budget, such as 20/minute or 3/30s"
        case .expires: "'\(text)' is no duration, such as 200ms, 8s or 1m30s"
        case .id, .note: "the text holds an unknown escape"
        }
    }
}

extension FaultCount {
    /// Whether the option that was read is set; true for those that always hold a value.
    fileprivate func has(_ option: RuleLineReader.Option) -> Bool {
        switch option {
        case .between: between != nil
        case .every: every != nil
        case .times: times != nil
        case .budget: budget != nil
        case .expires: expires != nil
        case .skip, .stableKey, .per, .then, .id, .note: true
        }
    }
}
