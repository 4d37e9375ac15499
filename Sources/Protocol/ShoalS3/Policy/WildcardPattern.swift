/// A text in which `*` stands for any characters and `?` for one, as in the resources and actions of a policy.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
struct WildcardPattern: Sendable, Equatable {
    let bytes: [UInt8]

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    var hasWildcards: Bool { bytes.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") } }

    /// Whether the pattern covers all of `text`, which is UTF-8. The time is at most the product of both lengths.
    func matches(_ text: some Collection<UInt8>) -> Bool {
        let text = Array(text)
        var (place, index) = (0, 0)
        // Where to go on if what follows the last star fits nowhere yet.
        var (star, retry): (Int?, Int) = (nil, 0)
        while index < text.count {
            if place < bytes.count, bytes[place] == UInt8(ascii: "*") {
                (star, retry) = (place, index)
                place += 1
            } else if place < bytes.count, bytes[place] == UInt8(ascii: "?") {
                place += 1
                index = Self.behindScalar(text, index)
            } else if place < bytes.count, bytes[place] == text[index] {
                place += 1
                index += 1
            } else if let star {
                retry += 1
                (place, index) = (star + 1, retry)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func behindScalar(_ text: [UInt8], _ index: Int) -> Int {
        var end = index + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
