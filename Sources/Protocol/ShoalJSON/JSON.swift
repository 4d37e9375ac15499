/// A JSON value; members keep their order and have different names.
/// https://www.rfc-editor.org/rfc/rfc8259
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    /// Any other number; finite.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The member of an object called `name`; nil if there is none, or no object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// What kind of value it is, with its article, for error texts.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
