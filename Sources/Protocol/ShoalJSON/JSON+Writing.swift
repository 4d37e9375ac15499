extension JSON {
    /// The value without blanks, in UTF-8.
    package var bytes: [UInt8] {
        var out: [UInt8] = []
        append(to: &out)
        return out
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func append(to out: inout [UInt8]) {
        switch self {
        case .null: JSONText.append("null", to: &out)
        case .bool(let value): JSONText.append(value ? "true" : "false", to: &out)
        case .integer(let value): JSONText.append(number: value, to: &out)
        // Swift writes the shortest digits that read back as the same number, in JSON's grammar.
        case .number(let value): out += value.description.utf8
        case .string(let value): JSONText.append(string: value, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                value.append(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                JSONText.append(string: member.name, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.append(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }
}
