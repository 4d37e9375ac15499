/// Spans of time as rules and the clock write them: `500ms`, `90s`, `20m`, `1h30m`, and with a sign `+24h`, `-20m`.
package enum DurationText {
    /// A hundred years, in milliseconds: beyond it no clock of ours makes sense.
    package static let millisecondsMax: Int64 = 3_155_760_000_000

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Milliseconds; nil unless the text is numbers with units, from the largest unit to the smallest, each at most once.
    package static func milliseconds(_ text: some StringProtocol, signed: Bool = false) -> Int64? {
        var rest = text.utf8[...]
        var isNegative = false
        if signed, let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            isNegative = sign == UInt8(ascii: "-")
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { return nil }
        var total: Int64 = 0
        var unitsLeft = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            rest = rest.dropFirst(letters.count)
            guard let number = Int64(String(decoding: digits, as: UTF8.self)),
                let unit = unitsLeft.firstIndex(where: { $0.name.utf8.elementsEqual(letters) })
            else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: units[unit].milliseconds)
            guard !isTooLarge, product <= millisecondsMax - total else { return nil }
            total += product
            unitsLeft = unitsLeft[(unit + 1)...]
        }
        return isNegative ? -total : total
    }

    /// The text that reads back as `milliseconds`, such as `1m30s`; `0ms` for none.
    package static func text(milliseconds: Int64) -> String {
        guard milliseconds != 0 else { return "0ms" }
        var rest = Int64(clamping: milliseconds.magnitude)
        var text = milliseconds < 0 ? "-" : ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    package var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// Whole nanoseconds of a duration that is not negative; beyond 584 years their largest number.
    var wholeNanoseconds: UInt64 {
        let (seconds, isTooLarge) = UInt64(clamping: components.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : seconds + UInt64(clamping: components.attoseconds / 1_000_000_000)
    }
}
