/// Decodes the chunked transfer coding as its bytes arrive (RFC 9112 §7.1).
///
/// Only framing is copied out of the way: payload is reported as ranges of the caller's buffer.
package struct ChunkedDecoder: Sendable {
    /// Bytes a chunk-size line may have, extensions included.
    package static let sizeLineByteCountMax = 4 * 1024
    /// Bytes all trailer lines may have together.
    package static let trailerByteCountMax = 8 * 1024

    private enum State {
        case sizeStart
        case sizeDigits(digits: Int)
        case sizeExtension
        case sizeLineFeed
        case data(remaining: UInt64)
        case dataCarriageReturn
        case dataLineFeed
        case trailerStart
        case trailerLine
        case trailerLineFeed
        case lastLineFeed
        case done
    }

    private var state = State.sizeStart
    private var size: UInt64 = 0
    private var lineByteCount = 0
    private var trailerByteCount = 0

    package init() {}

    /// The body and its trailer section have ended.
    package var isDone: Bool {
        if case .done = state { true } else { false }
    }

    package enum Step: Equatable {
        /// The bytes of the buffer that are payload; go on after them.
        case payload(Range<Int>)
        /// Everything given was framing; give more.
        case needsMore
        /// The body ended; `consumed` bytes of the buffer belong to it.
        case end(consumed: Int)
    }

    /// Looks at `buffer[start...]`.
    package mutating func next(_ buffer: Span<UInt8>, from start: Int) throws(HeadRefusal) -> Step {
        var index = start
        while index < buffer.count {
            if case .data(let remaining) = state {
                let count = Int(min(remaining, UInt64(buffer.count - index)))
                state = remaining == UInt64(count) ? .dataCarriageReturn : .data(remaining: remaining - UInt64(count))
                return .payload(index..<(index + count))
            }
            try take(buffer[index])
            index += 1
            if isDone { return .end(consumed: index) }
        }
        return .needsMore
    }

    private mutating func take(_ byte: UInt8) throws(HeadRefusal) {
        switch state {
        case .sizeStart, .sizeDigits, .sizeExtension, .sizeLineFeed: try takeSizeLine(byte)
        case .dataCarriageReturn:
            guard byte == .carriageReturn else { throw .malformed("a chunk is longer than its size") }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == .lineFeed else { throw .malformed("a chunk does not end with CRLF") }
            (state, lineByteCount) = (.sizeStart, 0)
        case .trailerStart, .trailerLine, .trailerLineFeed, .lastLineFeed: try takeTrailer(byte)
        case .data, .done: preconditionFailure("payload and the end are handled by `next`")
        }
    }

    private mutating func takeSizeLine(_ byte: UInt8) throws(HeadRefusal) {
        lineByteCount += 1
        guard lineByteCount <= Self.sizeLineByteCountMax else { throw .malformed("a chunk-size line is too long") }
        switch state {
        case .sizeStart:
            guard let value = byte.hexadecimalValue else { throw .malformed("a chunk size is not hexadecimal") }
            (size, state) = (UInt64(value), .sizeDigits(digits: 1))
        case .sizeDigits(let digits):
            if let value = byte.hexadecimalValue {
                guard digits < 16 else { throw .malformed("a chunk size has more than 16 digits") }
                (size, state) = (size << 4 | UInt64(value), .sizeDigits(digits: digits + 1))
            } else if byte == .carriageReturn {
                state = .sizeLineFeed
            } else if byte == UInt8(ascii: ";") {
                state = .sizeExtension
            } else {
                throw .malformed("a chunk size is followed by something else than CRLF or an extension")
            }
        case .sizeExtension:
            if byte == .carriageReturn {
                state = .sizeLineFeed
            } else if !byte.isFieldContent {
                throw .malformed("a chunk extension holds a control character")
            }
        default:
            guard byte == .lineFeed else { throw .malformed("a chunk-size line does not end with CRLF") }
            state = size == 0 ? .trailerStart : .data(remaining: size)
        }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(HeadRefusal) {
        trailerByteCount += 1
        guard trailerByteCount <= Self.trailerByteCountMax else { throw .malformed("the trailer section is too long") }
        switch state {
        case .trailerStart where byte == .carriageReturn: state = .lastLineFeed
        case .trailerStart, .trailerLine:
            if byte == .carriageReturn {
                state = .trailerLineFeed
            } else if !byte.isFieldContent {
                throw .malformed("a trailer line holds a control character")
            } else {
                state = .trailerLine
            }
        case .trailerLineFeed:
            guard byte == .lineFeed else { throw .malformed("a trailer line does not end with CRLF") }
            state = .trailerStart
        default:
            guard byte == .lineFeed else { throw .malformed("the chunked body does not end with CRLF") }
            state = .done
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
