/// What a subcommand accepts: parsing, `--help` and shell completion are all made from this one value.
struct CommandDeclaration: Sendable {
    /// `["fault", "add"]`
    let path: [String]
    /// One line without a full stop, for lists.
    let summary: String
    /// Further paragraphs of `--help`.
    let discussion: String
    let operands: [Operand]
    let options: [OptionDeclaration]
    let examples: [Example]

    init(
        _ path: [String], _ summary: String, discussion: String = "", operands: [Operand] = [],
        options: [OptionDeclaration] = [], examples: [Example] = []
    ) {
        self.path = path
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.options = options
        self.examples = examples
    }

    /// `shoal fault add`
    var spelling: String { (["shoal"] + path).joined(separator: " ") }

    struct Example: Sendable {
        let command: String
        let meaning: String

        init(_ command: String, _ meaning: String) {
            self.command = command
            self.meaning = meaning
        }
    }
}

/// An argument without a flag, told by its place.
struct Operand: Sendable {
    /// As in `--help`: `BUCKET/KEY`.
    let name: String
    let summary: String
    let isRequired: Bool
    let repeats: Bool
    let kind: OptionDeclaration.Value

    init(
        _ name: String, _ summary: String, isRequired: Bool = true, repeats: Bool = false,
        kind: OptionDeclaration.Value = .text("")
    ) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
        self.repeats = repeats
        self.kind = kind
    }
}

/// A flag, and the environment variable that stands in for it.
struct OptionDeclaration: Sendable {
    enum Value: Sendable, Equatable {
        /// A switch: given or not.
        case none
        /// Anything; the text is its placeholder in `--help`.
        case text(String)
        case file
        case directory
        case choice([String])
        /// One of many words, more than `--help` can show; the text stands there for them.
        case word(String, of: [String])

        var placeholder: String {
            switch self {
            case .none: ""
            case .text(let name): name
            case .file: "FILE"
            case .directory: "DIR"
            case .choice(let names): names.joined(separator: "|")
            case .word(let name, _): name
            }
        }

        /// Empty unless it is one of a few words.
        var choices: [String] {
            switch self {
            case .choice(let names), .word(_, let names): names
            case .none, .text, .file, .directory: []
            }
        }
    }

    /// Without the dashes.
    let name: String
    let letter: Character?
    let value: Value
    let summary: String
    let repeats: Bool
    /// What counts when nobody says anything; for `--help` and for `ParsedArguments.value`.
    let usual: String?
    /// `SHOAL_LISTEN`; nil for flags that only make sense for one call.
    let variable: String?
    /// A variable of other tools that counts where `variable` is not set.
    let otherVariable: String?
    /// What separates the values of a repeating flag in its variable.
    let variableSeparator: Character
    /// Whether the value must not be seen in the process list; it is wiped from there once it is read.
    let isSecret: Bool

    /// `twin`: whether an environment variable stands in; its name follows from the flag's unless `variable` gives it.
    init(
        _ name: String, letter: Character? = nil, _ value: Value, _ summary: String, repeats: Bool = false,
        usual: String? = nil, twin: Bool = true, variable: String? = nil, otherVariable: String? = nil,
        variableSeparator: Character = ",", isSecret: Bool = false
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.summary = summary
        self.repeats = repeats
        self.usual = usual
        self.variable = twin ? variable ?? Self.variable(for: name) : nil
        self.otherVariable = otherVariable
        self.variableSeparator = variableSeparator
        self.isSecret = isSecret
    }

    private static func variable(for name: String) -> String {
        "SHOAL_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }
}
