import Glibc
import ShoalHTTP

// Comparisons of this file run many times for each request, so they neither copy nor go through a generic iterator.

extension ArraySlice<UInt8> {
    /// Whether the bytes are `text`, to the letter.
    func equals(_ text: StaticString) -> Bool {
        withUnsafeBytes { areEqual($0, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
    }

    /// Whether both hold the same bytes; for what is no secret.
    func equals(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { areEqual(one, $0) } }
    }
}

extension Collection<UInt8> {
    /// The same bytes as text for a message; what is no UTF-8 becomes a replacement character.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension RequestHead {
    /// Whether the line's name is `name`, which is in lower case.
    func isNamed(_ line: FieldLine, _ name: ArraySlice<UInt8>) -> Bool {
        let start = Int(line.name.lowerBound)
        guard Int(line.name.upperBound) - start == name.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            name.withUnsafeBufferPointer { name in
                for index in 0..<name.count where bytes[start + index].lowercasedASCII != name[index] { return false }
                return true
            }
        }
    }
}

private func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let left = left.baseAddress, let start = right.baseAddress else { return right.isEmpty }
    return memcmp(left, start, right.count) == 0
}
