// Patterns as the one-line form writes them: `photos/*|thumbs/*`, `!tmp/*`, `2|3`, `>1<9`.

extension TextPattern {
    /// Nil for a glob that cannot be read; the text may stand in quotes.
    init?(line text: ArraySlice<UInt8>) {
        var rest = text
        let isNegated = rest.first == UInt8(ascii: "!")
        if isNegated { rest = rest.dropFirst() }
        if rest.count >= 2, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"") {
            rest = rest.dropFirst().dropLast()
        }
        var alternatives: [Glob] = []
        for part in Self.split(rest) {
            guard let glob = Glob(part) else { return nil }
            alternatives.append(glob)
        }
        guard alternatives.count <= Self.alternativeCountMax else { return nil }
        self.init(alternatives, isNegated: isNegated)
    }

    /// At each `|` that no `\` precedes.
    private static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "|"):
                parts.append(text[start..<index])
                index += 1
                start = index
            default: index += 1
            }
        }
        return parts + [text[start...]]
    }

    /// The text that `init(line:)` reads back, in quotes where it must not be divided.
    var lineText: String {
        let text = alternatives.map { $0.text(escaping: "|#\"") }.joined(separator: "|")
        let sign = isNegated ? "!" : ""
        if text.isEmpty
            || text.utf8.contains(where: {
                $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")")
            })
        {
            return "\(sign)\"\(text)\""
        }
        let begins = text.utf8.first
        let isMistakable = !isNegated && (begins == UInt8(ascii: "!") || begins == UInt8(ascii: "@"))
        return sign + (isMistakable ? "\\" : "") + text
    }
}

extension NumberPattern {
    /// `2`, `2|3`, `>1`, `<9`, `>1<9`; nil for anything else.
    init?(line text: some StringProtocol) {
        if text.hasPrefix(">") {
            let bounds = text.dropFirst().split(separator: "<", omittingEmptySubsequences: false)
            guard bounds.count <= 2, let above = BytePosition.digits(bounds[0]) else { return nil }
            var below: UInt64?
            if bounds.count == 2 {
                guard let bound = BytePosition.digits(bounds[1]) else { return nil }
                below = bound
            }
            self = .between(above: above, below: below)
        } else if text.hasPrefix("<") {
            guard let below = BytePosition.digits(text.dropFirst()) else { return nil }
            self = .between(above: nil, below: below)
        } else {
            let numbers = text.split(separator: "|", omittingEmptySubsequences: false).map { BytePosition.digits($0) }
            guard numbers.count <= TextPattern.alternativeCountMax, numbers.allSatisfy({ $0 != nil }) else {
                return nil
            }
            self = .oneOf(numbers.compactMap { $0 })
        }
    }

    var lineText: String {
        switch self {
        case .oneOf(let numbers): numbers.map(String.init).joined(separator: "|")
        case .between(let above, let below): (above.map { ">\($0)" } ?? "") + (below.map { "<\($0)" } ?? "")
        }
    }
}

extension AgePattern {
    /// `>50s`, `<5m`, `>50s<5m`; nil for anything else.
    init?(line text: some StringProtocol) {
        var rest = text[...]
        var bounds: (above: Int64?, below: Int64?)
        if rest.hasPrefix(">") {
            rest = rest.dropFirst()
            guard let above = DurationText.milliseconds(rest.prefix { $0 != "<" }) else { return nil }
            bounds.above = above
            rest = rest.drop { $0 != "<" }
        }
        if rest.hasPrefix("<") {
            guard let below = DurationText.milliseconds(rest.dropFirst()) else { return nil }
            bounds.below = below
        } else if !rest.isEmpty {
            return nil
        }
        guard bounds.above != nil || bounds.below != nil else { return nil }
        self.init(above: bounds.above, below: bounds.below)
    }

    var lineText: String {
        (above.map { ">" + DurationText.text(milliseconds: $0) } ?? "")
            + (below.map { "<" + DurationText.text(milliseconds: $0) } ?? "")
    }
}

extension Matcher.Precedent {
    /// `busy`, `busy:2`, `committed(PutObject)`; nil for anything else.
    init?(line text: String) {
        if text.hasPrefix("committed("), text.hasSuffix(")") {
            guard let pattern = OperationPattern(String(text.dropFirst(10).dropLast())) else { return nil }
            self = .committed(pattern)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let fired = parts.count == 2 ? BytePosition.digits(parts[1]).flatMap { Int(exactly: $0) } : 1
        guard parts.count <= 2, let fired, FaultRule.isName(String(parts[0])) else { return nil }
        self = .rule(String(parts[0]), fired: fired)
    }

    var lineText: String {
        switch self {
        case .rule(let id, 1): id
        case .rule(let id, let fired): "\(id):\(fired)"
        case .committed(let pattern): "committed(\(pattern.text))"
        }
    }
}

extension FaultCount.Window {
    /// `4-6`, or `4` for one match; nil for anything else.
    init?(line text: some StringProtocol) {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { BytePosition.digits($0).flatMap { Int(exactly: $0) } }
        guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2 else { return nil }
        self.init(first, last)
    }

    var lineText: String { "\(first)-\(last)" }
}

extension FaultCount.Budget {
    /// `20/minute`, `3/30s`; nil for anything else.
    init?(line text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let firings = BytePosition.digits(parts[0]).flatMap({ Int(exactly: $0) }),
            let per = Self.duration(parts[1])
        else { return nil }
        self.init(firings: firings, per: per)
    }

    var lineText: String { "\(firings)/\(perText)" }

    private static let units: [(name: String, duration: Duration)] = [
        ("second", .seconds(1)), ("minute", .seconds(60)), ("hour", .seconds(3_600)), ("day", .seconds(86_400)),
    ]

    /// `minute`, or a duration such as `30s`.
    static func duration(_ text: some StringProtocol) -> Duration? {
        units.first { $0.name == text }?.duration ?? DurationText.milliseconds(text).map { .milliseconds($0) }
    }

    var perText: String {
        Self.units.first { $0.duration == per }?.name ?? DurationText.text(milliseconds: per.wholeMilliseconds)
    }
}
