// These run many times for each request, so they neither copy nor go through a generic iterator.

extension ArraySlice<UInt8> {
    /// Whether the bytes are `text`, which is written in lower case, in any case.
    package func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return withUnsafeBufferPointer { bytes in
            for index in 0..<bytes.count where bytes[index].lowercasedASCII != text.utf8Start[index] { return false }
            return true
        }
    }

    /// Without the blanks and tabs around it.
    package var trimmed: ArraySlice<UInt8> {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return self[start..<end]
    }
}
