import ShoalCrypto
import ShoalWire

/// Bytes that repeat only after 251, so that a shifted copy differs.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) } }

/// 64 hexadecimal digits.
func sha256(_ bytes: [UInt8]) -> String { Hexadecimal.string(Digest.of(bytes, .sha256)) }

/// As checksum headers have it.
func sha256Base64(_ text: String) -> String { Base64.string(Digest.of(Array(text.utf8), .sha256)) }

/// An entity tag with its quotes.
func etag(of bytes: [UInt8]) -> String { "\"\(Hexadecimal.string(Digest.of(bytes, .md5)))\"" }

func etag(of text: String) -> String { etag(of: Array(text.utf8)) }

extension WireResponse {
    /// The text of the first element of that name.
    func element(_ name: String) -> String? {
        let text = text
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// The error's `<Code>`.
    var code: String? { element("Code") }

    /// What stands between `<Error>` and `<RequestId>`; nil if the document is not framed as S3's errors are, or its
    /// identifiers are not those of the head.
    var errorContent: String? {
        let begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>"
        let end =
            "<RequestId>\(self["x-amz-request-id"] ?? "")</RequestId><HostId>\(self["x-amz-id-2"] ?? "")</HostId></Error>"
        guard text.hasPrefix(begin), text.hasSuffix(end) else { return nil }
        return String(text.dropFirst(begin.count).dropLast(end.count))
    }
}

extension String {
    /// The texts of all elements of that name.
    func components(_ name: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let start = rest.firstRange(of: "<\(name)>"),
            let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }
}
