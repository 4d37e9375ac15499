import ShoalJSON

extension Check {
    /// Reads the one-line form: a name, then `parameter=value`; `factor>=1.5` is short for `factorMin=1.5` and
    /// `first<=1s` for `firstMax=1s`. Values with blanks stand in quotes. Throws with the column of what is wrong.
    package init(line text: String) throws(RuleError) {
        let line = Array(text.utf8)
        do throws(LineTokens.Flaw) {
            self = try CheckLineReader(line).check()
        } catch {
            let before = String(decoding: line[..<min(error.offset, line.count)], as: UTF8.self)
            throw RuleError(.column(before.count + 1), error.message)
        }
    }

    /// Reads the JSON form, `{"backoff":{"min":"1s","factorMin":1.5}}`, or a string with the one-line form.
    init(_ cursor: JSONCursor) throws(RuleError) {
        if case .string(let line) = cursor.value {
            do throws(RuleError) {
                try self.init(line: line)
            } catch {
                guard case .column(let column) = error.place else { throw error }
                throw cursor.flaw("column \(column): \(error.message)")
            }
            return
        }
        let members = try cursor.members()
        guard let (word, inner) = members.first, members.count == 1 else {
            throw cursor.flaw("one check is due here, as in {\"oneCommit\":{\"key\":\"photos/7.jpg\"}}")
        }
        guard let name = CheckName(named: word) else {
            throw inner.flaw(RuleError.unknown("check", word, among: CheckName.allCases.map(\.rawValue)))
        }
        var values: [CheckParameter: CheckValue] = [:]
        let names = name.parameters.map(\.rawValue)
        for (member, value) in try inner.members() {
            guard let parameter = CheckParameter(rawValue: member), name.parameters.contains(parameter) else {
                throw value.flaw(Self.unknown(member, of: name, among: names))
            }
            let kind = parameter.kind(in: name)
            let text = try Self.text(of: value, as: kind)
            guard let understood = CheckValue(text, as: kind) else { throw value.flaw(kind.flaw(text)) }
            values[parameter] = understood
        }
        do throws(Flaw) {
            try self.init(name, values)
        } catch {
            throw inner.flaw(error.message)
        }
    }

    /// From the JSON form at some place of a document.
    package init(json value: JSON, at path: [String] = []) throws(RuleError) {
        try self.init(JSONCursor(value, at: path))
    }

    fileprivate static func unknown(_ word: String, of name: CheckName, among names: [String]) -> String {
        guard !names.isEmpty else { return "\(name.word) takes no parameters" }
        return RuleError.unknown("parameter of \(name.word)", word, among: names)
    }

    /// A value of JSON as the one-line form would write it; a number is milliseconds where a time is due.
    private static func text(of cursor: JSONCursor, as kind: CheckValue.Kind) throws(RuleError) -> String {
        switch (cursor.value, kind) {
        case (.integer(let number), .duration): return "\(number)ms"
        case (.integer(let number), .count), (.integer(let number), .bytes), (.integer(let number), .factor),
            (.integer(let number), .share):
            return String(number)
        case (.number(let number), .factor), (.number(let number), .share): return number.description
        case (.bool(let isOn), .flag): return isOn ? "true" : "false"
        case (.array, .codes), (.array, .steps):
            var words: [String] = []
            for element in try cursor.elements() { words.append(try element.string()) }
            return words.joined(separator: ",")
        default: return try cursor.string()
        }
    }
}

/// Reads the words of a check.
private struct CheckLineReader {
    private let line: [UInt8]

    init(_ line: [UInt8]) { self.line = line }

    func check() throws(LineTokens.Flaw) -> Check {
        guard line.count <= LineTokens.byteCountMax else {
            throw LineTokens.Flaw(offset: 0, message: "the check is longer than \(LineTokens.byteCountMax) bytes")
        }
        let words = try words()
        guard let first = words.first else {
            throw LineTokens.Flaw(offset: 0, message: "a check is due here, such as one-commit key=photos/7.jpg")
        }
        let word = String(decoding: line[first], as: UTF8.self)
        guard let name = CheckName(named: word) else {
            throw LineTokens.Flaw(
                offset: first.lowerBound,
                message: RuleError.unknown("check", word, among: CheckName.allCases.map(\.word)))
        }
        var values: [CheckParameter: CheckValue] = [:]
        for word in words.dropFirst() {
            let (parameter, value) = try parameter(word, of: name)
            guard values.updateValue(value, forKey: parameter) == nil else {
                throw LineTokens.Flaw(offset: word.lowerBound, message: "'\(parameter.rawValue)' is given twice")
            }
        }
        do throws(Check.Flaw) {
            return try Check(name, values)
        } catch {
            throw LineTokens.Flaw(offset: first.lowerBound, message: error.message)
        }
    }

    /// `key=photos/*`, `factor>=1.5`
    private func parameter(
        _ word: Range<Int>, of name: CheckName
    ) throws(LineTokens.Flaw) -> (CheckParameter, CheckValue) {
        guard let equals = line[word].firstIndex(of: UInt8(ascii: "=")) else {
            let text = String(decoding: line[word], as: UTF8.self)
            throw LineTokens.Flaw(
                offset: word.lowerBound, message: "a parameter is due here, such as key=photos/7.jpg; '\(text)' is none"
            )
        }
        var text = String(decoding: line[word.lowerBound..<equals], as: UTF8.self)
        if let sign = text.last, sign == ">" || sign == "<" { text = text.dropLast() + (sign == ">" ? "Min" : "Max") }
        guard let parameter = CheckParameter(rawValue: text), name.parameters.contains(parameter) else {
            let names = name.parameters.map(\.rawValue)
            throw LineTokens.Flaw(offset: word.lowerBound, message: Check.unknown(text, of: name, among: names))
        }
        let kind = parameter.kind(in: name)
        guard let written = QuotedText.value(line[(equals + 1)..<word.upperBound]),
            let value = CheckValue(written, as: kind)
        else {
            let written = String(decoding: line[(equals + 1)..<word.upperBound], as: UTF8.self)
            throw LineTokens.Flaw(offset: equals + 1, message: kind.flaw(written))
        }
        return (parameter, value)
    }

    /// Blanks divide words, except in quotes.
    private func words() throws(LineTokens.Flaw) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        var index = 0
        while index < line.count {
            let isBlank = line[index] == UInt8(ascii: " ") || line[index] == 0x09
            if isBlank, let begun = start {
                words.append(begun..<index)
                start = nil
            } else if !isBlank {
                if start == nil { start = index }
                let isQuote = line[index] == UInt8(ascii: "\"") && index > 0 && line[index - 1] == UInt8(ascii: "=")
                if isQuote { index = try LineTokens.closingQuote(ofQuoteAt: index, in: line) }
            }
            index += 1
        }
        if let start { words.append(start..<line.count) }
        return words
    }
}
