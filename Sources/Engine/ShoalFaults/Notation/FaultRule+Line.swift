import ShoalS3

extension FaultRule {
    /// Reads the one-line form, such as `PutObject photos/* @commit.after 2*reset`, and validates it.
    package init(line text: String) throws(RuleError) { self = try RuleLineReader.read(text) }

    /// The one-line form; reading it gives the same rule.
    package var line: String {
        var words = [match.operations.isEmpty ? "any" : match.operations.map(\.text).joined(separator: ",")]
        if match.key != nil || match.partNumber != nil {
            words.append((match.key?.lineText ?? "*") + (match.partNumber.map { "#" + $0.lineText } ?? ""))
        }
        words.append("@" + site.text)
        words.append((count.times.map { "\($0)*" } ?? "") + actions.map(\.text).joined(separator: "->"))
        words += options
        return words.joined(separator: " ")
    }

    private var options: [String] {
        var options: [String] = []
        if let bucket = match.bucket { options.append("bucket=\(bucket.lineText)") }
        if let uploadId = match.uploadId { options.append("uploadId=\(uploadId.lineText)") }
        if let size = match.size { options.append("size=\(size.lineText)") }
        if let presigned = match.presigned { options.append("presigned=\(presigned)") }
        options += match.headers.map { "header.\($0.name)=\($0.pattern.lineText)" }
        if let connection = match.connection { options.append("connection=\(connection.rawValue)") }
        if let exchange = match.exchange { options.append("exchange=\(exchange.lineText)") }
        if count.skip != 0 { options.append("skip=\(count.skip)") }
        if count.per != Self.usualCount(at: site.point).per { options.append("per=\(count.per.rawValue)") }
        if let id { options.append("id=\(QuotedText.text(id))") }
        if let note { options.append("note=\(QuotedText.text(note))") }
        return options
    }
}

extension FaultSite {
    /// `commit.after` or `body.at(50%)`.
    package var text: String { point.rawValue + (position.map { "(\($0.text))" } ?? "") }
}

extension FaultAction {
    /// The action with its parameters, as the one-line form writes it.
    package var text: String {
        switch self {
        case .respond(let answer): return answer.lineText(isEarly: false)
        case .respondEarly(let answer): return answer.lineText(isEarly: true)
        default: break
        }
        var arguments: [String] = []
        var isComplete = true
        for (parameter, value) in zip(name.parameters, parameterValues) {
            // Values stand alone until one is left out.
            if let value { arguments.append(isComplete ? value.bareText : "\(parameter)=\(value.namedText)") }
            isComplete = isComplete && value != nil
        }
        return arguments.isEmpty ? name.rawValue : "\(name.rawValue)(\(arguments.joined(separator: ",")))"
    }
}

extension InjectedAnswer {
    /// `SlowDown(retryAfter=2)` where the code says the status, else `respond(503,SlowDown)`; early ones always say so.
    fileprivate func lineText(isEarly: Bool) -> String {
        var arguments: [String] = []
        if let status = statusGiven { arguments.append(String(status.code)) }
        if statusGiven != nil || isEarly, let code { arguments.append(code.rawValue) }
        if let message { arguments.append("message=\(QuotedText.text(message))") }
        if let retryAfter { arguments.append("retryAfter=\(retryAfter)") }
        arguments += fields.map { "header.\($0.name)=\(QuotedText.text($0.value))" }
        if let contentType { arguments.append("contentType=\(QuotedText.text(contentType))") }
        if let body { arguments.append("body=\(QuotedText.text(body))") }
        if drain != .all { arguments.append("drain=\(drain.text)") }
        if then != .keep { arguments.append("then=\(then.rawValue)") }
        let word = isEarly ? "respondEarly" : statusGiven == nil ? code?.rawValue ?? "respond" : "respond"
        return arguments.isEmpty ? word : "\(word)(\(arguments.joined(separator: ",")))"
    }
}
