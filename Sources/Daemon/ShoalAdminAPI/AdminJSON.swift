import FoundationEssentials

/// The one way messages become bytes and back: members sorted by name, slashes as they are.
package enum AdminJSON {
    package static func encode(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(message))
    }

    /// As `encode`, on several lines, for people.
    package static func encodeForReading(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array(try encoder.encode(message))
    }

    /// Throws a `MalformedMessage` that says where the bytes are no `Message`.
    package static func decode<Message: Decodable>(
        _ type: Message.Type, from bytes: some Sequence<UInt8>
    ) throws -> Message {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {  // Codable's own text names Swift types; ours names the JSON.
            throw MalformedMessage(error)
        }
    }
}

/// Why some JSON is not the message it should be.
package struct MalformedMessage: Error, Equatable, CustomStringConvertible {
    /// RFC 6901: `""` for the whole document, else `/rules/0/id`.
    package let pointer: String
    package let reason: String

    package init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath, "the member \"\(key.stringValue)\" is missing")
        case .typeMismatch(let type, let context):
            self.init(context.codingPath, "should be \(Self.name(of: type))")
        case .valueNotFound(let type, let context):
            self.init(context.codingPath, "should be \(Self.name(of: type)), not null")
        case .dataCorrupted(let context):
            self.init(context.codingPath, context.codingPath.isEmpty ? "this is not JSON" : context.debugDescription)
        @unknown default:
            self.init([], "this is not JSON")
        }
    }

    private init(_ path: [any CodingKey], _ reason: String) {
        pointer = path.map { "/" + ($0.intValue.map(String.init) ?? Self.escaped($0.stringValue)) }.joined()
        self.reason = reason
    }

    private static func escaped(_ name: String) -> String {
        name.reduce(into: "") { text, letter in
            switch letter {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.append(letter)
            }
        }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type, is UInt64.Type: "a whole number"
        case is Double.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }

    package var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}
