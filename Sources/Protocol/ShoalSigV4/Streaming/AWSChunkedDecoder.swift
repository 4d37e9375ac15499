import ShoalCrypto
import ShoalHTTP
import ShoalS3

/// Decodes an `aws-chunked` body as its bytes arrive and verifies each chunk's signature.
///
/// Payload is reported as ranges of the caller's buffer and never held; a chunk is verified when its last byte was
/// reported, so nothing may become visible before `finish()` returns. Not Sendable: it belongs to whoever feeds it.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
package final class AWSChunkedDecoder {
    /// Bytes the line before a chunk may have: 16 digits and a signature need 98, unknown extensions get the rest.
    package static let headerLineByteCountMax = 1_024
    /// Every chunk but the last has at least this many bytes.
    package static let innerChunkByteCountMin: UInt64 = 8_192

    package enum Step: Equatable {
        /// The bytes of the buffer that are payload; go on after them.
        case payload(Range<Int>)
        /// Everything given was framing; give more, or finish at the body's end.
        case needsMore
    }

    private enum State {
        case headerLine
        case payload(remaining: UInt64)
        case payloadCarriageReturn
        case payloadLineFeed
        case trailer
        case finalCarriageReturn
        case finalLineFeed
        case ended
        case surplusLineFeed
        case endedForGood
    }

    private let payloadByteCount: UInt64
    private let hasTrailer: Bool
    private var chain: ChunkSignatureChain?
    private let digest: Digest?
    private var trailer: TrailerSection
    private var state = State.headerLine
    private var line: [UInt8] = []
    private var chunkCount = 0
    private var chunkByteCount: UInt64 = 0
    private var chunkSignature: ArraySlice<UInt8> = []
    private var byteCount: UInt64 = 0
    private var checksum: Checksum?

    /// `payloadByteCount` is `x-amz-decoded-content-length`; `declared` is what `x-amz-trailer` announced.
    package init(signing: ChunkSigning?, hasTrailer: Bool, payloadByteCount: UInt64, declared: ChecksumAlgorithm?) {
        self.payloadByteCount = payloadByteCount
        self.hasTrailer = hasTrailer
        chain = signing.map(ChunkSignatureChain.init)
        digest = signing == nil ? nil : Digest(.sha256)
        trailer = TrailerSection(declared: declared, isSigned: signing != nil)
    }

    /// The decoder for a body of which the head says `payload`; nil if it is not framed so. Throws for a decoded length
    /// or a trailer announcement that S3 refuses.
    package convenience init?(_ head: RequestHead, _ payload: PayloadExpectation) throws(S3Error) {
        guard case .chunked(let signing, let hasTrailer) = payload else { return nil }
        let declared = hasTrailer ? try TrailerDeclaration.algorithm(of: head) : nil
        self.init(
            signing: signing, hasTrailer: hasTrailer,
            payloadByteCount: try UploadLength.payloadByteCount(of: head, payload), declared: declared)
    }

    /// The framing has ended; more than one further line break is an error.
    package var isDone: Bool {
        switch state {
        case .ended, .endedForGood: true
        default: false
        }
    }

    /// Looks at `buffer[start...]`.
    package func next(_ buffer: Span<UInt8>, from start: Int) throws(S3Error) -> Step {
        var index = start
        while index < buffer.count {
            if case .payload(let remaining) = state {
                let range = index..<(index + Int(min(remaining, UInt64(buffer.count - index))))
                digest.map { digest in buffer.extracting(range).withUnsafeBytes { digest.update($0) } }
                let left = remaining - UInt64(range.count)
                state = left == 0 ? .payloadCarriageReturn : .payload(remaining: left)
                if left == 0 { try endChunk() }
                return .payload(range)
            }
            try take(buffer[index])
            index += 1
        }
        return .needsMore
    }

    /// The checksum of the trailer, for the caller to compare; nil if none was announced. Throws `IncompleteBody` unless
    /// the framing has ended.
    package func finish() throws(S3Error) -> Checksum? {
        guard isDone else { throw Self.brokenFraming }
        return checksum
    }

    private static var brokenFraming: S3Error {
        S3Error(.incompleteBody, "The request body terminated unexpectedly")
    }
}

// MARK: - Framing bytes

extension AWSChunkedDecoder {
    private func take(_ byte: UInt8) throws(S3Error) {
        switch state {
        case .headerLine: try takeHeaderLine(byte)
        case .payloadCarriageReturn: try expect("\r", byte, then: .payloadLineFeed)
        case .payloadLineFeed: try expect("\n", byte, then: .headerLine)
        case .finalCarriageReturn: try expect("\r", byte, then: .finalLineFeed)
        case .finalLineFeed: try expect("\n", byte, then: .endedForGood)
        case .trailer: if try trailer.take(byte) { try endTrailer() }
        // A client that ends its trailer line with LF alone sends one line break more than the framing needs.
        case .ended: try expect("\r", byte, then: .surplusLineFeed)
        case .surplusLineFeed: try expect("\n", byte, then: .endedForGood)
        case .endedForGood: throw Self.brokenFraming
        case .payload: preconditionFailure("payload is handled by `next`")
        }
    }

    private func expect(_ wanted: Unicode.Scalar, _ byte: UInt8, then next: State) throws(S3Error) {
        guard byte == UInt8(ascii: wanted) else { throw Self.brokenFraming }
        state = next
    }

    private func takeHeaderLine(_ byte: UInt8) throws(S3Error) {
        guard byte == UInt8(ascii: "\n") else {
            guard line.count < Self.headerLineByteCountMax else { throw Self.brokenFraming }
            line.append(byte)
            return
        }
        guard line.popLast() == UInt8(ascii: "\r") else { throw Self.brokenFraming }
        let size = try parseHeaderLine()
        line.removeAll(keepingCapacity: true)
        if size == 0 { try beginEnd() } else { try beginChunk(size) }
    }

    /// `hexsize;chunk-signature=64hex`, or `hexsize` with any extension if chunks are not signed.
    private func parseHeaderLine() throws(S3Error) -> UInt64 {
        let digits = line.prefix { $0.isHexadecimal }
        guard (1...16).contains(digits.count) else { throw Self.brokenFraming }
        let size = digits.reduce(UInt64(0)) { $0 << 4 | UInt64(Hexadecimal.value(of: $1) ?? 0) }
        let rest = line[digits.endIndex...]
        if chain != nil {
            let name: StaticString = ";chunk-signature="
            guard rest.prefix(name.utf8CodeUnitCount).equals(name),
                rest.count == name.utf8CodeUnitCount + 64
            else { throw Self.brokenFraming }
            chunkSignature = Array(rest.suffix(64))[...]
        } else {
            guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw Self.brokenFraming }
        }
        return size
    }
}

// MARK: - Chunks and their end

extension AWSChunkedDecoder {
    private func beginChunk(_ size: UInt64) throws(S3Error) {
        chunkCount += 1
        if chunkCount > 1 && chunkByteCount < Self.innerChunkByteCountMin {
            throw S3Error(
                .invalidChunkSize,
                elements: [
                    S3Error.Element("Chunk", String(chunkCount)),
                    S3Error.Element("BadChunkSize", String(chunkByteCount)),
                ])
        }
        let (total, overflowed) = byteCount.addingReportingOverflow(size)
        guard !overflowed, total <= payloadByteCount else {
            throw wrongLength(provided: overflowed ? .max : total)
        }
        byteCount = total
        chunkByteCount = size
        digest?.restart()
        state = .payload(remaining: size)
    }

    private func endChunk() throws(S3Error) {
        guard let digest else { return }
        try chain?.verifyChunk(digest: digest.finish(), provided: chunkSignature)
    }

    /// The chunk without bytes: signed like the others, and behind it the trailer or one line break.
    private func beginEnd() throws(S3Error) {
        digest?.restart()
        try endChunk()
        guard byteCount == payloadByteCount else { throw wrongLength(provided: byteCount) }
        state = hasTrailer ? .trailer : .finalCarriageReturn
    }

    private func endTrailer() throws(S3Error) {
        try trailer.checkNames()
        if let signature = trailer.signature {
            try chain?.verifyTrailer(canonical: trailer.canonical, provided: signature)
        }
        checksum = try trailer.checksum()
        state = .ended
    }

    private func wrongLength(provided: UInt64) -> S3Error {
        S3Error(
            .incompleteBody,
            elements: [
                S3Error.Element("NumberBytesExpected", String(payloadByteCount)),
                S3Error.Element("NumberBytesProvided", String(provided)),
            ])
    }
}
