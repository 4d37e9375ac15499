import ShoalCrypto
import ShoalS3

/// The chain of signatures through an `aws-chunked` body: each link signs its chunk and the link before it.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
package struct ChunkSignatureChain {
    private let signing: ChunkSigning
    private var previous: Signature
    private static let emptyDigest = Digest.of([], .sha256)

    package init(_ signing: ChunkSigning) {
        self.signing = signing
        previous = signing.seed
    }

    /// What a chunk with that SHA-256 signs.
    package func chunkStringToSign(digest: [UInt8]) -> [UInt8] {
        stringToSign("AWS4-HMAC-SHA256-PAYLOAD", digests: [Self.emptyDigest, digest])
    }

    /// What a trailer section signs; `canonical` is `name:value\n` of each line.
    package func trailerStringToSign(canonical: [UInt8]) -> [UInt8] {
        stringToSign("AWS4-HMAC-SHA256-TRAILER", digests: [Digest.of(canonical, .sha256)])
    }

    /// Throws `SignatureDoesNotMatch` unless `provided` is the next link; then the chain goes on from it.
    mutating func verifyChunk(digest: [UInt8], provided: ArraySlice<UInt8>) throws(S3Error) {
        try verify(chunkStringToSign(digest: digest), provided)
        previous = Signature(provided)
    }

    func verifyTrailer(canonical: [UInt8], provided: ArraySlice<UInt8>) throws(S3Error) {
        try verify(trailerStringToSign(canonical: canonical), provided)
    }

    private func verify(_ stringToSign: [UInt8], _ provided: ArraySlice<UInt8>) throws(S3Error) {
        guard signing.key.sign(stringToSign[...]).matches(Signature(provided)) else {
            throw SignatureMismatch.refusal(
                accessKeyId: signing.accessKeyId[...], stringToSign: stringToSign[...], provided: provided)
        }
    }

    private func stringToSign(_ algorithm: StaticString, digests: [[UInt8]]) -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(320)
        algorithm.withUTF8Buffer { buffer.append(contentsOf: $0) }
        for part in [signing.date, signing.scope, previous.text] + digests.map({ Hexadecimal.encode($0) }) {
            buffer.append(UInt8(ascii: "\n"))
            buffer += part
        }
        return buffer
    }
}
