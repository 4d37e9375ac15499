/// The object that CopyObject or UploadPartCopy reads: `x-amz-copy-source: /bucket/key?versionId=v`.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_RequestSyntax
package struct CopySource: Sendable, Equatable {
    /// Bytes that one request copies at most.
    package static let byteCountMax: UInt64 = 5 * 1_024 * 1_024 * 1_024

    package let path: ObjectPath
    /// Nil for the current version.
    package let versionID: String?

    /// The source a copy names. It is decoded once, with `+` for a blank; the slash before the bucket may be left out, and
    /// a whole URL may stand there, of whatever host.
    ///
    /// Throws 400 `InvalidArgument` for broken escapes, a bucket or key that cannot be one, also if it is absent, and for
    /// an empty version.
    package static func named(in fields: RequestFields) throws(S3Error) -> CopySource {
        let header = fields.first("x-amz-copy-source") ?? []
        let (encodedPath, encodedVersion) = split(withoutOrigin(header))
        let decoded = try decode(encodedPath)
        var path = decoded[...]
        if path.first == slash { path = path.dropFirst() }
        let end = path.firstIndex(of: slash) ?? path.endIndex
        guard let bucket = BucketName(bytes: path[..<end]) else { throw .invalidCopySource("bucket name") }
        guard let key = ObjectKey(path[end...].dropFirst()) else { throw .invalidCopySource("object key") }
        let version = try encodedVersion.map(decode)
        if let version, version.isEmpty {
            throw .invalidArgument("Version id cannot be the empty string", name: "versionId", value: "")
        }
        return CopySource(
            path: ObjectPath(bucket: bucket, key: key), versionID: version.map { String(decoding: $0, as: UTF8.self) })
    }

    private static let slash = UInt8(ascii: "/")

    /// Without `http://host:port`. No bucket's name has a colon.
    private static func withoutOrigin(_ header: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard header.hasPrefixIgnoringCase("http://") || header.hasPrefixIgnoringCase("https://"),
            let colon = header.firstIndex(of: UInt8(ascii: ":"))
        else { return header }
        let host = header[(colon + 3)...]
        return host[(host.firstIndex(of: slash) ?? host.endIndex)...]
    }

    /// Cut at the last `?versionId=`: a question mark elsewhere belongs to the key.
    private static func split(_ header: ArraySlice<UInt8>) -> (path: ArraySlice<UInt8>, version: ArraySlice<UInt8>?) {
        let mark: StaticString = "?versionId="
        var index = header.endIndex
        while index > header.startIndex {
            index -= 1
            guard header[index] == UInt8(ascii: "?"), header[index...].hasPrefix(mark) else { continue }
            return (header[..<index], header[(index + mark.utf8CodeUnitCount)...])
        }
        return (header, nil)
    }

    private static func decode(_ encoded: ArraySlice<UInt8>) throws(S3Error) -> [UInt8] {
        var bytes: [UInt8] = []
        guard PercentDecoding.append(encoded, to: &bytes), bytes[...].isUTF8 else {
            throw .invalidCopySource("encoding")
        }
        return bytes
    }

    /// Throws 400 `InvalidRequest` for more bytes than one request copies: the source's, or of the range asked for.
    package static func check(byteCount: UInt64) throws(S3Error) {
        guard byteCount > byteCountMax else { return }
        throw S3Error(
            .invalidRequest,
            "The specified copy source is larger than the maximum allowable size for a copy source: \(byteCountMax)")
    }

    /// 400 for a source that names a delete marker by its version.
    package static var isDeleteMarker: S3Error {
        S3Error(
            .invalidRequest, "The source of a copy request may not specifically refer to a delete marker by version id."
        )
    }
}

extension S3Error {
    /// 400 whose argument S3 gives the header's name for a value.
    fileprivate static func invalidCopySource(_ part: String) -> S3Error {
        .invalidArgument("Invalid copy source \(part)", name: "x-amz-copy-source", value: "x-amz-copy-source")
    }
}
