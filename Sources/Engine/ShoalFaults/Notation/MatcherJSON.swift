import ShoalJSON
import ShoalS3

/// The `match` member of a rule in JSON.
///
/// Text is a glob for bucket, key and upload ID and literal for headers; an array is "one of"; `{"glob"}`, `{"not"}` and
/// `{"absent":true}` say the rest. Numbers are a number, an array, or `{"gt","lt"}`.
enum MatcherJSON {
    static func read(_ cursor: JSONCursor) throws(RuleError) -> Matcher {
        var match = Matcher()
        for (name, value) in try cursor.members(of: "'match'", among: Matcher.Field.allCases.map(\.rawValue)) {
            switch Matcher.Field(rawValue: name) {
            case .operation: match = match.taking(operations: try operations(value))
            case .bucket: match.bucket = try text(value, isGlob: true)
            case .key: match.key = try text(value, isGlob: true)
            case .uploadId: match.uploadId = try text(value, isGlob: true)
            case .partNumber: match.partNumber = try number(value)
            case .size: match.size = try number(value)
            case .exchange: match.exchange = try number(value)
            case .presigned: match.presigned = try value.bool()
            case .header: match.headers = try headers(value)
            case .connection, nil: match.connection = try connection(value)
            }
        }
        return match
    }

    static func json(_ match: Matcher) -> JSON? {
        var members: [JSON.Member] = []
        func add(_ field: Matcher.Field, _ value: JSON?) {
            if let value { members.append(JSON.Member(field.rawValue, value)) }
        }
        let operations = match.operations.map { JSON.string($0.text) }
        add(.operation, operations.count < 2 ? operations.first : .array(operations))
        add(.bucket, match.bucket.map { json($0, isGlob: true) })
        add(.key, match.key.map { json($0, isGlob: true) })
        add(.uploadId, match.uploadId.map { json($0, isGlob: true) })
        add(.partNumber, match.partNumber.map(json))
        add(.size, match.size.map(json))
        add(.presigned, match.presigned.map(JSON.bool))
        let headers = match.headers.map { JSON.Member($0.name, json($0.pattern, isGlob: false)) }
        add(.header, headers.isEmpty ? nil : .object(headers))
        add(.connection, match.connection.map { .string($0.rawValue) })
        add(.exchange, match.exchange.map(json))
        return members.isEmpty ? nil : .object(members)
    }
}

// MARK: - Reading

extension MatcherJSON {
    private static func operations(_ cursor: JSONCursor) throws(RuleError) -> [OperationPattern] {
        guard case .array = cursor.value else { return [try operation(cursor)] }
        var patterns: [OperationPattern] = []
        for element in try cursor.elements() {
            let pattern = try operation(element)
            guard !patterns.contains(pattern) else { throw element.flaw("'\(pattern.text)' is given twice") }
            patterns.append(pattern)
        }
        guard !patterns.isEmpty else { throw cursor.flaw("at least one operation is due here") }
        return patterns
    }

    private static func operation(_ cursor: JSONCursor) throws(RuleError) -> OperationPattern {
        let word = try cursor.string()
        guard let pattern = OperationPattern(word) else {
            throw cursor.flaw(RuleError.unknown("operation or group", word, among: OperationPattern.words))
        }
        return pattern
    }

    private static func text(_ cursor: JSONCursor, isGlob: Bool) throws(RuleError) -> TextPattern {
        guard case .object = cursor.value else { return TextPattern(try globs(cursor, isGlob)) }
        let members = try cursor.members(of: "a pattern", among: ["glob", "not", "absent"])
        guard let (name, value) = members.first, members.count == 1 else {
            throw cursor.flaw("one of 'glob', 'not' and 'absent' is due here")
        }
        switch name {
        case "glob": return TextPattern(try globs(value, true))
        case "absent":
            guard try value.bool() else { return TextPattern([.anything]) }
            return .absent
        default:
            guard case .object = value.value else { return TextPattern(try globs(value, isGlob), isNegated: true) }
            let inner = try text(value, isGlob: isGlob)
            return TextPattern(inner.alternatives, isNegated: !inner.isNegated)
        }
    }

    private static func globs(_ cursor: JSONCursor, _ isGlob: Bool) throws(RuleError) -> [Glob] {
        guard case .array = cursor.value else { return [try glob(cursor, isGlob)] }
        var globs: [Glob] = []
        for element in try cursor.elements() { globs.append(try glob(element, isGlob)) }
        guard (1...TextPattern.alternativeCountMax).contains(globs.count) else {
            throw cursor.flaw("1 to \(TextPattern.alternativeCountMax) patterns are due here")
        }
        return globs
    }

    private static func glob(_ cursor: JSONCursor, _ isGlob: Bool) throws(RuleError) -> Glob {
        let text = try cursor.string()
        guard let glob = isGlob ? Glob(text) : Glob(literal: text) else {
            throw cursor.flaw("'\(text)' is no pattern: it is too long, ends in '\\' or holds a control character")
        }
        return glob
    }

    private static func number(_ cursor: JSONCursor) throws(RuleError) -> NumberPattern {
        switch cursor.value {
        case .array:
            var numbers: [UInt64] = []
            for element in try cursor.elements() { numbers.append(try element.natural()) }
            guard numbers.count <= TextPattern.alternativeCountMax else {
                throw cursor.flaw("there are more than \(TextPattern.alternativeCountMax) numbers")
            }
            return .oneOf(numbers)
        case .object:
            var (above, below): (UInt64?, UInt64?) = (nil, nil)
            for (name, value) in try cursor.members(of: "a number pattern", among: ["gt", "lt"]) {
                if name == "gt" { above = try value.natural() } else { below = try value.natural() }
            }
            guard above != nil || below != nil else { throw cursor.flaw("'gt' or 'lt' is due here") }
            return .between(above: above, below: below)
        default: return .oneOf([try cursor.natural()])
        }
    }

    private static func headers(_ cursor: JSONCursor) throws(RuleError) -> [Matcher.Header] {
        var headers: [Matcher.Header] = []
        for (name, value) in try cursor.members() {
            headers.append(.init(name: name.lowercased(), pattern: try text(value, isGlob: false)))
        }
        return headers
    }

    private static func connection(_ cursor: JSONCursor) throws(RuleError) -> Matcher.ConnectionAge {
        let word = try cursor.string()
        guard let age = Matcher.ConnectionAge(rawValue: word) else {
            throw cursor.flaw(
                RuleError.unknown("kind of connection", word, among: Matcher.ConnectionAge.allCases.map(\.rawValue)))
        }
        return age
    }
}

extension Matcher {
    /// The matcher with these operations; `any` among them means all.
    fileprivate func taking(operations: [OperationPattern]) -> Matcher {
        var matcher = self
        matcher.operations = Matcher(operations: operations).operations
        return matcher
    }
}

// MARK: - Writing

extension MatcherJSON {
    private static func json(_ pattern: TextPattern, isGlob: Bool) -> JSON {
        if pattern == .absent { return ["absent": true] }
        // Literals where a bare string is literal; `glob` says so where it is not.
        let literals = pattern.alternatives.compactMap(\.literal)
        let isLiteral = !isGlob && literals.count == pattern.alternatives.count
        let texts = (isLiteral ? literals : pattern.alternatives.map { $0.text() }).map(JSON.string)
        let value = texts.count == 1 ? texts[0] : .array(texts)
        let positive = isGlob || isLiteral ? value : ["glob": value]
        return pattern.isNegated ? ["not": positive] : positive
    }

    private static func json(_ pattern: NumberPattern) -> JSON {
        switch pattern {
        case .oneOf(let numbers):
            let values = numbers.map { JSON.integer(Int64(clamping: $0)) }
            return values.count == 1 ? values[0] : .array(values)
        case .between(let above, let below):
            let bounds = [("gt", above), ("lt", below)]
            return .object(
                bounds.compactMap { name, bound in
                    bound.map { JSON.Member(name, .integer(Int64(clamping: $0))) }
                })
        }
    }
}
