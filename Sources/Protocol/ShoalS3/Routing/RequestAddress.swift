import ShoalHTTP

/// Which bucket and key a request is about, from its path and its `Host`.
///
/// The path is decoded exactly once. Differs from S3: the `Host` line counts for an absolute-form target too, because it
/// is what the client signed.
package struct RequestAddress: Sendable, Equatable {
    package enum Style: Sendable {
        /// `/bucket/key`
        case path
        /// `Host: bucket.base`, `/key`
        case virtualHost
        /// `Host: bucket.s3-website.base`, `/key`: no API but a website.
        case website
    }

    package let style: Style
    /// Nil for the service itself, `GET /`.
    package let bucket: BucketName?
    /// Nil for the bucket itself.
    package let key: ObjectKey?

    package init(style: Style, bucket: BucketName?, key: ObjectKey?) {
        self.style = style
        self.bucket = bucket
        self.key = key
    }

    /// Throws 400 `InvalidURI`, `InvalidBucketName`, `KeyTooLongError`, or `BadRequest` for `..` that climb out of the
    /// bucket.
    package init(_ head: RequestHead, under domains: BaseDomains) throws(S3Error) {
        let rest = try Self.decodedPath(of: head)[...]
        if let bucket = head.first("host").flatMap(domains.bucket(inHost:)) {
            try self.init(style: .virtualHost, bucket: bucket[...], key: rest)
        } else if rest.isEmpty {
            self.init(style: .path, bucket: nil, key: nil)
        } else {
            let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            try self.init(
                style: .path, bucket: rest[..<slash], key: rest[min(slash + 1, rest.endIndex)...])
        }
    }

    /// On the website of `bucket`, where `indexSuffix` follows every slash at the end. Throws the same.
    init(website head: RequestHead, of bucket: [UInt8], indexSuffix: String?) throws(S3Error) {
        var key = try Self.decodedPath(of: head)
        if let indexSuffix { key = WebsiteConfiguration.Pages(indexSuffix: indexSuffix).key(of: key) }
        try self.init(style: .website, bucket: bucket[...], key: key[...])
    }

    /// The path without its first slash. Throws 400 `InvalidURI` for broken escapes and for bytes that are no UTF-8.
    static func decodedPath(of head: RequestHead) throws(S3Error) -> [UInt8] {
        var path = head.path
        if path.first == UInt8(ascii: "/") { path = path.dropFirst() } else { path = [] }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        guard PercentDecoding.append(path, to: &decoded), decoded[...].isUTF8 else { throw .invalidURI(head.target) }
        return decoded
    }

    private init(style: Style, bucket: ArraySlice<UInt8>, key: ArraySlice<UInt8>) throws(S3Error) {
        guard let name = BucketName(bytes: bucket) else { throw .invalidBucketName(bucket) }
        guard key.count <= ObjectKey.byteCountMax else {
            throw .keyTooLong(byteCount: key.count)
        }
        guard !Self.climbsOut(key) else { throw S3Error(.badRequest) }
        self.init(style: style, bucket: name, key: key.isEmpty ? nil : ObjectKey(stored: Array(key)))
    }

    /// Whether some prefix of the key has more `..` segments than others; `a/../b` is a name like any other.
    private static func climbsOut(_ key: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard zip(key, key.dropFirst()).contains(where: { $0 == dot && $1 == dot }) else { return false }
        var depth = 0
        for segment in key.split(separator: UInt8(ascii: "/")) where !segment.equals(".") {
            depth += segment.equals("..") ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}

extension S3Error {
    static func invalidBucketName(_ name: ArraySlice<UInt8>) -> S3Error {
        S3Error(.invalidBucketName, elements: [Element("BucketName", name.text)])
    }
}
