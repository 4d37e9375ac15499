import ShoalHTTP

// Every initializer takes the whole text: blanks around it, or anything behind it, make it nil.

extension Timestamp {
    /// `20231115T120240Z` and nothing else: the form `X-Amz-Date` must have.
    package init?(amzDate bytes: ArraySlice<UInt8>) {
        var scanner = DateScanner(bytes)
        guard bytes.count == 16, let date = scanner.compactDate(), scanner.take("T"), let hour = scanner.digits(2),
            let minute = scanner.digits(2), let second = scanner.digits(2), scanner.take("Z")
        else { return nil }
        self.init(date, hour, minute, second)
    }

    /// `20231115`, the day of a credential scope, at midnight UTC.
    package init?(day bytes: ArraySlice<UInt8>) {
        var scanner = DateScanner(bytes)
        guard bytes.count == 8, let date = scanner.compactDate(), let timestamp = date.timestamp() else { return nil }
        self = timestamp
    }

    /// ISO 8601 as S3 takes it in XML and in `x-amz-object-lock-retain-until-date`: a day, or a day and a time with an
    /// optional fraction and an optional zone (`Z`, `+02:00`, `+0200`); without a zone it is UTC.
    package init?(iso8601 bytes: ArraySlice<UInt8>) {
        var scanner = DateScanner(bytes)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2)
        else { return nil }
        var time = CivilTime(year: year, month: month, day: day)
        var zone = 0
        if !scanner.isAtEnd {
            guard scanner.take("T"), scanner.clock(into: &time) else { return nil }
            if scanner.take(".") {
                guard let milliseconds = scanner.fraction() else { return nil }
                time.millisecond = milliseconds
            }
            if !scanner.isAtEnd {
                guard let offset = scanner.take("Z") ? 0 : scanner.numericZone() else { return nil }
                zone = offset
            }
        }
        guard scanner.isAtEnd, let timestamp = time.timestamp(minutesEastOfUTC: zone), timestamp.hasDate else {
            return nil
        }
        self = timestamp
    }

    /// Whether its year has four digits, as a zone may push it out of: such a time cannot be written.
    private var hasDate: Bool { CivilTime.writable.contains(milliseconds) }

    /// A date as HTTP headers hold it: RFC 1123, RFC 850 or asctime, with `GMT`, `UTC`, `UT`, `Z` or a numeric zone.
    ///
    /// The name of the day is not compared with the date, as S3 does not; a year of two digits lies in 1970 to 2069.
    /// https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7
    package init?(httpDate bytes: ArraySlice<UInt8>) {
        var scanner = DateScanner(bytes)
        if scanner.letters() > 0 {
            _ = scanner.take(",")
            guard scanner.blanks() > 0 else { return nil }
        }
        let parsed = scanner.isAtLetter ? scanner.asctime() : scanner.dayFirst()
        guard let parsed, scanner.isAtEnd, let timestamp = parsed.time.timestamp(minutesEastOfUTC: parsed.zone),
            timestamp.hasDate
        else {
            return nil
        }
        self = timestamp
    }

    /// A date in a conditional header, where S3 takes RFC 1123 and ISO 8601.
    package init?(conditionDate bytes: ArraySlice<UInt8>) {
        guard let timestamp = Timestamp(httpDate: bytes) ?? Timestamp(iso8601: bytes) else { return nil }
        self = timestamp
    }

    private init?(_ date: CivilTime, _ hour: Int, _ minute: Int, _ second: Int) {
        var time = date
        (time.hour, time.minute, time.second) = (hour, minute, second)
        guard let timestamp = time.timestamp() else { return nil }
        self = timestamp
    }
}

extension Timestamp {
    package init?(amzDate text: String) { self.init(amzDate: Array(text.utf8)[...]) }
    package init?(day text: String) { self.init(day: Array(text.utf8)[...]) }
    package init?(iso8601 text: String) { self.init(iso8601: Array(text.utf8)[...]) }
    package init?(httpDate text: String) { self.init(httpDate: Array(text.utf8)[...]) }
}

/// Reads a date from left to right; what does not fit is nil, and the caller gives up.
private struct DateScanner {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index == bytes.endIndex }

    var isAtLetter: Bool { !isAtEnd && bytes[index].isLetter }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.endIndex - index >= count else { return nil }
        var value = 0
        for byte in bytes[index..<(index + count)] {
            guard byte.isDigitASCII else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += count
        return value
    }

    /// `20231115`.
    mutating func compactDate() -> CivilTime? {
        guard let year = digits(4), let month = digits(2), let day = digits(2) else { return nil }
        return CivilTime(year: year, month: month, day: day)
    }

    /// `12:02:40`.
    mutating func clock(into time: inout CivilTime) -> Bool {
        guard let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2) else {
            return false
        }
        (time.hour, time.minute, time.second) = (hour, minute, second)
        return true
    }

    /// Digits behind the point, of which milliseconds are kept.
    mutating func fraction() -> Int? {
        var (value, scale) = (0, 100)
        let start = index
        while let digit = digits(1) {
            value += digit * scale
            scale /= 10
        }
        return index > start ? value : nil
    }

    /// Minutes east of UTC of `+02:00` or `-0130`.
    mutating func numericZone() -> Int? {
        let sign = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hours = digits(2) else { return nil }
        _ = take(":")
        guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    mutating func letters() -> Int { skip { $0.isLetter } }

    mutating func blanks() -> Int { skip { $0 == UInt8(ascii: " ") } }

    private mutating func skip(_ accepted: (UInt8) -> Bool) -> Int {
        let start = index
        while !isAtEnd, accepted(bytes[index]) { index += 1 }
        return index - start
    }

    /// `06 Nov 1994 08:49:37 GMT` and `06-Nov-94 08:49:37 GMT`.
    mutating func dayFirst() -> (time: CivilTime, zone: Int)? {
        guard let day = digits(2) ?? digits(1), take("-") || blanks() > 0, let month = month(),
            take("-") || blanks() > 0, let year = year(), blanks() > 0
        else { return nil }
        var time = CivilTime(year: year, month: month, day: day)
        guard clock(into: &time), blanks() > 0, let zone = zone() else { return nil }
        return (time, zone)
    }

    /// `Nov  6 08:49:37 1994`, which is always UTC.
    mutating func asctime() -> (time: CivilTime, zone: Int)? {
        guard let month = month(), blanks() > 0, let day = digits(2) ?? digits(1), blanks() > 0 else { return nil }
        var time = CivilTime(year: 0, month: month, day: day)
        guard clock(into: &time), blanks() > 0, let year = digits(4) else { return nil }
        time.year = year
        return (time, 0)
    }

    private mutating func year() -> Int? {
        if let year = digits(4) { return year }
        guard let year = digits(2) else { return nil }
        return year < 70 ? 2_000 + year : 1_900 + year
    }

    private mutating func month() -> Int? {
        let start = index
        guard letters() == 3 else { return nil }
        let names: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"
        return names.withUTF8Buffer { names in
            for month in 0..<12
            where (0..<3).allSatisfy({ bytes[start + $0].lowercasedASCII == names[month * 3 + $0] }) {
                return month + 1
            }
            return nil
        }
    }

    private mutating func zone() -> Int? {
        guard isAtLetter else { return numericZone() }
        let start = index
        _ = letters()
        switch String(decoding: bytes[start..<index], as: UTF8.self) {
        case "GMT", "UTC", "UT", "Z": return 0
        default: return nil
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        lowercasedASCII >= UInt8(ascii: "a") && lowercasedASCII <= UInt8(ascii: "z")
    }
}
