/// The name of an object within its bucket: 1 to 1,024 bytes of UTF-8, compared and sorted byte by byte.
///
/// Not a `String`: Swift takes NFC and NFD forms for equal, and S3 does not.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
package struct ObjectKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let byteCountMax = 1_024

    package let bytes: [UInt8]

    /// Nil for no bytes, for more than 1,024, and for bytes that are no UTF-8.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (1...Self.byteCountMax).contains(bytes.count) else { return nil }
        let copy = Array(bytes)
        guard copy[...].isUTF8 else { return nil }
        self.bytes = copy
    }

    /// A key that was checked when it was stored.
    package init(stored bytes: [UInt8]) { self.bytes = bytes }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// Bucket and key: what one object request is about.
package struct ObjectPath: Hashable, Sendable {
    package let bucket: BucketName
    package let key: ObjectKey

    package init(bucket: BucketName, key: ObjectKey) {
        self.bucket = bucket
        self.key = key
    }
}

extension S3Error {
    /// 400 for a key of more than `ObjectKey.byteCountMax` bytes.
    static func keyTooLong(byteCount: Int) -> S3Error {
        S3Error(
            .keyTooLong,
            elements: [.init("Size", "\(byteCount)"), .init("MaxSizeAllowed", "\(ObjectKey.byteCountMax)")])
    }
}
