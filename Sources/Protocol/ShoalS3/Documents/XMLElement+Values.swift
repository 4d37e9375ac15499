import ShoalXML

// Values of child elements as the schema types them. What does not fit its type is 400 `MalformedXML`; nil is absent.

extension XMLBody {
    /// The root element of a body that must be there.
    /// Throws 400 `MissingRequestBodyError` if it is empty, and what `root` throws.
    package static func requiredRoot(_ body: [UInt8], named name: String) throws(S3Error) -> XMLElement {
        guard !body.isEmpty else { throw S3Error(.missingRequestBody) }
        return try root(body, named: name)
    }
}

extension XMLElement {
    package func optionalText(_ name: String) throws(S3Error) -> String? { try child(name)?.leafText() }

    /// The texts of all children of that name, in document order.
    package func texts(_ name: String) throws(S3Error) -> [String] {
        var texts: [String] = []
        for child in children where child.name == name { texts.append(try child.leafText()) }
        return texts
    }

    /// One of the words of an enumeration, to the letter.
    package func choice<Choice: RawRepresentable<String>>(
        _ name: String, of type: Choice.Type = Choice.self
    ) throws(S3Error) -> Choice? {
        guard let text = try optionalText(name) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw S3Error(.malformedXML) }
        return choice
    }

    package func requiredChoice<Choice: RawRepresentable<String>>(
        _ name: String, of type: Choice.Type = Choice.self
    ) throws(S3Error) -> Choice {
        guard let choice = try choice(name, of: type) else { throw S3Error(.malformedXML) }
        return choice
    }

    /// `true` or `false` in any case, as SDKs of several languages print them.
    package func flag(_ name: String) throws(S3Error) -> Bool? {
        guard let text = try optionalText(name) else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw S3Error(.malformedXML)
        }
    }

    /// A number of 32 bits with its sign.
    package func integer(_ name: String) throws(S3Error) -> Int? {
        guard let text = try optionalText(name) else { return nil }
        guard let number = Int(digits: Array(text.utf8)[...]), Int(Int32.min)...Int(Int32.max) ~= number else {
            throw S3Error(.malformedXML)
        }
        return number
    }

    /// A number of bytes, or another that may need 64 bits.
    package func longInteger(_ name: String) throws(S3Error) -> Int? {
        guard let text = try optionalText(name) else { return nil }
        guard let number = Int(digits: Array(text.utf8)[...]) else { throw S3Error(.malformedXML) }
        return number
    }

    /// An instant in ISO 8601.
    package func time(_ name: String) throws(S3Error) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = Timestamp(iso8601: text) else { throw S3Error(.malformedXML) }
        return time
    }
}
