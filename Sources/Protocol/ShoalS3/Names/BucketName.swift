import ShoalHTTP

/// A bucket name that S3 would accept: 3 to 63 of `a-z 0-9 . -`.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
package struct BucketName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// Nil unless `text` follows every naming rule.
    package init?(_ text: String) { self.init(bytes: Array(text.utf8)[...]) }

    /// Nil unless `bytes` follow every naming rule.
    package init?(bytes: ArraySlice<UInt8>) {
        guard Self.followsRules(bytes) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: BucketName, right: BucketName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    private static func followsRules(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (3...63).contains(bytes.count) else { return false }
        // A dot or hyphen at either end is refused by the rule for neighbours, as if a dot stood outside.
        var previous = UInt8(ascii: ".")
        var onlyDigitsAndDots = true
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): onlyDigitsAndDots = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "-"):
                guard previous != UInt8(ascii: ".") else { return false }
                onlyDigitsAndDots = false
            case UInt8(ascii: "."):
                guard previous != UInt8(ascii: "."), previous != UInt8(ascii: "-") else { return false }
            default: return false
            }
            previous = byte
        }
        guard previous != UInt8(ascii: "."), previous != UInt8(ascii: "-") else { return false }
        return !(onlyDigitsAndDots && isAddress(bytes)) && !isReserved(bytes)
    }

    private static func isReserved(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.hasPrefix("xn--") || bytes.hasPrefix("sthree-") || bytes.hasPrefix("amzn-s3-demo-")
            || bytes.hasSuffix("-s3alias") || bytes.hasSuffix("--ol-s3") || bytes.hasSuffix("--x-s3")
            || bytes.hasSuffix(".mrap") || bytes.hasSuffix("--table-s3")
    }

    /// Four numbers with dots between them look like an IPv4 address, whatever the numbers.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.count <= 3 }
    }
}
