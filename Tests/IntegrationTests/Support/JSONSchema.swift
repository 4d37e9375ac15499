import ShoalJSON

/// Judges values by the schemas of an OpenAPI document, in the part of JSON Schema that ours uses.
///
/// Stricter than the standard in one thing: a member that no schema names is a flaw, unless the schema says
/// `"additionalProperties": true`. What an answer holds is described, or the test fails.
/// https://json-schema.org/draft/2020-12
struct JSONSchema {
    private let root: JSON

    /// `root` is the document that references lead into.
    init(in root: JSON) { self.root = root }

    /// Where `$ref` leads, or the value itself; nil for a reference to nothing.
    func resolved(_ value: JSON) -> JSON? {
        guard let reference = value["$ref"]?.string else { return value }
        guard reference.hasPrefix("#/") else { return nil }
        return reference.split(separator: "/").dropFirst().reduce(Optional(root)) { $0?[String($1)] }
    }

    /// What is wrong with a value, each with its place; empty if nothing is.
    func flaws(of value: JSON, by schema: JSON, at place: String = "") -> [String] {
        guard let schema = resolved(schema) else { return ["\(place): no schema for it"] }
        if let choices = schema["oneOf"]?.elements {
            let attempts = choices.map { flaws(of: value, by: $0, at: place) }
            let count = attempts.count(where: \.isEmpty)
            return count == 1 ? [] : ["\(place): \(count) of \(choices.count) schemas hold: \(attempts.joined())"]
        }
        if let kinds = schema["type"], !([kinds] + kinds.elements).contains(where: { Self.is(value, $0.string) }) {
            return ["\(place): \(value.kind) instead of \(kinds.text)"]
        }
        if let constant = schema["const"], constant != value { return ["\(place): not \(constant.text)"] }
        if let allowed = schema["enum"]?.elements, !allowed.contains(value) { return ["\(place): not among the names"] }
        if let minimum = schema["minimum"]?.integer, let number = value.integer, number < minimum {
            return ["\(place): \(number) is below \(minimum)"]
        }
        if let items = schema["items"] {
            return value.elements.enumerated().flatMap { flaws(of: $1, by: items, at: "\(place)/\($0)") }
        }
        return memberFlaws(of: value, by: schema, at: place)
    }

    private func memberFlaws(of value: JSON, by schema: JSON, at place: String) -> [String] {
        guard case .object(let members) = value else { return [] }
        let missing = schema["required"]?.elements.compactMap(\.string).filter { value[$0] == nil } ?? []
        var flaws = missing.map { "\(place)/\($0): missing" }
        for member in members {
            let inner = "\(place)/\(member.name)"
            if let known = schema["properties"]?[member.name] {
                flaws += self.flaws(of: member.value, by: known, at: inner)
            } else if let others = schema["additionalProperties"], case .object = others {
                flaws += self.flaws(of: member.value, by: others, at: inner)
            } else if schema["additionalProperties"] != true {
                flaws.append("\(inner): not described")
            }
        }
        return flaws
    }

    private static func `is`(_ value: JSON, _ kind: String?) -> Bool {
        switch (kind, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
            ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }
}
