/// What the header lines say about the body and the connection, gathered while they are parsed.
/// https://www.rfc-editor.org/rfc/rfc9112.html#section-6.3
struct FramingFields {
    private var contentLength: UInt64?
    private var transferCodings: [Bool] = []
    private var hostCount = 0
    private var connectionCloses = false
    private(set) var expectsContinue = false

    /// Takes note of one line, if it is one that matters here.
    mutating func note(_ buffer: Span<UInt8>, name: Range<Int>, value: Range<Int>) throws(HeadRefusal) {
        switch name.count {
        case 4 where buffer.equals("host", at: name):
            hostCount += 1
        case 6 where buffer.equals("expect", at: name):
            // Others are ignored, as S3 does.
            if buffer.equals("100-continue", at: value) { expectsContinue = true }
        case 10 where buffer.equals("connection", at: name):
            noteConnection(buffer, value)
        case 14 where buffer.equals("content-length", at: name):
            guard contentLength == nil else { throw .malformed("there are two Content-Length fields") }
            contentLength = try Self.decimal(buffer, value)
        case 17 where buffer.equals("transfer-encoding", at: name):
            transferCodings.append(buffer.equals("chunked", at: value))
        default: break
        }
    }

    func resolve(isVersion1_0: Bool) throws(HeadRefusal) -> BodyFraming {
        guard hostCount == 1 || (isVersion1_0 && hostCount == 0) else {
            throw .malformed(hostCount == 0 ? "there is no Host field" : "there are two Host fields")
        }
        if !transferCodings.isEmpty {
            guard transferCodings == [true] else { throw .transferCodingNotImplemented }
            guard contentLength == nil else { throw .malformed("Content-Length stands beside Transfer-Encoding") }
            guard !isVersion1_0 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
            return .chunked
        }
        guard let contentLength else { return .none }
        return .length(contentLength)
    }

    /// HTTP/1.0 connections serve one exchange: its `keep-alive` extension is older than proxies that forward it blindly.
    func keepsAlive(isVersion1_0: Bool) -> Bool { !isVersion1_0 && !connectionCloses }

    private mutating func noteConnection(_ buffer: Span<UInt8>, _ value: Range<Int>) {
        var start = value.lowerBound
        for index in value.lowerBound...value.upperBound
        where index == value.upperBound || buffer[index] == UInt8(ascii: ",") {
            var (first, last) = (start, index)
            while first < last, buffer[first].isBlank { first += 1 }
            while last > first, buffer[last - 1].isBlank { last -= 1 }
            if buffer.equals("close", at: first..<last) { connectionCloses = true }
            start = index + 1
        }
    }

    /// Digits only, and no more than 64 bits.
    private static func decimal(_ buffer: Span<UInt8>, _ range: Range<Int>) throws(HeadRefusal) -> UInt64 {
        guard !range.isEmpty else { throw .malformed("Content-Length is empty") }
        var value: UInt64 = 0
        for index in range {
            guard buffer[index].isDigitASCII else { throw .malformed("Content-Length is not a row of digits") }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(buffer[index] - UInt8(ascii: "0")))
            guard !overflowed && !carried else { throw .malformed("Content-Length does not fit into 64 bits") }
            value = sum
        }
        return value
    }
}

extension Span<UInt8> {
    /// Whether the bytes of `range` are `text`, which is in lower case, in any case.
    fileprivate func equals(_ text: StaticString, at range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in
            for index in 0..<wanted.count where self[range.lowerBound + index].lowercasedASCII != wanted[index] {
                return false
            }
            return true
        }
    }
}
