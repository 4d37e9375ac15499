import ShoalS3

extension FaultRule {
    /// Reads the one-line form, such as `PutObject photos/* @commit.after 2*reset`, and validates it.
    package init(line text: String) throws(RuleError) { self = try RuleLineReader.read(text) }

    /// The one-line form; reading it gives the same rule.
    package var line: String {
        var words = match.lineWords
        words.append("@" + site.text)
        let share = count.probability.map { "\($0.percentText)%" } ?? ""
        words.append(share + (count.times.map { "\($0)*" } ?? "") + actionText)
        words += match.lineOptions + countOptions
        if let id { words.append("id=\(QuotedText.text(id))") }
        if let note { words.append("note=\(QuotedText.text(note))") }
        return words.joined(separator: " ")
    }

    /// `PutObject photos/*`: the words before the point.
    package var matchText: String { match.lineWords.joined(separator: " ") }

    /// `hang(8s)->reset`, or the steps of a script, without how often.
    package var actionText: String { script?.text ?? FaultAction.text(of: actions) }

    private var countOptions: [String] {
        var options: [String] = []
        if count.skip != 0 { options.append("skip=\(count.skip)") }
        if let between = count.between { options.append("between=\(between.lineText)") }
        if let every = count.every { options.append("every=\(every)") }
        if count.stableKey != .request { options.append("stableKey=\(count.stableKey.rawValue)") }
        if let budget = count.budget { options.append("budget=\(budget.lineText)") }
        if let expires = count.expires {
            options.append("expires=\(DurationText.text(milliseconds: expires.wholeMilliseconds))")
        }
        if case .sequence(let sequence) = script, sequence.then != .pass {
            options.append("then=\(sequence.then.rawValue)")
        }
        if count.per != Self.usualCount(at: site.point).per { options.append("per=\(count.per.rawValue)") }
        return options
    }
}

extension FaultScript {
    /// `pass,reset,pass`, or with places in front: `1.3:reset,2.1:close`.
    fileprivate var text: String {
        switch self {
        case .sequence(let sequence):
            sequence.steps.map { $0.isEmpty ? "pass" : FaultAction.text(of: $0) }.joined(separator: ",")
        case .schedule(let schedule):
            schedule.places.map {
                "\($0.counter).\($0.arrival):" + FaultAction.text(of: schedule.actions[$0] ?? [])
            }.joined(separator: ",")
        }
    }
}

extension FaultSite {
    /// `commit.after` or `body.at(50%)`.
    package var text: String { point.rawValue + (position.map { "(\($0.text))" } ?? "") }
}

extension FaultAction {
    /// `hang(8s)->reset`
    package static func text(of actions: [FaultAction]) -> String { actions.map(\.text).joined(separator: "->") }

    /// The action with its parameters, as the one-line form writes it.
    package var text: String {
        switch self {
        case .respond(let answer): return answer.lineText(isEarly: false)
        case .respondEarly(let answer): return answer.lineText(isEarly: true)
        case .drawnDelay(let distribution): return distribution.lineText
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
