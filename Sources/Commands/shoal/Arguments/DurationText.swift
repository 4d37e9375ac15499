/// Lengths of time as people write them: `500ms`, `90s`, `20m`, `1h30m`, `7d`; a bare number means seconds.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Nil unless `text` is one number, or numbers with units, largest unit first and each once.
    static func milliseconds(_ text: String) -> Int64? {
        if let seconds = Int64(digits: text) { return multiply(seconds, 1_000) }
        var rest = Substring(text)
        var total: Int64 = 0
        var unitsLeft = units[...]
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            let name = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let count = Int64(digits: number), let unit = unitsLeft.firstIndex(where: { $0.name == name }),
                let part = multiply(count, units[unit].milliseconds)
            else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            (total, unitsLeft) = (sum, unitsLeft[(unit + 1)...])
            rest = rest.dropFirst(number.count + name.count)
        }
        return text.isEmpty ? nil : total
    }

    /// As `milliseconds`, with a sign in front.
    static func signedMilliseconds(_ text: String) -> Int64? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return milliseconds(text) }
        return milliseconds(String(text.dropFirst())).map { sign == "-" ? -$0 : $0 }
    }

    /// `1h30m`; `0s` for nothing, `-` in front of a negative one.
    static func text(milliseconds: Int64) -> String {
        var rest = milliseconds.magnitude
        var text = milliseconds < 0 ? "-" : ""
        for unit in units where rest >= UInt64(unit.milliseconds) {
            text += "\(rest / UInt64(unit.milliseconds))\(unit.name)"
            rest %= UInt64(unit.milliseconds)
        }
        return milliseconds == 0 ? "0s" : text
    }

    private static func multiply(_ count: Int64, _ unit: Int64) -> Int64? {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : product
    }
}

extension Int64 {
    /// Digits only: `Int64("+5")` would be 5.
    fileprivate init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        self.init(digits)
    }
}
