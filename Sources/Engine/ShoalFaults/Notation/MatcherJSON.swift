import ShoalJSON
import ShoalS3

/// The `match` member of a rule in JSON.
///
/// Text is a glob for bucket, key and upload ID and literal for headers; an array is "one of"; `{"glob"}`, `{"not"}` and
/// `{"absent":true}` say the rest. Numbers are a number, an array, or `{"gt","lt"}`.
enum MatcherJSON {
    static func read(_ cursor: JSONCursor) throws(RuleError) -> Matcher {
        var match = Matcher()
        let names = Matcher.Field.allCases.map(\.rawValue)
        if let (_, grant) = try cursor.members().first(where: { $0.name == "grant" }) {
            throw grant.flaw(RuleNotation.withoutGrant)
        }
        for (name, value) in try cursor.members(of: "'match'", among: names) {
            guard let field = Matcher.Field(rawValue: name) else { continue }
            try read(field, value, into: &match)
        }
        return match
    }

    private static func read(
        _ field: Matcher.Field, _ value: JSONCursor, into match: inout Matcher
    ) throws(RuleError) {
        if let entry = Matcher.textFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = try text(value, isGlob: true)
        } else if let entry = Matcher.numberFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = try number(value)
        } else if let entry = Matcher.flagFields.first(where: { $0.field == field }) {
            match[keyPath: entry.path] = try value.bool()
        } else {
            switch field {
            case .operation: match.operations = try operations(value)
            case .header: match.headers = try named(value) { $0.lowercased() }
            case .query: match.parameters = try named(value) { $0 }
            case .ageOfUrl: match.ageOfUrl = try age(value)
            case .connection: match.connection = try connection(value)
            case .after: match.after = try precedent(value)
            case .any: match.alternatives = try nested(value)
            default: match.exclusions = try nested(value)
            }
        }
    }

    static func json(_ match: Matcher) -> JSON? {
        var members: [JSON.Member] = []
        func add(_ field: Matcher.Field, _ value: JSON?) {
            if let value { members.append(JSON.Member(field.rawValue, value)) }
        }
        let operations = match.operations.map { JSON.string($0.text) }
        add(.operation, operations.count < 2 ? operations.first : .array(operations))
        for entry in Matcher.textFields { add(entry.field, match[keyPath: entry.path].map { json($0, isGlob: true) }) }
        for entry in Matcher.numberFields { add(entry.field, match[keyPath: entry.path].map(json)) }
        for entry in Matcher.flagFields { add(entry.field, match[keyPath: entry.path].map(JSON.bool)) }
        add(.ageOfUrl, match.ageOfUrl.map(json))
        add(.header, json(match.headers))
        add(.query, json(match.parameters))
        add(.connection, match.connection.map { .string($0.rawValue) })
        add(.after, match.after.map(json))
        add(.any, match.alternatives.isEmpty ? nil : .array(match.alternatives.map { json($0) ?? [:] }))
        let exclusions = match.exclusions.map { json($0) ?? [:] }
        add(.not, exclusions.count < 2 ? exclusions.first : .array(exclusions))
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
        if let (_, regex) = try cursor.members().first(where: { $0.name == "regex" }) {
            throw regex.flaw(RuleNotation.withoutRegex)
        }
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

    private static func named(
        _ cursor: JSONCursor, _ spelling: (String) -> String
    ) throws(RuleError) -> [Matcher.Named] {
        var conditions: [Matcher.Named] = []
        for (name, value) in try cursor.members() {
            conditions.append(.init(name: spelling(name), pattern: try text(value, isGlob: false)))
        }
        return conditions
    }

    private static func age(_ cursor: JSONCursor) throws(RuleError) -> AgePattern {
        var (above, below): (Int64?, Int64?) = (nil, nil)
        for (name, value) in try cursor.members(of: "an age", among: ["gt", "lt"]) {
            let text = try value.string()
            guard let milliseconds = DurationText.milliseconds(text) else {
                throw value.flaw("'\(text)' is no duration, such as 200ms, 8s or 1m30s")
            }
            if name == "gt" { above = milliseconds } else { below = milliseconds }
        }
        guard above != nil || below != nil else { throw cursor.flaw("'gt' or 'lt' is due here") }
        return AgePattern(above: above, below: below)
    }

    /// `{"rule":"busy","fired":2}`, or `{"op":"PutObject","committed":true}`.
    private static func precedent(_ cursor: JSONCursor) throws(RuleError) -> Matcher.Precedent {
        var (rule, fired): (String?, Int?) = (nil, nil)
        var pattern: OperationPattern?
        var committed: JSONCursor?
        for (name, value) in try cursor.members(of: "'after'", among: ["rule", "fired", "op", "committed"]) {
            switch name {
            case "rule": rule = try value.string()
            case "fired": fired = Int(try value.natural())
            case "op": pattern = try operation(value)
            default: committed = value
            }
        }
        if let committed, try !committed.bool() { throw committed.flaw("only true can be waited for") }
        switch (rule, pattern) {
        case (let rule?, nil) where committed == nil: return .rule(rule, fired: fired ?? 1)
        case (nil, let pattern?) where committed != nil && fired == nil: return .committed(pattern)
        default:
            throw cursor.flaw(
                "{\"rule\":\"busy\",\"fired\":2} or {\"op\":\"PutObject\",\"committed\":true} is due here")
        }
    }

    /// One matcher, or several.
    private static func nested(_ cursor: JSONCursor) throws(RuleError) -> [Matcher] {
        guard case .array = cursor.value else { return [try read(cursor)] }
        var matchers: [Matcher] = []
        for element in try cursor.elements() { matchers.append(try read(element)) }
        guard !matchers.isEmpty else { throw cursor.flaw("at least one matcher is due here") }
        return matchers
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

    private static func json(_ conditions: [Matcher.Named]) -> JSON? {
        guard !conditions.isEmpty else { return nil }
        return .object(conditions.map { JSON.Member($0.name, json($0.pattern, isGlob: false)) })
    }

    private static func json(_ age: AgePattern) -> JSON {
        let bounds = [("gt", age.above), ("lt", age.below)]
        return .object(
            bounds.compactMap { name, bound in
                bound.map { JSON.Member(name, .string(DurationText.text(milliseconds: $0))) }
            })
    }

    private static func json(_ precedent: Matcher.Precedent) -> JSON {
        switch precedent {
        case .rule(let id, let fired): ["rule": .string(id), "fired": .integer(Int64(fired))]
        case .committed(let pattern): ["op": .string(pattern.text), "committed": true]
        }
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
