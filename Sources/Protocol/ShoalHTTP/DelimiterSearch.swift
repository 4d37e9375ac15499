/// Finds the end of a part's content in bytes that come in pieces.
///
/// The delimiter begins with the only CR in it, so that a match that breaks off begins nowhere else within itself: the
/// bytes it held are content, and the search goes on with the byte that broke it.
struct DelimiterSearch: Sendable {
    enum Finding: Equatable {
        /// Bytes of the buffer.
        case content(Range<Int>)
        /// So many bytes of the delimiter's beginning, from earlier pieces, were content after all.
        case heldContent(Int)
        case delimiter
    }

    let delimiter: [UInt8]
    /// Bytes of the delimiter that the input ends with so far.
    private var matchedCount: Int

    /// `startsInLine` for the start of the input, which counts as the start of a line.
    init(_ delimiter: [UInt8], startsInLine: Bool = false) {
        self.delimiter = delimiter
        matchedCount = startsInLine ? 2 : 0
    }

    /// What comes next in `buffer[index...]`, and moves `index` behind it; nil at the end of the buffer.
    mutating func next(_ buffer: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Finding? {
        if matchedCount == 0, let content = scan(buffer, from: &index) { return .content(content) }
        guard matchedCount > 0 else { return nil }
        while index < buffer.count, matchedCount < delimiter.count {
            guard buffer[index] == delimiter[matchedCount] else {
                defer { matchedCount = 0 }
                return .heldContent(matchedCount)
            }
            matchedCount += 1
            index += 1
        }
        guard matchedCount == delimiter.count else { return nil }
        matchedCount = 0
        return .delimiter
    }

    /// The content in front of the first place that may be the delimiter, whose bytes are taken as a match.
    private mutating func scan(_ buffer: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Range<Int>? {
        let start = index
        var candidate = start
        while candidate < buffer.count {
            guard buffer[candidate] == .carriageReturn else {
                candidate += 1
                continue
            }
            let count = min(delimiter.count, buffer.count - candidate)
            var matched = 1
            while matched < count, buffer[candidate + matched] == delimiter[matched] { matched += 1 }
            if matched == count {
                matchedCount = count
                index = candidate + count
                return candidate > start ? start..<candidate : nil
            }
            candidate += 1
        }
        index = candidate
        return candidate > start ? start..<candidate : nil
    }
}
