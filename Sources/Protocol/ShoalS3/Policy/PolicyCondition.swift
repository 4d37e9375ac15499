import ShoalJSON

/// One test of a statement: an operator, a circumstance, and the values that satisfy it.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
struct PolicyCondition: Sendable, Equatable {
    enum Comparison: Sendable, Equatable {
        case string, stringIgnoringCase, pattern, number(Order), date(Order), bool, address, null
    }

    enum Order: Sendable { case equal, less, lessOrEqual, greater, greaterOrEqual }

    /// How several values of one circumstance count.
    enum Quantifier: Sendable { case any, all }

    let comparison: Comparison
    /// Whether the operator is one of those with `Not`.
    let isNegated: Bool
    /// Whether an absent circumstance satisfies it.
    let ifExists: Bool
    let quantifier: Quantifier?
    let key: ConditionKey
    let values: [String]

    /// The tests of a `Condition` element. Throws 400 `MalformedPolicy`.
    static func list(_ json: JSON) throws(S3Error) -> [PolicyCondition] {
        guard case .object(let operators) = json else { throw .malformedPolicy("Invalid Condition in policy") }
        var conditions: [PolicyCondition] = []
        for operation in operators {
            guard case .object(let keys) = operation.value else {
                throw .malformedPolicy("Invalid Condition in policy")
            }
            for key in keys {
                guard let condition = PolicyCondition(operation.name, ConditionKey(key.name), try values(key.value))
                else {
                    throw .malformedPolicy("Invalid Condition type : \(operation.name)")
                }
                guard condition.key.isOfKnownService else {
                    throw .malformedPolicy("Policy has an invalid condition key")
                }
                guard condition.hasReadableValues else { throw .malformedPolicy("Invalid value in Condition") }
                conditions.append(condition)
            }
        }
        return conditions
    }

    private static func values(_ json: JSON) throws(S3Error) -> [String] {
        switch json {
        case .string(let text): return [text]
        case .bool(let flag): return [flag ? "true" : "false"]
        case .integer(let number): return ["\(number)"]
        case .number(let number): return ["\(number)"]
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                if case .array = element { throw .malformedPolicy("Invalid value in Condition") }
                texts += try values(element)
            }
            return texts
        case .null, .object: throw .malformedPolicy("Invalid value in Condition")
        }
    }

    /// Nil for an operator that policies do not have.
    private init?(_ name: String, _ key: ConditionKey, _ values: [String]) {
        var base = name[...]
        switch true {
        case base.hasPrefix("ForAnyValue:"): (quantifier, base) = (.any, base.dropFirst(12))
        case base.hasPrefix("ForAllValues:"): (quantifier, base) = (.all, base.dropFirst(13))
        default: quantifier = nil
        }
        let ifExists = base.hasSuffix("IfExists")
        if ifExists { base = base.dropLast(8) }
        guard let (comparison, isNegated) = Self.comparison(String(base)), !(ifExists && comparison == .null) else {
            return nil
        }
        self.comparison = comparison
        self.isNegated = isNegated
        self.ifExists = ifExists
        self.key = key
        self.values = values
    }

    private static func comparison(_ name: String) -> (Comparison, isNegated: Bool)? {
        switch name {
        case "StringEquals", "BinaryEquals": (.string, false)
        case "StringNotEquals": (.string, true)
        case "StringEqualsIgnoreCase": (.stringIgnoringCase, false)
        case "StringNotEqualsIgnoreCase": (.stringIgnoringCase, true)
        case "StringLike", "ArnLike", "ArnEquals": (.pattern, false)
        case "StringNotLike", "ArnNotLike", "ArnNotEquals": (.pattern, true)
        case "NumericEquals": (.number(.equal), false)
        case "NumericNotEquals": (.number(.equal), true)
        case "NumericLessThan": (.number(.less), false)
        case "NumericLessThanEquals": (.number(.lessOrEqual), false)
        case "NumericGreaterThan": (.number(.greater), false)
        case "NumericGreaterThanEquals": (.number(.greaterOrEqual), false)
        case "DateEquals": (.date(.equal), false)
        case "DateNotEquals": (.date(.equal), true)
        case "DateLessThan": (.date(.less), false)
        case "DateLessThanEquals": (.date(.lessOrEqual), false)
        case "DateGreaterThan": (.date(.greater), false)
        case "DateGreaterThanEquals": (.date(.greaterOrEqual), false)
        case "Bool": (.bool, false)
        case "IpAddress": (.address, false)
        case "NotIpAddress": (.address, true)
        case "Null": (.null, false)
        default: nil
        }
    }
}

// MARK: - Evaluation

extension PolicyCondition {
    func holds(_ request: PolicyRequest) -> Bool {
        let found = request.conditions[key] ?? []
        if comparison == .null { return values.contains { ($0.lowercased() == "true") == found.isEmpty } }
        guard !found.isEmpty else { return ifExists || isNegated || quantifier == .all }
        switch quantifier {
        case .all: return found.allSatisfy { isSatisfied(by: $0) }
        case .any: return found.contains { isSatisfied(by: $0) }
        // Of a negated operator no value may be among those named.
        case nil: return isNegated ? found.allSatisfy { isSatisfied(by: $0) } : found.contains { isSatisfied(by: $0) }
        }
    }

    private func isSatisfied(by found: String) -> Bool { values.contains { matches(found, $0) } != isNegated }

    private func matches(_ found: String, _ value: String) -> Bool {
        switch comparison {
        case .string: found.utf8.elementsEqual(value.utf8)
        case .stringIgnoringCase: found.lowercased().utf8.elementsEqual(value.lowercased().utf8)
        case .pattern: WildcardPattern(value.utf8).matches(found.utf8)
        case .number(let order): Self.compare(Double(found), Double(value), order)
        case .date(let order): Self.compare(Self.time(found), Self.time(value), order)
        case .bool: found.lowercased() == value.lowercased()
        case .address: AddressRange(value)?.contains(found) ?? false
        case .null: false
        }
    }

    /// Whether the values are of the operator's type; others could never hold and are a mistake of the writer's.
    private var hasReadableValues: Bool {
        values.allSatisfy { value in
            switch comparison {
            case .string, .stringIgnoringCase, .pattern: true
            case .number: Double(value) != nil
            case .date: Self.time(value) != nil
            case .bool, .null: ["true", "false"].contains(value.lowercased())
            case .address: AddressRange(value) != nil
            }
        }
    }

    /// ISO 8601 or seconds since 1970.
    private static func time(_ text: String) -> Timestamp? {
        if let time = Timestamp(iso8601: text) { return time }
        guard let seconds = Int(digits: Array(text.utf8)[...]), abs(seconds) < 1 << 40 else { return nil }
        return Timestamp(seconds: Int64(seconds))
    }

    private static func compare<Value: Comparable>(_ found: Value?, _ value: Value?, _ order: Order) -> Bool {
        guard let found, let value else { return false }
        return switch order {
        case .equal: found == value
        case .less: found < value
        case .lessOrEqual: found <= value
        case .greater: found > value
        case .greaterOrEqual: found >= value
        }
    }
}
