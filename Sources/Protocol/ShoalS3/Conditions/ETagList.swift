/// The value of `If-Match` and its like: `*`, or tags with commas between them.
///
/// S3 takes tags without quotes too, also without one of both, and looks past the `W/` of a weak one.
/// https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.1
enum ETagList {
    static func matches(_ list: ArraySlice<UInt8>, _ etag: ETag) -> Bool {
        var rest = list
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let item = unquoted(rest[..<end].trimmed)
            if item.equals("*") || item.elementsEqual(etag.text.utf8) { return true }
            if end == rest.endIndex { return false }
            rest = rest[(end + 1)...]
        }
    }

    /// Whether the value of an `If-Range` is a tag; if not, it is a date, and none of those begins so.
    static func isTag(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first else { return false }
        return first == UInt8(ascii: "\"") || value.hasPrefix("W/") || Timestamp(conditionDate: value) == nil
    }

    static func unquoted(_ item: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var tag = item.hasPrefix("W/") ? item.dropFirst(2) : item
        if tag.first == UInt8(ascii: "\"") { tag = tag.dropFirst() }
        if tag.last == UInt8(ascii: "\"") { tag = tag.dropLast() }
        return tag
    }
}
