/// Instants as RFC 3339 writes them in UTC: `2026-02-03T04:05:06.789Z`.
/// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
package enum InternetTime {
    /// Years 1970 to 9999, which is what four digits and our clocks allow.
    package static let millisecondsMax: Int64 = 253_402_300_799_999

    /// Appends 24 bytes. Instants outside 1970 to 9999 are written as the nearest bound.
    package static func append(milliseconds instant: Int64, to out: inout [UInt8]) {
        let instant = min(max(instant, 0), millisecondsMax)
        let (days, inDay) = instant.quotientAndRemainder(dividingBy: 86_400_000)
        let date = civilDate(daysSince1970: days)
        append(date.year, digits: 4, then: "-", to: &out)
        append(date.month, digits: 2, then: "-", to: &out)
        append(date.day, digits: 2, then: "T", to: &out)
        append(inDay / 3_600_000, digits: 2, then: ":", to: &out)
        append(inDay / 60_000 % 60, digits: 2, then: ":", to: &out)
        append(inDay / 1_000 % 60, digits: 2, then: ".", to: &out)
        append(inDay % 1_000, digits: 3, then: "Z", to: &out)
    }

    package static func text(milliseconds instant: Int64) -> String {
        var bytes: [UInt8] = []
        append(milliseconds: instant, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Milliseconds since 1970 of `YYYY-MM-DDThh:mm:ss[.f…]Z` or S3's `YYYYMMDDThhmmssZ`; nil for any other text, for a
    /// date the calendar does not have, and for years before 1970. Digits beyond milliseconds are dropped.
    package static func milliseconds(_ text: String) -> Int64? {
        var reader = DigitReader(bytes: Array(text.utf8))
        guard let year = reader.number(digits: 4) else { return nil }
        let isExtended = reader.skip("-")
        guard let month = reader.number(digits: 2), !isExtended || reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T"),
            let hour = reader.number(digits: 2), !isExtended || reader.skip(":"),
            let minute = reader.number(digits: 2), !isExtended || reader.skip(":"),
            let second = reader.number(digits: 2)
        else { return nil }
        var fraction: Int64 = 0
        if isExtended && reader.skip(".") {
            guard let thousandths = reader.thousandths() else { return nil }
            fraction = thousandths
        }
        guard reader.skip("Z"), reader.isAtEnd, year >= 1970, (1...12).contains(month), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        guard civilDate(daysSince1970: days) == (year, month, day) else { return nil }
        return days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1_000 + fraction
    }
}

// MARK: - The calendar

extension InternetTime {
    /// Days are counted in eras of 400 years that begin on 1 March, so that a leap day is the last day of its year.
    private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let yearOfEra = year % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func append(_ value: Int64, digits: Int, then end: Unicode.Scalar, to out: inout [UInt8]) {
        var divisor: Int64 = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            out.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
        out.append(UInt8(ascii: end))
    }

    private struct DigitReader {
        let bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
            index += 1
            return true
        }

        mutating func digit() -> Int64? {
            guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
                return nil
            }
            index += 1
            return Int64(bytes[index - 1] - UInt8(ascii: "0"))
        }

        mutating func number(digits count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// One to nine digits of a fraction, as whole thousandths.
        mutating func thousandths() -> Int64? {
            var value: Int64 = 0
            var count = 0
            while count <= 9, let digit = digit() {
                if count < 3 { value = value * 10 + digit }
                count += 1
            }
            guard (1...9).contains(count) else { return nil }
            for _ in count..<max(count, 3) { value *= 10 }
            return value
        }
    }
}
