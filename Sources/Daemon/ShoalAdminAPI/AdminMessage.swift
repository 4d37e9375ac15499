import ShoalFaults
import ShoalJSON

/// A body of the admin API, and its JSON form.
package protocol AdminMessage: Sendable {
    /// Reads a value at some place of a document; throws a `MalformedMessage` that names the place.
    init(_ reader: MessageReader) throws(MalformedMessage)

    /// Members in the order of their documentation; optional ones that are nil are left out.
    var json: JSON { get }
}

extension AdminMessage {
    /// From a whole body.
    package init(decoding body: [UInt8]) throws(MalformedMessage) {
        let value: JSON
        do throws(JSONParser.Flaw) {
            value = try JSONParser.parse(body)
        } catch {
            throw MalformedMessage(pointer: error.pointer, reason: error.message)
        }
        try self.init(MessageReader(value))
    }

    package var bytes: [UInt8] { json.bytes }
}

/// Why some JSON is not the message it should be.
package struct MalformedMessage: Error, Equatable, CustomStringConvertible {
    /// RFC 6901: empty for the whole document, else `/rules/0/id`.
    package let pointer: String
    package let reason: String
    /// The valid name that is nearest to an unknown one.
    package let nearest: String?

    package init(pointer: String, reason: String, nearest: String? = nil) {
        self.pointer = pointer
        self.reason = reason
        self.nearest = nearest
    }

    package var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// A value of a document and the way to it, read member by member.
package struct MessageReader {
    package let value: JSON
    private let path: [String]

    package init(_ value: JSON, at path: [String] = []) {
        self.value = value
        self.path = path
    }

    /// A flaw of this value.
    package func flaw(_ reason: String, nearest: String? = nil) -> MalformedMessage {
        MalformedMessage(pointer: JSONPointer.text(path), reason: reason, nearest: nearest)
    }

    /// Refuses members that are not among `names`: a mistyped one would be ignored otherwise.
    package func allow(_ names: [String]) throws(MalformedMessage) {
        for (name, member) in try members() where !names.contains(name) {
            let nearest = NearestName.of(name, among: names)
            let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
            throw member.flaw("there is no member '\(name)'\(hint)", nearest: nearest)
        }
    }

    /// The member called `name`; nil if it is absent or null.
    package func member(_ name: String) throws(MalformedMessage) -> MessageReader? {
        for (found, member) in try members() where found == name && member.value != .null { return member }
        return nil
    }

    package func required(_ name: String) throws(MalformedMessage) -> MessageReader {
        guard let member = try member(name) else { throw flaw("the member '\(name)' is missing") }
        return member
    }

    package func members() throws(MalformedMessage) -> [(name: String, reader: MessageReader)] {
        guard case .object(let members) = value else { throw isDue("an object") }
        return members.map { ($0.name, MessageReader($0.value, at: path + [$0.name])) }
    }

    package func elements() throws(MalformedMessage) -> [MessageReader] {
        guard case .array(let values) = value else { throw isDue("an array") }
        return values.enumerated().map { MessageReader($0.element, at: path + [String($0.offset)]) }
    }

    package func string() throws(MalformedMessage) -> String {
        guard case .string(let text) = value else { throw isDue("a string") }
        return text
    }

    package func bool() throws(MalformedMessage) -> Bool {
        guard case .bool(let value) = value else { throw isDue("true or false") }
        return value
    }

    /// A whole number within the bounds of its type.
    package func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(MalformedMessage)
        -> Number
    {
        guard case .integer(let number) = value, let fitting = Number(exactly: number) else {
            throw isDue("a whole number")
        }
        return fitting
    }

    /// A member of a String enum by its raw value.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type = Choice.self
    ) throws(MalformedMessage) -> Choice where Choice.RawValue == String {
        let text = try string()
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let nearest = NearestName.of(text, among: names)
        throw flaw("there is no '\(text)' here; there are \(names.joined(separator: ", "))", nearest: nearest)
    }

    /// An object of strings, such as headers.
    package func texts() throws(MalformedMessage) -> [(name: String, value: String)] {
        var texts: [(name: String, value: String)] = []
        for (name, member) in try members() { texts.append((name, try member.string())) }
        return texts
    }

    package func list<Message: AdminMessage>(of type: Message.Type = Message.self) throws(MalformedMessage) -> [Message]
    {
        var list: [Message] = []
        for element in try elements() { list.append(try Message(element)) }
        return list
    }

    private func isDue(_ kind: String) -> MalformedMessage { flaw("\(kind) is due here, not \(value.kind)") }
}

extension JSON {
    /// An object of those members that are not nil.
    package static func members(_ members: [(name: String, value: JSON?)]) -> JSON {
        .object(members.compactMap { member in member.value.map { Member(member.name, $0) } })
    }

    package static func texts(_ texts: [(name: String, value: String)]) -> JSON {
        .object(texts.map { Member($0.name, .string($0.value)) })
    }

    package static func list(_ messages: [some AdminMessage]) -> JSON { .array(messages.map(\.json)) }

    /// A count; beyond the numbers of JSON's readers it stays at their bound.
    package static func count(_ number: some BinaryInteger) -> JSON { .integer(Int64(clamping: number)) }

    package static func text(_ text: String?) -> JSON? { text.map { .string($0) } }
}
