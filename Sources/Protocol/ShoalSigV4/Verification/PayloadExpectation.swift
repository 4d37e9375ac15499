import ShoalHTTP
import ShoalS3

/// What a request says about its body: the value that ends the canonical request.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
package enum PayloadExpectation: Sendable {
    /// The body may be anything.
    case unsigned
    /// The body's SHA-256 must be these 64 hexadecimal digits, which are as sent, in either case.
    case sha256([UInt8])
    /// The body is framed as `aws-chunked`; each chunk is signed if `signing` is given, and a trailer section follows if
    /// `hasTrailer`.
    case chunked(signing: ChunkSigning?, hasTrailer: Bool)

    /// Refuses a value that ends in `-TRAILER` for an operation that receives no object data.
    package func checkAllowed(for operation: S3Operation) throws(S3Error) {
        guard case .chunked(_, hasTrailer: true) = self, operation != .putObject, operation != .uploadPart else {
            return
        }
        throw S3Error(.invalidRequest, "The value of x-amz-content-sha256 header is invalid.")
    }
}

/// Everything that a chunk's signature depends on besides the chunk.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
package struct ChunkSigning: Sendable {
    /// The signature of the head: the first link of the chain.
    package let seed: Signature
    package let key: SigningKey
    package let accessKeyId: [UInt8]
    /// As sent: line two of each string to sign.
    package let date: [UInt8]
    /// `yyyyMMdd/region/s3/aws4_request`
    package let scope: [UInt8]

    package init(seed: Signature, key: SigningKey, accessKeyId: [UInt8], date: [UInt8], scope: [UInt8]) {
        self.seed = seed
        self.key = key
        self.accessKeyId = accessKeyId
        self.date = date
        self.scope = scope
    }
}

/// The values of `x-amz-content-sha256` that are no digest.
enum PayloadKeyword: CaseIterable {
    case unsigned
    case streamingUnsignedTrailer
    case streamingSigned
    case streamingSignedTrailer
    case streamingECDSA
    case streamingECDSATrailer

    private var name: StaticString {
        switch self {
        case .unsigned: "UNSIGNED-PAYLOAD"
        case .streamingUnsignedTrailer: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        case .streamingSigned: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        case .streamingSignedTrailer: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .streamingECDSA: "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
        case .streamingECDSATrailer: "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"
        }
    }

    /// Keywords are compared with case.
    init?(_ value: ArraySlice<UInt8>) {
        guard let keyword = Self.allCases.first(where: { value.equals($0.name) }) else { return nil }
        self = keyword
    }

    static func isDigest(_ value: ArraySlice<UInt8>) -> Bool { value.count == 64 && value.allSatisfy(\.isHexadecimal) }
}

extension UInt8 {
    var isHexadecimal: Bool { isDigitASCII || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension PayloadExpectation {
    /// For a value whose signature was verified; `signing` is made only when chunks are signed. A presigned URL may have
    /// been signed over any text, which then promises nothing.
    static func of(_ value: ArraySlice<UInt8>, signing: () -> ChunkSigning) throws(S3Error) -> PayloadExpectation {
        if PayloadKeyword.isDigest(value) { return .sha256(Array(value)) }
        switch PayloadKeyword(value) {
        case .unsigned, nil: return .unsigned
        case .streamingUnsignedTrailer: return .chunked(signing: nil, hasTrailer: true)
        case .streamingSigned: return .chunked(signing: signing(), hasTrailer: false)
        case .streamingSignedTrailer: return .chunked(signing: signing(), hasTrailer: true)
        case .streamingECDSA, .streamingECDSATrailer:
            // Differs from S3: signatures of multi-region access points (SigV4A) are not implemented.
            throw S3Error(.notImplemented, elements: [S3Error.Element("Header", "x-amz-content-sha256")])
        }
    }

    /// For a request whose mechanism has no seed signature, or that uses none; `refusal` answers signed chunks.
    static func withoutSeed(_ head: RequestHead, refusal: String) throws(S3Error) -> PayloadExpectation {
        guard let value = head.first("x-amz-content-sha256") else { return .unsigned }
        switch PayloadKeyword(value) {
        case .unsigned: return .unsigned
        case .streamingUnsignedTrailer: return .chunked(signing: nil, hasTrailer: true)
        case nil: return PayloadKeyword.isDigest(value) ? .sha256(Array(value)) : .unsigned
        case .streamingSigned, .streamingSignedTrailer, .streamingECDSA, .streamingECDSATrailer:
            throw S3Error(.invalidRequest, refusal)
        }
    }
}
