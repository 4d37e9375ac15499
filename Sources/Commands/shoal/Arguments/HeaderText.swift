/// `Name: value`, as curl's `-H` takes it.
enum HeaderText {
    /// Throws a `UsageError` unless `text` has a token in front of a colon and no line break.
    static func pair(_ text: String) throws(UsageError) -> (name: String, value: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte),
            !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { throw UsageError("'\(text)' is no header; write it as 'Name: value'") }
        let value = parts[1].drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        return (String(parts[0]), String(value))
    }

    /// RFC 9110 §5.6.2
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
