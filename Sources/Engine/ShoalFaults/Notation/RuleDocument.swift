import ShoalJSON

/// What a rule file or the body of an admin request holds: rules, and what a file may say about all of them.
///
/// Four shapes are read: `{"shoal":1,"seed","scope","rules":[…]}`, one rule as an object, an array of rules, and plain
/// text with a one-line rule on each line, where `#` begins a comment line. In JSON a rule may be a string, which is
/// then a one-line rule.
package struct RuleDocument: Equatable, Sendable {
    package static let ruleCountMax = 1_000

    package var rules: [FaultRule]
    /// For rules of chance.
    package var seed: UInt64?
    /// The name of the scope the rules are meant for.
    package var scope: String?

    package init(rules: [FaultRule], seed: UInt64? = nil, scope: String? = nil) {
        self.rules = rules
        self.seed = seed
        self.scope = scope
    }

    /// Throws with the line and column, or the pointer, of the first thing that is wrong.
    package init(_ bytes: [UInt8]) throws(RuleError) {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            try self.init(json: bytes)
        } else {
            try self.init(lines: bytes)
        }
        guard rules.count <= Self.ruleCountMax else {
            throw RuleError(.pointer(""), "there are more than \(Self.ruleCountMax) rules")
        }
    }
}

// MARK: - Text

extension RuleDocument {
    private init(lines bytes: [UInt8]) throws(RuleError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RuleError(.pointer(""), "the rules are no UTF-8")
        }
        var rules: [FaultRule] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let start = line.utf8.first { $0 != UInt8(ascii: " ") && $0 != 0x09 }
            guard let start, start != UInt8(ascii: "#") else { continue }
            do throws(RuleError) {
                rules.append(try FaultRule(line: String(line)))
            } catch {
                guard case .column(let column) = error.place else { throw error }
                throw RuleError(.line(index + 1, column: column), error.message)
            }
        }
        self.init(rules: rules)
    }
}

// MARK: - JSON

extension RuleDocument {
    private init(json bytes: [UInt8]) throws(RuleError) {
        let value: JSON
        do throws(JSONParser.Flaw) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw RuleError(.pointer(error.pointer), "\(error.message), at byte \(error.offset)")
        }
        let root = JSONCursor(value)
        switch value {
        case .array: self.init(rules: try Self.rules(root))
        case .object where value["rules"] != nil || value["shoal"] != nil: try self.init(file: root)
        default: self.init(rules: [try RuleJSONReader.read(root)])
        }
    }

    private init(file root: JSONCursor) throws(RuleError) {
        self.init(rules: [])
        var hasRules = false
        for (name, cursor) in try root.members(of: "a rule file", among: ["shoal", "seed", "scope", "rules"]) {
            switch name {
            case "shoal":
                guard cursor.value == 1 else { throw cursor.flaw("this is version 1 of the format; 'shoal' is 1") }
            case "seed": seed = try cursor.natural()
            case "scope": scope = try cursor.string()
            default:
                rules = try Self.rules(cursor)
                hasRules = true
            }
        }
        guard hasRules else { throw root.flaw("a rule file needs 'rules'") }
    }

    private static func rules(_ cursor: JSONCursor) throws(RuleError) -> [FaultRule] {
        var rules: [FaultRule] = []
        for element in try cursor.elements() {
            guard case .string(let line) = element.value else {
                rules.append(try RuleJSONReader.read(element))
                continue
            }
            do throws(RuleError) {
                rules.append(try FaultRule(line: line))
            } catch {
                // A column only makes sense inside its string.
                guard case .column(let column) = error.place else { throw error }
                throw element.flaw("column \(column): \(error.message)")
            }
        }
        return rules
    }
}
