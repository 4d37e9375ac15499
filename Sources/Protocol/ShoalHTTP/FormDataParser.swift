/// Takes a `multipart/form-data` body apart as its bytes arrive.
///
/// Contents are reported as ranges of the caller's buffer. What is held is bounded: the delimiter, and the header lines
/// of one part.
/// https://www.rfc-editor.org/rfc/rfc7578.html
/// https://www.rfc-editor.org/rfc/rfc2046.html#section-5.1.1
package struct FormDataParser: Sendable {
    /// Bytes that the header lines of one part may have.
    package static let headByteCountMax = 8 * 1024

    package enum Step: Equatable {
        /// Everything given was taken; give more.
        case needsMore
        /// The header lines of a part; its content follows.
        case part(FormPartHead)
        /// Bytes of the buffer that are content of the part.
        case content(Range<Int>)
        /// Content of the part that was held back, because it could have been the delimiter.
        case heldContent([UInt8])
        /// The part has ended with a whole delimiter line.
        case partEnd
    }

    private enum State {
        /// In front of the first delimiter, or in the content of a part.
        case content
        case delimiterLine(DelimiterLine)
        case head
        /// Behind the last delimiter: all of it is ignored.
        case epilogue
    }

    /// How far the line that a delimiter begins was read.
    private enum DelimiterLine {
        case start, hyphen, padding, lineFeed
    }

    private var state = State.content
    private var search: DelimiterSearch
    /// False in front of the first part.
    private var isInPart = false
    private var head: [UInt8] = []

    package init(_ boundary: FormBoundary) { search = DelimiterSearch(boundary.delimiter, startsInLine: true) }

    /// The last delimiter has come, or the rest is ignored.
    package var isClosed: Bool {
        if case .epilogue = state { true } else { false }
    }

    /// Takes no notice of what follows.
    package mutating func ignoreRest() { state = .epilogue }

    /// Looks at `buffer[index...]` and moves `index` behind what it took; also when it throws.
    package mutating func next(
        _ buffer: Span<UInt8>, from index: inout Int
    ) throws(FormDataFlaw) -> Step {
        while index < buffer.count {
            switch state {
            case .content:
                if let step = content(buffer, from: &index) { return step }
            case .delimiterLine(let line):
                index += 1
                if try take(buffer[index - 1], after: line) { return .partEnd }
            case .head:
                index += 1
                if let part = try takeHead(buffer[index - 1]) { return .part(part) }
            case .epilogue: index = buffer.count
            }
        }
        // A delimiter that ended exactly with the content in front of it is seen without further bytes.
        if case .content = state, let step = content(buffer, from: &index) { return step }
        return .needsMore
    }

    private mutating func content(_ buffer: Span<UInt8>, from index: inout Int) -> Step? {
        let finding = buffer.withUnsafeBufferPointer { search.next($0, from: &index) }
        switch finding {
        case .content(let range): return isInPart ? .content(range) : nil
        case .heldContent(let count): return isInPart ? .heldContent(Array(search.delimiter[..<count])) : nil
        case .delimiter: state = .delimiterLine(.start)
        case nil: break
        }
        return nil
    }

    /// True if the line ends a part. Behind the boundary stand two hyphens, or blanks and a line end.
    private mutating func take(_ byte: UInt8, after line: DelimiterLine) throws(FormDataFlaw) -> Bool {
        switch (line, byte) {
        case (.start, UInt8(ascii: "-")): state = .delimiterLine(.hyphen)
        case (.hyphen, UInt8(ascii: "-")): return endPart(.epilogue)
        case (.start, _) where byte.isBlank, (.padding, _) where byte.isBlank: state = .delimiterLine(.padding)
        case (.start, .carriageReturn), (.padding, .carriageReturn): state = .delimiterLine(.lineFeed)
        case (.lineFeed, .lineFeed): return endPart(.head)
        default: throw FormDataFlaw("a boundary is followed by something else than `--` or a line end")
        }
        return false
    }

    private mutating func endPart(_ next: State) -> Bool {
        defer { isInPart = false }
        head.removeAll(keepingCapacity: true)
        state = next
        return isInPart
    }

    /// The head, once `byte` completes it.
    private mutating func takeHead(_ byte: UInt8) throws(FormDataFlaw) -> FormPartHead? {
        guard head.count < Self.headByteCountMax else { throw FormDataFlaw("the header lines of a part are too long") }
        head.append(byte)
        guard byte == .lineFeed else { return nil }
        guard head.count >= 2, head[head.count - 2] == .carriageReturn else {
            throw FormDataFlaw("a header line ends without CR")
        }
        guard head.count == 2 || head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return nil }
        let part = try FormPartHead(lines: head.dropLast(2))
        (state, isInPart) = (.content, true)
        return part
    }
}
