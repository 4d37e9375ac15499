// Bytes first, text beside them: headers and listings are written without a String.

extension Timestamp {
    /// `2023-11-15T12:02:40.000Z`, as XML documents hold times.
    package func appendISO8601(to bytes: inout [UInt8]) { append(24, to: &bytes) { $0.iso8601(milliseconds: true) } }

    /// `2023-11-15T12:02:40Z`, as `ServerTime` and `Expires` in errors are written.
    package func appendISO8601Seconds(to bytes: inout [UInt8]) {
        append(20, to: &bytes) { $0.iso8601(milliseconds: false) }
    }

    /// `Wed, 15 Nov 2023 12:02:40 GMT`: 29 bytes, for `Date`, `Last-Modified` and `Expires`.
    /// https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7
    package func appendHTTPDate(to bytes: inout [UInt8]) { append(29, to: &bytes) { $0.httpDate() } }

    /// `20231115T120240Z`, as `X-Amz-Date` holds it.
    package func appendAmzDate(to bytes: inout [UInt8]) { append(16, to: &bytes) { $0.amzDate() } }

    /// `20231115`, the day of a credential scope.
    package func appendDay(to bytes: inout [UInt8]) { append(8, to: &bytes) { $0.day() } }

    package var iso8601: String { text { appendISO8601(to: &$0) } }
    package var iso8601Seconds: String { text { appendISO8601Seconds(to: &$0) } }
    package var httpDate: String { text { appendHTTPDate(to: &$0) } }
    package var amzDate: String { text { appendAmzDate(to: &$0) } }
    package var day: String { text { appendDay(to: &$0) } }

    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes into a scratch area first: one append instead of one for each byte.
    private func append(_ count: Int, to bytes: inout [UInt8], _ write: (inout TimeWriter) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { scratch in
            var writer = TimeWriter(scratch, CivilTime(self))
            write(&writer)
            bytes.append(contentsOf: scratch)
        }
    }
}

/// Fills a buffer of exactly the size a format needs.
private struct TimeWriter {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let time: CivilTime
    private var index = 0

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ time: CivilTime) {
        self.bytes = bytes
        self.time = time
    }

    mutating func iso8601(milliseconds: Bool) {
        digits(time.year, 4)
        byte("-")
        digits(time.month, 2)
        byte("-")
        digits(time.day, 2)
        byte("T")
        clock()
        if milliseconds {
            byte(".")
            digits(time.millisecond, 3)
        }
        byte("Z")
    }

    mutating func httpDate() {
        name(time.weekday, of: "SunMonTueWedThuFriSat")
        byte(",")
        byte(" ")
        digits(time.day, 2)
        byte(" ")
        name(time.month - 1, of: "JanFebMarAprMayJunJulAugSepOctNovDec")
        byte(" ")
        digits(time.year, 4)
        byte(" ")
        clock()
        name(0, of: " GM")
        byte("T")
    }

    mutating func amzDate() {
        day()
        byte("T")
        digits(time.hour, 2)
        digits(time.minute, 2)
        digits(time.second, 2)
        byte("Z")
    }

    mutating func day() {
        digits(time.year, 4)
        digits(time.month, 2)
        digits(time.day, 2)
    }

    private mutating func clock() {
        digits(time.hour, 2)
        byte(":")
        digits(time.minute, 2)
        byte(":")
        digits(time.second, 2)
    }

    private mutating func byte(_ scalar: Unicode.Scalar) {
        bytes.initializeElement(at: index, to: UInt8(ascii: scalar))
        index += 1
    }

    private mutating func digits(_ value: Int, _ count: Int) {
        var rest = value
        for position in stride(from: index + count - 1, through: index, by: -1) {
            bytes.initializeElement(at: position, to: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        index += count
    }

    /// The three letters at `position` of a row of names.
    private mutating func name(_ position: Int, of row: StaticString) {
        row.withUTF8Buffer { letters in
            for offset in 0..<3 { bytes.initializeElement(at: index + offset, to: letters[position * 3 + offset]) }
        }
        index += 3
    }
}
