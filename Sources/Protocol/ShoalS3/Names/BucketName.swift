import ShoalHTTP

/// A bucket name that S3 would accept: 3 to 63 of `a-z 0-9 . -`.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
package struct BucketName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// Nil unless `text` follows every naming rule.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (3...63).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            let first = bytes.first, let last = bytes.last, Self.isAlphanumeric(first), Self.isAlphanumeric(last)
        else { return nil }
        for (left, right) in zip(bytes, bytes.dropFirst()) {
            guard !(left == UInt8(ascii: ".") && !Self.isAlphanumeric(right)) else { return nil }
            guard !(left == UInt8(ascii: "-") && right == UInt8(ascii: ".")) else { return nil }
        }
        guard !Self.reservedPrefixes.contains(where: text.hasPrefix),
            !Self.reservedSuffixes.contains(where: text.hasSuffix), !Self.isAddress(bytes)
        else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: BucketName, right: BucketName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    private static let reservedPrefixes = ["xn--", "sthree-", "amzn-s3-demo-"]
    private static let reservedSuffixes = ["-s3alias", "--ol-s3", "--x-s3", ".mrap", "--table-s3"]

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isDigitASCII
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// Four numbers with dots between them look like an IPv4 address, whatever the numbers.
    private static func isAddress(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.count <= 3 && $0.allSatisfy(\.isDigitASCII) }
    }
}
