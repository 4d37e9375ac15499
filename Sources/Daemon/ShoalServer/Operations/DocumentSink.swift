import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSigV4

/// Gathers a small document, such as the XML of CreateBucket, and checks it against what its head promised.
final class DocumentSink: BodySink {
    /// Ten thousand parts with a checksum each take a good megabyte.
    static let byteCountMax = 2 << 20

    private let payload: PayloadExpectation
    private let checksum: ChecksumExpectation
    private var bytes: [UInt8] = []

    /// `checksFields` is false where checksum headers are about something else than the document; `Content-MD5` never is.
    ///
    /// Throws 400 `MaxMessageLengthExceeded` for a length beyond 2 MiB, and what malformed checksum headers get.
    init(_ request: S3Request, checksFields: Bool = true) throws(S3Error) {
        payload = request.payload
        checksum =
            checksFields
            ? try ChecksumExpectation(request.head) : try ChecksumExpectation(contentMD5Of: request.head)
        if case .length(let count) = request.head.framing, count > Self.byteCountMax { throw Self.tooLong }
    }

    private static let tooLong = S3Error(
        .maxMessageLengthExceeded, elements: [.init("MaxMessageLengthBytes", String(byteCountMax))])

    func take(_ piece: UnsafeRawBufferPointer) throws {
        guard bytes.count + piece.count <= Self.byteCountMax else { throw Self.tooLong }
        bytes.append(contentsOf: piece)
    }

    func abandon() {}

    /// The whole document. Throws 400 `XAmzContentSHA256Mismatch` or `BadDigest`, and 501 for an `aws-chunked` document,
    /// which no client sends.
    func document() throws(S3Error) -> [UInt8] {
        switch payload {
        case .unsigned: break
        case .sha256(let expected): try PayloadHash.check(expected, Digest.of(bytes, .sha256))
        case .chunked: throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-content-sha256")])
        }
        try checksum.check(md5: Digest.of(bytes, .md5), expectedDigest: .asSent)
        let running = RunningChecksum(checksum.algorithm)
        bytes.withUnsafeBytes(running.update)
        _ = try checksum.checked(digest: running.finish())
        return bytes
    }
}

/// The comparison of a body with the `x-amz-content-sha256` it was signed with.
enum PayloadHash {
    /// `expected` is hexadecimal text of either case; `computed` 32 bytes.
    static func check(_ expected: [UInt8], _ computed: [UInt8]) throws(S3Error) {
        guard Hexadecimal.decode(expected) != computed else { return }
        throw S3Error(
            .xAmzContentSHA256Mismatch,
            elements: [
                .init("ClientComputedContentSHA256", String(decoding: expected, as: UTF8.self)),
                .init("S3ComputedContentSHA256", Hexadecimal.string(computed)),
            ])
    }
}
