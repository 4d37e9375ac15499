extension AnswerEdit {
    /// The edit that the parameters make.
    init(_ parameters: ActionParameters) throws(ActionParameters.Flaw) {
        switch parameters.action {
        case .dropHeader: self = .dropHeader(try parameters.needed(parameters.text("name")))
        case .setHeader:
            let name = try parameters.needed(parameters.text("name"))
            self = .setHeader(.init(name: name, value: try parameters.needed(parameters.text("value"))))
        case .wrongLength:
            let error = try parameters.value("by", "a number of bytes such as +10 or -5, or 'absent'") {
                LengthError($0)
            }
            self = .wrongLength(try parameters.needed(error))
        case .extraInformational:
            self = .extraInformational(
                status: try parameters.number("status") ?? 103, count: try parameters.number("count") ?? 1)
        case .missingTerminator: self = .missingTerminator
        case .truncateHead:
            self = .truncateHead(
                bytes: try parameters.needed(try parameters.byteCount("bytes")), try Self.ending(parameters))
        case .truncateBody:
            self = .truncateBody(
                at: try parameters.needed(try parameters.position("at")), try Self.ending(parameters))
        case .garbage: self = .garbage(try parameters.word("place", "place of 'garbage'") ?? .before)
        case .duplicateResponse: self = .duplicateResponse
        case .wrongETag: self = .wrongETag
        case .wrongChecksumHeader: self = .wrongChecksumHeader
        default: preconditionFailure("'\(parameters.action)' edits no answer")
        }
    }

    private static func ending(_ parameters: ActionParameters) throws(ActionParameters.Flaw) -> CutEnding {
        try parameters.word("then", "ending of an answer that is cut") ?? .close
    }

    /// The values of `name.parameters`, in their order; nil for what need not be said.
    var parameterValues: [ActionValue?] {
        switch self {
        case .dropHeader(let name): [.text(name)]
        case .setHeader(let field): [.text(field.name), .text(field.value)]
        case .wrongLength(let error): [.text(error.text)]
        case .extraInformational(let status, let count): [.number(status), count == 1 ? nil : .number(count)]
        case .missingTerminator, .duplicateResponse, .wrongETag, .wrongChecksumHeader: []
        case .truncateHead(let count, let ending): [.number(count), ending.value]
        case .truncateBody(let position, let ending): [.text(position.text), ending.value]
        case .garbage(let place): [place == .before ? nil : .text(place.rawValue)]
        }
    }
}

extension AnswerEdit.CutEnding {
    fileprivate var value: ActionValue? { self == .close ? nil : .text(rawValue) }
}

extension AnswerEdit.LengthError {
    /// `+10`, `10`, `-5` or `absent`; nil for anything else.
    fileprivate init?(_ text: String) {
        if text == "absent" {
            self = .absent
        } else {
            // Int64 reads both signs, and nothing but digits behind them.
            guard let error = Int64(text) else { return nil }
            self = .by(error)
        }
    }

    fileprivate var text: String {
        switch self {
        case .by(let error): error > 0 ? "+\(error)" : String(error)
        case .absent: "absent"
        }
    }
}
