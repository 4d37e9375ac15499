import ShoalHTTP

/// Numbers written in decimal digits.
enum Decimal {
    /// Digits only, and no more than 63 bits; nil otherwise.
    static func integer(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty, text.allSatisfy(\.isDigitASCII) else { return nil }
        return signed(text).flatMap { Int(exactly: $0) }
    }

    /// A number of 64 bits as Java's `Long.parseLong` reads it: one sign at most, leading zeros allowed, no blanks.
    static func signed(_ text: some Collection<UInt8>) -> Int64? {
        guard let first = text.first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let digits = isNegative || first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit.isDigitASCII else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let step = Int64(digit - UInt8(ascii: "0"))
            let (sum, carried) =
                isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
            guard !overflowed && !carried else { return nil }
            value = sum
        }
        return value
    }
}
