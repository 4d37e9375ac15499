import ShoalHTTP

extension Collection<UInt8> {
    /// Whether the bytes are `text`, to the letter.
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in elementsEqual(wanted) }
    }

    /// Whether the bytes are `text`, which is in lower case, in any case.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in
            elementsEqual(wanted) { $0.lowercasedASCII == $1 }
        }
    }

    /// The same bytes as text for a message; what is no UTF-8 becomes a replacement character.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    /// Without blanks and tabs at either end.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == UInt8(ascii: " ") || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == UInt8(ascii: " ") || last == 0x09 { slice.removeLast() }
        return slice
    }
}

extension RequestHead {
    /// Whether the line's name is `name`, which is in lower case.
    func isNamed(_ line: FieldLine, _ name: some Collection<UInt8>) -> Bool {
        let lineName = self.name(of: line)
        return lineName.count == name.count && lineName.elementsEqual(name) { $0.lowercasedASCII == $1 }
    }
}
