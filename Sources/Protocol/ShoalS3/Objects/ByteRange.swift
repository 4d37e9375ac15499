import ShoalHTTP

/// The one range of bytes that a `Range` header of S3 may ask for. What S3 does not take for a range, it ignores.
/// https://www.rfc-editor.org/rfc/rfc9110.html#section-14.1.2
package enum ByteRange: Hashable, Sendable {
    /// `bytes=0-8`, both ends included; `first` is never larger than `last`.
    case closed(first: UInt64, last: UInt64)
    /// `bytes=5-`
    case from(UInt64)
    /// `bytes=-2`
    case suffix(length: UInt64)

    /// Nil for several ranges, another unit, an end before the start, and anything that is no range: the whole object is
    /// sent then. A number beyond 64 bits counts as the largest.
    package init?(_ header: ArraySlice<UInt8>) {
        guard header.hasPrefixIgnoringCase("bytes=") else { return nil }
        let text = header.dropFirst(6)
        guard let hyphen = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (left, right) = (text[..<hyphen], text[(hyphen + 1)...])
        switch (left.isEmpty, right.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let length = UInt64(saturating: right) else { return nil }
            self = .suffix(length: length)
        case (false, true):
            guard let first = UInt64(saturating: left) else { return nil }
            self = .from(first)
        case (false, false):
            guard let first = UInt64(saturating: left), let last = UInt64(saturating: right), first <= last else {
                return nil
            }
            self = .closed(first: first, last: last)
        }
    }

    /// The bytes selected from an object of `size` bytes; nil if none are, which is a 416.
    package func resolved(in size: UInt64) -> Range<UInt64>? {
        switch self {
        case .closed(let first, let last): first < size ? first..<(min(last, size - 1) + 1) : nil
        case .from(let first): first < size ? first..<size : nil
        case .suffix(let length): length > 0 && size > 0 ? (size - min(length, size))..<size : nil
        }
    }

    /// What of an object a GET or HEAD sends: nil for all of it (200), a range for a 206.
    ///
    /// `If-Range` is heeded. Throws 416 `InvalidRange`, and 400 for a `Range` beside a `partNumber`.
    package static func selection(
        _ fields: RequestFields, of size: UInt64, etag: ETag, lastModified: Timestamp
    ) throws(S3Error) -> Range<UInt64>? {
        guard let header = fields.head.first("range") else { return nil }
        guard !fields.query.has("partNumber") else {
            throw S3Error(.invalidRequest, "Cannot specify both Range header and partNumber query parameter")
        }
        guard let range = ByteRange(header) else { return nil }
        if let condition = fields.first("if-range") {
            guard
                ETagList.isTag(condition)
                    ? ETagList.matches(condition, etag)
                    : Timestamp(conditionDate: condition)?.seconds == lastModified.seconds
            else { return nil }
        }
        guard let bytes = range.resolved(in: size) else {
            throw S3Error(
                .invalidRange,
                elements: [.init("RangeRequested", header.text), .init("ActualObjectSize", "\(size)")])
        }
        return bytes
    }
}

extension UInt64 {
    /// A row of digits; nil for anything else.
    fileprivate init?(saturating digits: ArraySlice<UInt8>) {
        var value: UInt64 = 0
        var isSaturated = false
        for byte in digits {
            guard byte.isDigitASCII else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            isSaturated = isSaturated || overflowed || carried
            value = sum
        }
        self = isSaturated ? .max : value
    }
}
