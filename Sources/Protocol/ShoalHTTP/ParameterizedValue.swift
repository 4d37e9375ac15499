/// A field value such as `form-data; name="file"`: a word, and parameters behind it.
/// https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.6
struct ParameterizedValue {
    let word: ArraySlice<UInt8>
    /// In the order they came; names in lower case.
    private let parameters: [(name: [UInt8], value: [UInt8])]

    /// Nil for a parameter without a name or a value, and for a quote that does not end.
    init?(_ value: ArraySlice<UInt8>) {
        let end = value.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
        word = value[..<end].trimmed
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        var rest = value[end...]
        while !rest.isEmpty {
            // At a semicolon.
            rest = rest.dropFirst().drop(while: \.isBlank)
            guard let first = rest.first else { break }
            if first == UInt8(ascii: ";") { continue }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = rest[..<equals].trimmed
            guard !name.isEmpty, name.allSatisfy(\.isToken) else { return nil }
            rest = rest[(equals + 1)...].drop(while: \.isBlank)
            guard let text = Self.value(takenFrom: &rest) else { return nil }
            parameters.append((name.map(\.lowercasedASCII), text))
        }
        self.parameters = parameters
    }

    /// The first parameter called `name`, in lower case.
    func first(_ name: StaticString) -> [UInt8]? {
        name.withUTF8Buffer { name in parameters.first { $0.name.elementsEqual(name) }?.value }
    }

    /// Takes a value and the blanks behind it; nil unless a semicolon or the end follows.
    ///
    /// Without quotes it reaches to the next semicolon, because boundaries hold characters that no token may. Within
    /// quotes only `\"` and `\\` are escapes: some browsers send the backslashes of a path as they are.
    private static func value(takenFrom rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else {
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            defer { rest = rest[end...] }
            return Array(rest[..<end].trimmed)
        }
        var text: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\"), index + 1 < rest.endIndex,
                rest[index + 1] == UInt8(ascii: "\"") || rest[index + 1] == UInt8(ascii: "\\")
            {
                index += 1
            }
            text.append(rest[index])
            index += 1
        }
        guard index < rest.endIndex else { return nil }
        rest = rest[(index + 1)...].drop(while: \.isBlank)
        guard rest.first ?? UInt8(ascii: ";") == UInt8(ascii: ";") else { return nil }
        return text
    }
}
