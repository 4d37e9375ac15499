/// A scene that a phone developer knows by name: rules, and the checks that an app has to pass under them.
///
/// It is a file of rules, with its parameters in braces and everything else in comments, so that what `filled` makes of
/// it is a file of rules as well:
///
///     # lost-answer: the photo is stored, but the phone never hears it.
///     # The app should find out whether it is stored before it sends it again.
///     #
///     #   times=1     how often for each key
///     #   key=*       keys that are struck, without their bucket
///
///     PutObject {key} @commit.after {times}*reset per=key id=lost-answer
///
///     # verify: one-commit key={key}
///
/// A comment may begin with one more of the words of `Directive`; any other one is a remark.
package struct Preset: Sendable {
    /// What a comment can say beside `# verify: CHECK`.
    package enum Directive: String, CaseIterable, Sendable {
        /// A check, or `--silent-rules` where rules need not have struck for the app to be right.
        case verify
        /// A change of the scope's clock, such as `+20m`.
        case clock
        /// For rules of chance.
        case seed
        /// A command to give while the app is at work.
        case meanwhile
        /// A command to give when all is done.
        case afterwards

        /// What stands behind `# verify: ` and its like; nil for any other line.
        static func read(_ line: Substring) -> (Directive, Substring)? {
            for directive in allCases {
                let mark = "# \(directive.rawValue): "
                if line.hasPrefix(mark) { return (directive, line.dropFirst(mark.count)) }
            }
            return nil
        }
    }

    package let name: String
    /// One sentence, with its full stop.
    package let summary: String
    /// What stands behind "The app should", with its full stop.
    package let advice: String
    package let parameters: [PresetParameter]
    /// The file as it stands.
    package let text: String

    private static let adviceMark = "# The app should "
    static let parameterMark = "#   "

    /// Throws where something is missing.
    package init(_ text: String) throws(PresetError) {
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let title = (lines.first ?? "").dropFirst(2).split(separator: ": ", maxSplits: 1)
        guard title.count == 2, lines[0].hasPrefix("# ") else {
            throw PresetError("a preset begins with its name and what it is: `# lost-answer: the photo is stored, …`")
        }
        (name, summary) = (String(title[0]), String(title[1]))
        guard FaultRule.isName(name) else { throw PresetError("'\(name)' is no name") }
        guard lines.count > 1, lines[1].hasPrefix(Self.adviceMark) else {
            throw PresetError("the second line of the preset \(name) says what the app should do")
        }
        advice = String(lines[1].dropFirst(Self.adviceMark.count))
        for line in lines.dropFirst(2) { try Self.refuseUnknownDirective(line) }
        var parameters: [PresetParameter] = []
        for line in lines where line.hasPrefix(Self.parameterMark) {
            parameters.append(try PresetParameter(line.dropFirst(Self.parameterMark.count)))
        }
        self.parameters = parameters
    }

    /// A mistyped one would be a remark.
    private static func refuseUnknownDirective(_ line: Substring) throws(PresetError) {
        let word = line.dropFirst(2).prefix { $0.isLowercase }
        guard line.hasPrefix("# "), !word.isEmpty, line.dropFirst(2 + word.count).hasPrefix(": "),
            Directive(rawValue: String(word)) == nil
        else { return }
        throw .unknown("part of a preset", String(word), among: Directive.allCases.map(\.rawValue))
    }
}

/// Why there is no such preset, or why it cannot be filled so.
package struct PresetError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The valid name that is nearest to an unknown one.
    package let nearest: String?
    /// Whether the preset itself is unknown, rather than what it was given.
    package let isOfName: Bool

    init(_ description: String, nearest: String? = nil, isOfName: Bool = false) {
        self.description = description
        self.nearest = nearest
        self.isOfName = isOfName
    }

    static func unknown(_ what: String, _ name: String, among names: [String], isOfName: Bool = false) -> PresetError {
        PresetError(
            RuleError.unknown(what, name, among: names), nearest: NearestName.of(name, among: names),
            isOfName: isOfName)
    }
}
