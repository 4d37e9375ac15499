/// How the id of a version is written.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html
package enum VersionIDText {
    /// The id of what was written while the bucket kept no versions.
    package static let null = "null"

    package static let byteCount = 32

    /// Whether the bytes are `null` or 32 of `A-Z a-z 0-9 . _`; others S3 does not even look for.
    package static func isWellFormed(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.elementsEqual(null.utf8) || bytes.count == byteCount && bytes.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
