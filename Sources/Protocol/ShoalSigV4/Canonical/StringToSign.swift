import ShoalCrypto

/// Stage two of a V4 signature: algorithm, date and scope as sent, and the SHA-256 of the canonical request.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
package struct StringToSign: Sendable {
    package let bytes: [UInt8]

    /// `scope` is the credential after the access key: `yyyyMMdd/region/s3/aws4_request`.
    package init(
        algorithm: ArraySlice<UInt8>, date: ArraySlice<UInt8>, scope: ArraySlice<UInt8>,
        canonicalRequest: ArraySlice<UInt8>
    ) {
        var buffer: [UInt8] = []
        Self.append(
            algorithm: algorithm, date: date, scope: scope, canonicalRequest: canonicalRequest, to: &buffer)
        bytes = buffer
    }

    static func append(
        algorithm: ArraySlice<UInt8>, date: ArraySlice<UInt8>, scope: ArraySlice<UInt8>,
        canonicalRequest: ArraySlice<UInt8>, to buffer: inout [UInt8]
    ) {
        let digest = Digest(.sha256)
        digest.update(canonicalRequest)
        buffer.append(contentsOf: algorithm)
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(contentsOf: date)
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(contentsOf: scope)
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(contentsOf: Hexadecimal.encode(digest.finish()))
    }
}
