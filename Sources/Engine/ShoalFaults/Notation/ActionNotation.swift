import ShoalHTTP
import ShoalS3

/// What both forms of a rule share in reading an action's parameters.
enum ActionNotation {
    /// Every word that may stand for an action: the actions, then S3's error codes.
    static var words: [String] { FaultAction.Name.allCases.map(\.rawValue) + S3Error.Code.allCases.map(\.rawValue) }

    /// The error text for an unknown word.
    static func unknownAction(_ word: String) -> String {
        RuleError.unknown("action or S3 error code", word, among: words)
    }

    static func unknownParameter(_ name: String, of action: String, among names: [String]) -> String {
        names.isEmpty
            ? "'\(action)' takes no parameter" : RuleError.unknown("parameter of '\(action)'", name, among: names)
    }
}

extension InjectedAnswer {
    /// Sets a parameter from its text; the result says what is wrong with it, nil if nothing is.
    mutating func set(_ parameter: Parameter, _ text: String) -> String? {
        switch parameter {
        case .status:
            guard let status = BytePosition.digits(text), status <= 999 else { return "'\(text)' is no status" }
            statusGiven = HTTPStatus(Int(status))
        case .code:
            guard let code = S3Error.Code(rawValue: text) else {
                return RuleError.unknown("S3 error code", text, among: S3Error.Code.allCases.map(\.rawValue))
            }
            self.code = code
        case .message: message = text
        case .retryAfter:
            guard let seconds = BytePosition.digits(text).flatMap({ UInt32(exactly: $0) }) else {
                return "retryAfter is a whole number of seconds"
            }
            retryAfter = seconds
        case .headers: return "headers are written one by one"
        case .contentType: contentType = text
        case .body: body = text
        case .drain:
            guard let drain = Drain(text) else { return "drain is 'all', 'none' or a number of bytes" }
            self.drain = drain
        case .then:
            guard let ending = Ending(rawValue: text) else {
                return RuleError.unknown("ending", text, among: Ending.allCases.map(\.rawValue))
            }
            then = ending
        }
        return nil
    }
}

extension InjectedAnswer.Drain {
    init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "none": self = .none
        default:
            guard let count = BytePosition.digits(text), count <= UInt64(Int64.max) else { return nil }
            self = .bytes(count)
        }
    }

    var text: String {
        switch self {
        case .all: "all"
        case .none: "none"
        case .bytes(let count): String(count)
        }
    }
}
