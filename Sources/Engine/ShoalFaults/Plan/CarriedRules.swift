import ShoalS3

/// Rules that a request brings along, about itself: `commit.after reset`, or several with `;` between them.
///
/// Each is a rule in one line without what stands in front of its point; it counts for each operation of the app, so that
/// `commit.after 1*reset` strikes the first attempt and lets the second one pass.
package struct CarriedRules: Sendable {
    /// The header, and the parameter of a URL, that carry them.
    package static let name = "x-shoal-fault"
    package static let ruleCountMax = 16
    package static let byteCountMax = 4_096

    let rules: [ArmedRule]

    /// Reads them for a request of that operation; nil for one that is not known yet. Throws with the column, the nearest
    /// name, or why the operation never gets there.
    package static func read(_ text: String, for operation: S3Operation?) throws(RuleError) -> [FaultRule] {
        guard text.utf8.count <= byteCountMax else {
            throw RuleError(.column(byteCountMax), "a request carries at most \(byteCountMax) bytes of rules")
        }
        var rules: [FaultRule] = []
        for (offset, piece) in pieces(of: text) {
            guard rules.count < ruleCountMax else {
                throw RuleError(.column(offset + 1), "a request carries at most \(ruleCountMax) rules")
            }
            var rule = try read(piece, at: offset)
            rule.id = rule.id ?? "request-\(rules.count + 1)"
            if let operation, operation != .unknown { rule.match.operations = [.operation(operation)] }
            do throws(FaultRule.Flaw) {
                try rule.validate()
            } catch {
                throw RuleError(.column(offset + 1), error.message)
            }
            rules.append(rule)
        }
        guard !rules.isEmpty else {
            throw RuleError(.column(1), "a point and an action are due, as in commit.after reset")
        }
        return rules
    }

    /// The same for a URL of an object that is asked for by `method`, in any case of letters.
    package static func read(_ text: String, forObject method: String) throws(RuleError) -> [FaultRule] {
        let operation: S3Operation? =
            switch method.uppercased() {
            case "GET": .getObject
            case "HEAD": .headObject
            case "PUT": .putObject
            case "DELETE": .deleteObject
            default: nil
            }
        return try read(text, for: operation)
    }

    private static func read(_ piece: Substring, at offset: Int) throws(RuleError) -> FaultRule {
        let isMarked = piece.first == "@"
        let rule: FaultRule
        do throws(RuleError) {
            rule = try FaultRule(line: isMarked ? String(piece) : "@" + piece)
        } catch {
            guard case .column(let column) = error.place else { throw error }
            throw RuleError(.column(offset + max(1, column - (isMarked ? 0 : 1))), error.message)
        }
        if rule.site.point < .requestHead {
            throw RuleError(
                .column(offset + 1),
                "'\(rule.site.point.rawValue)' has passed when a request shows what it carries; 'request.head' is the first "
                    + "point that it can name")
        }
        if rule.endsProcess || rule.needsPast || rule.hidesWrites {
            throw RuleError(
                .column(offset + 1),
                "what travels with a request is about that one, and '\(rule.actions.first?.name.rawValue ?? "")' is about "
                    + "others too; put it in force as a rule of the scope")
        }
        guard rule.match.isUnconditional else {
            throw RuleError(
                .column(offset + 1), "what travels with a request is about that one, so there is nothing to match")
        }
        return rule
    }

    /// What stands between semicolons outside of quotes, without blanks around it, each with its place in characters.
    private static func pieces(of text: String) -> [(offset: Int, piece: Substring)] {
        var pieces: [(offset: Int, piece: Substring)] = []
        var (isQuoted, isEscaped) = (false, false)
        var (start, index, offset, startOffset) = (text.startIndex, text.startIndex, 0, 0)
        func add(upTo end: String.Index) {
            let whole = text[start..<end]
            let trimmed = whole.drop { $0 == " " }
            guard !trimmed.isEmpty else { return }
            var piece = trimmed
            while piece.last == " " { piece.removeLast() }
            pieces.append((startOffset + whole.count - trimmed.count, piece))
        }
        while index < text.endIndex {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                add(upTo: index)
                start = text.index(after: index)
                startOffset = offset + 1
            }
            index = text.index(after: index)
            offset += 1
        }
        add(upTo: text.endIndex)
        return pieces
    }
}

extension CarriedRules {
    init(_ rules: [FaultRule], seed: UInt64, now: UInt64) {
        self.rules = rules.map { ArmedRule($0, id: $0.id ?? "", seed: seed, now: now) }
    }

    var usesChance: Bool { rules.contains { $0.usesChance } }
}
