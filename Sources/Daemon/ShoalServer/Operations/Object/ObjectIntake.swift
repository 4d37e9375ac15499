import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// Receives the body of an upload: takes `aws-chunked` framing off, computes every digest in one pass, and hands the
/// payload to the store. Nothing becomes visible before `finish()` has compared all of it.
final class ObjectIntake: BodySink {
    /// Bodies from this size on have their MD5 computed on a thread of its own.
    static let concurrentByteCountMin: UInt64 = 1 << 20

    /// What a body was found to be.
    struct Result {
        let body: any StagedBody
        let size: UInt64
        let md5: [UInt8]
        /// The one that is kept.
        let checksum: Checksum
        /// Of the algorithm the client chose, or of the usual one.
        let comparedChecksum: Checksum

        func etag(under encryption: ObjectEncryption) -> ETag { encryption.etag(ofMD5: md5) }
    }

    private enum MD5 {
        case inline(Digest)
        case concurrent(ConcurrentMD5)
    }

    /// Of the payload, or the most it can be.
    let byteCount: UInt64
    /// The body ends with its last byte, which may come before `byteCount`.
    private let mayBeShort: Bool
    private let payload: PayloadExpectation
    private let expectation: ChecksumExpectation
    private let writer: any BodyWriter
    private let spelling: ChecksumExpectation.DigestSpelling
    /// What is computed besides the checksum the body is compared with.
    private let storedChecksum: (algorithm: ChecksumAlgorithm, running: RunningChecksum)?
    private let chunks: AWSChunkedDecoder?
    private let md5: MD5
    private let checksum: RunningChecksum
    /// Of the payload, if the signature covers it and the checksum is not the same digest.
    private let payloadHash: Digest?
    private var taken: UInt64 = 0

    /// `stored` is the algorithm of the checksum that is kept; by default that of the expectation. `spelling` is how a
    /// `BadDigest` names the client's MD5. With `mayBeShort`, `byteCount` is only the most that may come.
    init(
        _ request: S3Request, _ expectation: ChecksumExpectation, byteCount: UInt64, mayBeShort: Bool = false,
        storing stored: ChecksumAlgorithm? = nil,
        expectedDigest spelling: ChecksumExpectation.DigestSpelling = .hexadecimal, in world: World
    ) throws {
        self.byteCount = byteCount
        self.mayBeShort = mayBeShort
        self.spelling = spelling
        if let stored, stored != expectation.algorithm {
            storedChecksum = (stored, RunningChecksum(stored))
        } else {
            storedChecksum = nil
        }
        payload = request.payload
        self.expectation = expectation
        chunks = try AWSChunkedDecoder(request.head, payload)
        checksum = RunningChecksum(expectation.algorithm)
        md5 =
            byteCount < Self.concurrentByteCountMin
            ? .inline(Digest(.md5)) : .concurrent(ConcurrentMD5(on: world.digests, blocks: world.blocks))
        if case .sha256 = payload, expectation.algorithm != .sha256 {
            payloadHash = Digest(.sha256)
        } else {
            payloadHash = nil
        }
        writer = try world.store.beginBody(size: byteCount, lane: request.lane)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        guard let chunks else { return try takePayload(bytes) }
        let span = bytes.bindMemory(to: UInt8.self).span
        var index = 0
        while index < bytes.count {
            switch try chunks.next(span, from: index) {
            case .needsMore: return
            case .payload(let range):
                try takePayload(UnsafeRawBufferPointer(rebasing: bytes[range]))
                index = range.upperBound
            }
        }
    }

    var space: UnsafeMutableRawBufferPointer? {
        guard chunks == nil, case .concurrent(let md5) = md5 else { return nil }
        return md5.space
    }

    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool {
        guard case .concurrent(let md5) = md5 else { return false }
        return md5.waits(for: moment, then: then)
    }

    func abandon() { writer.abandon() }

    /// Bytes of the payload that were written.
    var writtenByteCount: UInt64 { taken }

    /// Whether the bytes on the wire are more than the payload's.
    var isFramed: Bool { chunks != nil }

    /// What was received. Throws 400 `IncompleteBody`, `XAmzContentSHA256Mismatch`, `BadDigest` and the errors of
    /// trailers, in S3's order, or a failure of the store.
    func finish() throws -> Result {
        let trailer = try chunks?.finish()
        guard taken == byteCount || mayBeShort else {
            throw S3Error(
                .incompleteBody,
                elements: [
                    .init("NumberBytesExpected", String(byteCount)), .init("NumberBytesProvided", String(taken)),
                ])
        }
        let digest = checksum.finish()
        if case .sha256(let expected) = payload { try PayloadHash.check(expected, payloadHash?.finish() ?? digest) }
        let md5 =
            switch md5 {
            case .inline(let digest): digest.finish()
            case .concurrent(let digest): digest.finish()
            }
        try expectation.check(md5: md5, expectedDigest: spelling)
        let compared = try expectation.checked(digest: digest, trailer: trailer.map { Array($0.text.utf8)[...] })
        let stored = storedChecksum.map { Checksum($0.algorithm, digest: $0.running.finish()) }
        return Result(
            body: mayBeShort ? writer.finishShort() : try writer.finish(), size: taken, md5: md5,
            checksum: stored ?? compared, comparedChecksum: compared)
    }

    private func takePayload(_ bytes: UnsafeRawBufferPointer) throws {
        taken += UInt64(bytes.count)
        checksum.update(bytes)
        storedChecksum?.running.update(bytes)
        payloadHash?.update(bytes)
        try writer.write(bytes)
        // Last: once the digest's worker is done with a block, the bytes in it are another upload's.
        switch md5 {
        case .inline(let digest): digest.update(bytes)
        case .concurrent(let digest): digest.update(bytes)
        }
    }
}
