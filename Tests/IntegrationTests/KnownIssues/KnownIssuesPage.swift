/// An issue as people write it: `owner/repository#7`, or `repository#7`; or a repository that is one report as a whole.
struct IssueName: Sendable {
    let text: String

    /// Nil for what does not end in `#` and a number.
    init?(_ text: some StringProtocol) {
        let pieces = text.split(separator: "#", omittingEmptySubsequences: false)
        guard pieces.count == 2, Int(pieces[1]) != nil, !pieces[0].isEmpty,
            pieces[0].utf8.allSatisfy(Self.isOfName)
        else { return nil }
        self.text = String(text)
    }

    /// `owner/repository`, for a report that is no issue. Nil for anything else.
    init?(repository text: some StringProtocol) {
        guard text.split(separator: "/", omittingEmptySubsequences: false).count == 2,
            text.utf8.allSatisfy(Self.isOfName)
        else { return nil }
        self.text = String(text)
    }

    private var isRepository: Bool { !text.contains("#") }

    /// Whether a word of some text is this name, with or without the owner.
    func isNamed(by word: Substring) -> Bool {
        // A full stop behind it ends a sentence.
        let word = word.last == "." ? word.dropLast() : word
        guard isRepository else { return IssueName(word)?.isMeant(by: self) == true }
        return [text.lowercased(), short].contains(word.lowercased())
    }

    /// Without the owner.
    var short: String { String(text.split(separator: "/").last ?? "").lowercased() }

    /// Whether the whole name that a page gives is this one; the owner may be left out.
    func isMeant(by whole: IssueName) -> Bool {
        text.contains("/") ? text.lowercased() == whole.text.lowercased() : short == whole.short
    }

    static func isOfName(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 128 && (character.isLetter || character.isNumber || "/-_.".contains(character))
    }
}

/// The page as it stands in `docs`: a table, and a list of what is not in it.
struct KnownIssuesPage {
    struct Row {
        let issue: IssueName
        /// `suite: sentence` of each test.
        let tests: [String]
    }

    let rows: [Row]
    let others: [IssueName]

    /// Throws nothing, and has no rows, for a text without a table.
    init(_ text: String) {
        let lines = text.split(separator: "\n")
        rows = lines.filter { $0.hasPrefix("| [") }.compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmed }
            guard cells.count == 2, let issue = Self.issue(in: cells[0]) else { return nil }
            return Row(issue: issue, tests: cells[1].split(separator: "<br>").map { String($0.trimmed) })
        }
        others = lines.filter { $0.hasPrefix("* [") }.compactMap { Self.issue(in: $0.dropFirst(2)) }
    }

    /// `[owner/repository#7](address)`
    private static func issue(in link: Substring) -> IssueName? {
        link.dropFirst().split(separator: "]").first.flatMap { IssueName($0) ?? IssueName(repository: $0) }
    }
}

/// A test with the text that belongs to it: from the end of the one before to its own.
struct NamedTest {
    /// `suite: sentence`, without the issues in parentheses behind it.
    let title: String
    /// The issues in those parentheses.
    let issues: [IssueName]
    private let text: String

    /// Whether the text has the issue's name, with or without its owner.
    func names(_ issue: IssueName) -> Bool {
        text.utf8.split { $0 != UInt8(ascii: "#") && !IssueName.isOfName($0) }
            .contains { issue.isNamed(by: Substring($0)) }
    }

    static func all(in source: String) -> [NamedTest] {
        var (tests, suite, name, lines): ([NamedTest], String, String?, [Substring]) = ([], "", nil, [])
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            // The name of a long test stands on the line below `func`.
            let isBehindFunc = lines.last?.trimmed == "func"
            lines.append(line)
            if line.contains("struct `"), let quoted = line.quoted {
                (suite, name, lines) = (String(quoted), nil, [])
            } else if line.contains("func `") || isBehindFunc, let quoted = line.quoted {
                name = String(quoted)
            }
            let isOneLine = line.contains("func `") && line.hasSuffix("}")
            guard line == "    }" || isOneLine else { continue }
            if let name { tests.append(NamedTest(suite, name, lines)) }
            (name, lines) = (nil, [])
        }
        return tests
    }

    private init(_ suite: String, _ name: String, _ lines: [Substring]) {
        let open = name.hasSuffix(")") ? name.lastIndex(of: "(") : nil
        let words = open.map { name[$0...].dropFirst().dropLast().split(separator: ",").map(\.trimmed) } ?? []
        issues = words.compactMap { IssueName($0) }
        let sentence = issues.isEmpty ? name[...] : name[..<(open ?? name.endIndex)]
        title = "\(suite): \(sentence.trimmed)"
        text = lines.joined(separator: "\n")
    }
}

extension Substring {
    /// Without blanks at either end.
    fileprivate var trimmed: Substring {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }

    /// What stands between the first two backticks.
    fileprivate var quoted: Substring? {
        let pieces = split(separator: "`", omittingEmptySubsequences: false)
        return pieces.count > 2 ? pieces[1] : nil
    }
}
