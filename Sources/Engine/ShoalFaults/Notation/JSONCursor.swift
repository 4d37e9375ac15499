import ShoalJSON

/// A value inside a JSON document and the way to it, so that an error can name the place.
struct JSONCursor {
    let value: JSON
    let path: [String]

    init(_ value: JSON, at path: [String] = []) {
        self.value = value
        self.path = path
    }

    func flaw(_ message: String) -> RuleError { RuleError(.pointer(JSONPointer.text(path)), message) }

    /// A flaw of the member `name`, whether it is there or not.
    func flaw(at name: String, _ message: String) -> RuleError {
        RuleError(.pointer(JSONPointer.text(path + [name])), message)
    }

    private func isDue(_ kind: String) -> RuleError { flaw("\(kind) is due here, not \(value.kind)") }

    func string() throws(RuleError) -> String {
        guard case .string(let text) = value else { throw isDue("a string") }
        return text
    }

    func bool() throws(RuleError) -> Bool {
        guard case .bool(let value) = value else { throw isDue("true or false") }
        return value
    }

    /// A whole number, not negative.
    func natural() throws(RuleError) -> UInt64 {
        guard case .integer(let number) = value, number >= 0 else { throw isDue("a whole number") }
        return UInt64(number)
    }

    func elements() throws(RuleError) -> [JSONCursor] {
        guard case .array(let values) = value else { throw isDue("an array") }
        return values.enumerated().map { JSONCursor($0.element, at: path + [String($0.offset)]) }
    }

    /// The members of an object, each with its name.
    func members() throws(RuleError) -> [(name: String, cursor: JSONCursor)] {
        guard case .object(let members) = value else { throw isDue("an object") }
        return members.map { ($0.name, JSONCursor($0.value, at: path + [$0.name])) }
    }

    /// The members of an object whose names are all among `names`; `what` says whose members they are.
    func members(of what: String, among names: [String]) throws(RuleError) -> [(name: String, cursor: JSONCursor)] {
        let members = try members()
        for (name, cursor) in members where !names.contains(name) {
            throw cursor.flaw(RuleError.unknown("member of \(what)", name, among: names))
        }
        return members
    }
}
